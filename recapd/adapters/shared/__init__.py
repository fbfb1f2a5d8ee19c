"""What adapters have in common: what one is, names and arguments of tools, questions, damaged lines."""

from recapd.adapters.shared.base import (
    Adapter,
    Document,
    JsonObject,
    Lines,
    Typed,
    decode_or_none,
    first_objects,
    recover,
    text_in,
    time_of,
    word_at,
)
from recapd.adapters.shared.damaged import parse_odd, salvage
from recapd.adapters.shared.documents import (
    cut_elements,
    decode_document,
    decode_mended,
    misshapen,
    place_of,
    top_level,
    unreadable,
)
from recapd.adapters.shared.edits import edits_in, texts_in
from recapd.adapters.shared.injected import is_injected
from recapd.adapters.shared.questions import asking, options_of, questions_in
from recapd.adapters.shared.tool_names import kind_of
from recapd.adapters.shared.tools import line_count, patch_call, read_call, todo_status

__all__ = [
    "Adapter",
    "Document",
    "JsonObject",
    "Lines",
    "Typed",
    "asking",
    "cut_elements",
    "decode_document",
    "decode_mended",
    "decode_or_none",
    "edits_in",
    "first_objects",
    "is_injected",
    "kind_of",
    "line_count",
    "misshapen",
    "options_of",
    "parse_odd",
    "patch_call",
    "place_of",
    "questions_in",
    "read_call",
    "recover",
    "salvage",
    "text_in",
    "texts_in",
    "time_of",
    "todo_status",
    "top_level",
    "unreadable",
    "word_at",
]
