"""Values that stand where others are expected: every JSON type, numbers and nesting beyond limits, texts that mean
something to one of the parsers, and bytes that are no JSON at all."""

from __future__ import annotations

import json
from typing import Final

# No parser of recapd may follow nesting this deep by recursion; msgspec and json give up on it with an error.
DEPTHS: Final = (40, 600, 1200, 3000)
LONG: Final = 20_000

_TEXTS = (
    "", " ", "\0", "a\0b", "\u2028\u2029\x85", "\ufeff", "\x1b[31m\x1b]8;;x\x07", "0", "-1", "1e400", "9" * 400, "/",
    "..", "~/x", "C:\\x\\y", "\\", "\\\\server\\x", "`" * 50, "<" * 50, "[](", "<details>", "</system-reminder>",
    "<system-reminder>", "<command-name>", "</command-args><command-args>", "<ide_x", "# AGENTS.md",
    "[Request interrupted", "*** Begin Patch\n*** Add File: ", "*** Begin Patch\n*** Update File: a\n*** Move to: ",
    "git commit -m", "git commit -F -", "pytest 'a", "cat <<EOF", "$(", "a && (b || {", "''\"\"", "a\\\nb", "&" * 60,
    "2026-02-03T04:05:06.789Z", "9999-12-31T23:59:59.999999999+99:99", "0000-00-00T00:00:00.000Z", "2026-02-03",
    "user", "assistant", "tool", "tool_result", "toolResult", "summary", "Bash", "Edit", "TaskUpdate", "c1", "s-1",
    "file:///%zz", "http://[", "é" * 30, "\U0001f3f4\U000e0067", "99999999999999999999 passed", "1 failed, in 0.1s =",
    "\n" * 30,
)  # fmt: skip
_RAW = (
    b"null", b"true", b"false", b"0", b"-0", b"-1", b"1.5", b"1e400", b"-1e400", b"1e-400", b"9223372036854775808",
    b"18446744073709551616", b"9" * 400, b"[]", b"{}", b"[[]]", b"[null]", b'[""]', b'{"":null}', b'{"type":[]}',
    b'{"text":{"text":[1]}}', b'[{"type":"text"}]', b'[{"type":"text","text":null}]', b'[{"type":"tool_use"}]',
    b'{"a":{"b":[1,"x",null]}}', b'"\\ud800"', b'"\\udc00\\ud800x"', b'"\\u0000"', b'"\\ud83d"', b'"\xff\xfe"',
    b'"\xed\xa0\x80"', b'"\t"', b'"unclosed', b"NaN", b"Infinity", b"'x'", b"", b"]", b"}",
)  # fmt: skip
RARE = (
    b'"' + b"a" * LONG + b'"',
    b'"' + b"\\n" * (LONG // 2) + b'"',
    b'"' + "漢".encode() * (LONG // 4) + b'"',
    b"[" + b"0," * (LONG // 2) + b"0]",
    b"[" + b'{"type":"text","text":"x"},' * 500 + b"{}]",
    b"{" + b",".join(b'"k%d":%d' % (number, number) for number in range(2000)) + b"}",
    *(b"[" * depth + b"]" * depth for depth in DEPTHS),
    *(b'{"a":' * depth + b"0" + b"}" * depth for depth in DEPTHS),
    *(b'{"content":[' * depth for depth in DEPTHS),
)
# Shallow enough for a decoder, too deep for a walk by recursion.
_DEEP = (b"[" * 450 + b"]" * 450, b'[{"text":' * 230 + b'""' + b"}]" * 230, b'{"content":' * 450 + b'""' + b"}" * 450)
ZOO: Final = (*_RAW, *_DEEP, *(json.dumps(text).encode() for text in _TEXTS))
# One in so many replacements is a large one: they cost as much as a hundred others.
RARE_EVERY = 120
