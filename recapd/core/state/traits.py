"""What is said of a field of the state besides its type: once, where the field is declared.

    native_id: InHead[Wordless[str]] = ""

Owns: the words for it, and finding the fields that they are said of. Must not know: what follows from them.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypeVar, get_args, get_type_hints

from msgspec import Struct

T = TypeVar("T")

Trait: TypeAlias = Literal["in head", "wordless", "paths", "copied late", "unwritten"]

# What a list, the status of the sources, and how a session stands are read from: it stays when a source is cold.
InHead: TypeAlias = Annotated[T, "in head"]
# Ids, times, places and numbers: nothing that anybody wrote, so nothing that is looked through for secrets.
Wordless: TypeAlias = Annotated[T, "wordless"]
# Paths, also those with spaces in them.
Paths: TypeAlias = Annotated[T, "paths"]
# Too large to be copied with every batch: whoever changes it takes a copy first.
CopiedLate: TypeAlias = Annotated[T, "copied late"]
# Secrets, and nothing else: held while the log is, and never written down.
Unwritten: TypeAlias = Annotated[T, "unwritten"]


def fields_with(trait: Trait, struct: type[Struct]) -> tuple[str, ...]:
    """Fields of the struct of which that is said, in their order."""
    hints = get_type_hints(struct, include_extras=True)
    return tuple(name for name in struct.__struct_fields__ if trait in getattr(hints[name], "__metadata__", ()))


def fields_within(struct: type[Struct], *traits: Trait) -> tuple[frozenset[str], ...]:
    """For each trait the same of the struct and all structs that it is made of, in one walk: to ask one struct for the
    types of its fields takes half a millisecond, and everybody who starts has to."""
    found: dict[type[Struct], dict[str, object]] = {}
    _gather_hints(struct, found)
    hints = [hint for each in found.values() for hint in each.items()]
    return tuple(
        frozenset(name for name, hint in hints if trait in getattr(hint, "__metadata__", ())) for trait in traits
    )


def _gather_hints(hint: object, found: dict[type[Struct], dict[str, object]]) -> None:
    """The types of all fields, by the struct that they are of."""
    if isinstance(hint, type) and issubclass(hint, Struct) and hint not in found:
        found[hint] = get_type_hints(hint, include_extras=True)
        for each in found[hint].values():
            _gather_hints(each, found)
    for each in get_args(hint):
        _gather_hints(each, found)
