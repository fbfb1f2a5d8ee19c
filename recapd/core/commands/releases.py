"""Commands that bring work to others: a deployment, a merged pull request, an approved review.

Owns the programs and the words by which they are known. That one succeeded is told by its result; here only whether
the success of its line can be nobody else's.
"""

from typing import Final

from recapd.core import late_re as re
from recapd.core.commands.hints import hints_of
from recapd.core.commands.names import operands, resolved_commands, subcommands
from recapd.core.commands.words import word_set

# Programs whose subcommand of that name puts something into service.
_DEPLOYING: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(
        word_set("vercel netlify wrangler firebase fly flyctl serverless sls cdk sst railway amplify modal dokku"),
        frozenset({"deploy"}),
    ),
    **dict.fromkeys(("helm",), word_set("upgrade install")),
    **dict.fromkeys(("kubectl", "terraform", "pulumi"), word_set("apply up")),
    "gcloud": frozenset({"deploy"}),
    "eas": frozenset({"submit"}),
}
_NAMED_BY_PEOPLE: Final = word_set("npm pnpm yarn bun make gmake just task mise rake composer")
_DEPLOY_NAME: Final = re.compile(r"(?:.*[:_.-])?deploy(?:[:_.-].*)?")
_HOSTS: Final = {"gh": "pr", "glab": "mr"}
_NOTHING: Final = word_set("--dry-run --help -h --auto --plan --preview")


def brought_about(command: str) -> str:
    """What the line brought to others if it succeeds, in a few words; "" where that is nothing, or where another
    command's success may hide its failure."""
    if not hints_of(command).brings:
        return ""
    commands = [(simple, words) for simple, words in resolved_commands(command) if words]
    for at, (simple, words) in enumerate(commands):
        if not (found := _brought_by(words)):
            continue
        is_certain = not simple.conditional and all(each.after in ("", "&&", ")") for each, _ in commands[at:])
        return found if is_certain else ""
    return ""


def _brought_by(words: list[str]) -> str:
    if not _NOTHING.isdisjoint(words):
        return ""
    name, named = words[0], operands(words)
    if name in _HOSTS and named[:1] == [_HOSTS[name]]:
        number = next((word.lstrip("#!") for word in named[2:3] if word.lstrip("#!").isdigit()), "")
        which = f" #{number}" if number else ""
        if named[1:2] == ["merge"]:
            return f"Merged: PR{which}"
        is_approval = named[1:2] == ["approve"] or (
            named[1:2] == ["review"] and not {"--approve", "-a"}.isdisjoint(words)
        )
        return f"Review approved: PR{which}" if is_approval else ""
    own = " ".join(subcommands(words))
    if name in _DEPLOYING and not _DEPLOYING[name].isdisjoint(named):
        return f"Deployed ({own})"
    return f"Deployed ({own})" if name in _NAMED_BY_PEOPLE and _DEPLOY_NAME.fullmatch(own.split(" ")[-1]) else ""
