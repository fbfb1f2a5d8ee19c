"""Owns secrets known by the name in front of them: `API_KEY=…`, `"password": "…"`, `Authorization: …`, a column.

Must not know token prefixes, nor how names are recognized.
"""

import binascii
from collections.abc import Iterator
from typing import Final

import msgspec

from recapd.core import late_re as re
from recapd.core.secrets.foreign import foreign_pair
from recapd.core.secrets.names import BREAK, MARGIN, Name, name_at
from recapd.core.secrets.phrases import app_password, is_passphrase, is_sentence, passphrase_at, seed_phrase
from recapd.core.secrets.shapes import command_input, kube_secret
from recapd.core.secrets.tokens import token_kind
from recapd.core.secrets.values import (
    is_identifier_of_thing,
    is_key,
    is_made_up,
    is_password,
    is_reference,
    looks_random,
)
from recapd.core.secrets.view import Span

_KINDS: Final = {
    "aws": "aws-secret-key",
    "azure": "azure-key",
    "private": "crypto-key",
    "apikey": "api-key",
    "weak": "api-key",
}
_VENDOR: Final = re.compile(
    rb"heroku|cloudflare|datadog|vercel|pagerduty|postmark|twilio|paypal|braintree|bitbucket|azure|netlify|mailchimp"
    rb"|algolia|auth0|okta|segment|mixpanel|jenkins|sonar|codecov|snyk|jira|zendesk|wireguard|digitalocean|linode|vultr"
)

_LEAD: Final = re.compile(rb"[=>]?[ \t\x01\\*]{0,24}+(?:[rbuBUN]{1,2}(?=[\"']))?([\"'`]?)")
_ANNOTATION: Final = re.compile(
    rb"[ ]?(?:&(?:'static )?)?(?:Optional\[str\]|SecretStr|[Ss]tr(?:ing)?|bytes|char\*?|text)"
    rb"(?: ?\| ?(?:None|null|undefined))? ?=(?=[ \"'])"
)
# What is no secret is read no further than this; what is one, to its end.
_LONGEST_BARE: Final = 512
_REST: Final = re.compile(rb"[^\s\"'`\x00\x01\\]*")
_BARE: Final = re.compile(rb"[^\s\"'`,;<>(){}\[\]|\x00\x01\\]{1,512}")
_BARE_PARAMETER: Final = re.compile(rb"[^\s\"'`,;&<>(){}\[\]|\x00\x01\\]{1,512}")
_WORD: Final = re.compile(rb"[^\s\"'`\x00\x01\\]{3,512}")
_NEXT_PARAMETER: Final = re.compile(rb"[&;][\w.-]{1,64}=")
_BARE_LINE: Final = re.compile(rb"[^\s\"'`\x00\x01\\(){}\[\]<>]{1,512}+(?=[\s\x01]|\Z)")
_LINE_START: Final = re.compile(
    rb"(?:\A|[\n\x01])(?:[ \t]{0,8}[0-9]{1,6}[\xff:|\t])?[ \t>+-]{0,24}(?:export |set |setx |ENV |ARG |\$env:)?\Z"
)
# Credentials are a user and a password.
_USER: Final = re.compile(rb"[\w.@+-]{1,64}(?: [/|] |:[ ]?)(?=[^\s/])")
_PASS_FLAG: Final = re.compile(rb"-pass(?:in|out)?[ \t]{1,4}[\"']?\Z")
_LONGEST_VALUE: Final = 8_192
# Enough of a value to judge it by.
_SAMPLE: Final = 96
_LONGEST_COMMAND: Final = 200
_MACHINE: Final = re.compile(
    rb"(?:machine[\s\x01]{1,4}[^\s\x00]{1,80}|default)[\s\x01]{1,4}login[\s\x01]{1,4}[^\s\x00]{1,80}[\s\x01]{1,4}password\s\Z"
)
# Commands and instructions that take a name and its value with a space between.
_SETTER: Final = re.compile(
    rb"(?:\bENV|\b[Ss]et[Ee]nv|\bsetx|\bset(?: -{1,2}[a-z]{1,12}){1,3}|\bconfig(?:ure)? set|\bsecret set)[ \t]{1,4}"
    rb"(?:[\"']?[^\s\"'\x00]{0,100})?\Z"
)
_SQL_USER: Final = re.compile(rb"IDENTIFIED|\b(?:create|alter|grant|user)\b")
_GIVEN_PASSWORD: Final = re.compile(
    rb"(?:[\w.]{0,80}\.)?(?:set|with|change|reset|update|use|new)?_?(?:new_?)?"
    rb"(?:password|passwd|passphrase|pwd)\Z",
    re.I,
)
_SQL_PASSWORD: Final = re.compile(
    rb"(?:\b(?:with|encrypted|by|set)|\b(?:user|role|login)(?:[ \t]\S{1,64})?|=)[\s\x01\\]{1,4}\Z", re.I
)
_SCHEME: Final = re.compile(
    rb"(?:Bearer|Basic|Token|ApiKey|Api-Key|SSWS|GenieKey|Key|JWT|OAuth|Negotiate|NTLM|Splunk|FlyV1)[ =]{1,2}",
    re.I,
)
_HEADER_VALUE: Final = re.compile(rb"[A-Za-z0-9._~+/=:!%-]{6,512}")
_COOKIES: Final = re.compile(
    rb"[\w.%-]{1,64}=([^\s;\"'`\x00\x01\\<>]{1,4096})(?:; ?[\w.%-]{1,64}=[^\s;\"'`\x00\x01\\<>]{1,4096})*+"
)
# The line between the head of a table and its rows, and a row; a table of more rows is read to here.
_RULE: Final = re.compile(MARGIN + rb"[-=+|: \t]{3,400}+" + BREAK)
_LONGEST_ROW: Final = 400
_ROW: Final = re.compile(rb"[^\n]{0,400}+(?:\n|\Z)")
_MOST_ROWS: Final = 64
_CELL: Final = re.compile(
    rb"[ \t]{0,24}[`*\"']{0,2}([^\s|`\"'\x00\x01\\]{4,128})[`*\"']{0,2}[ \t\r\x01\\]{0,24}(?=[|\n]|\Z)"
)
_SEPARATOR: Final = re.compile(rb"[,;\t]|\\{1,2}t")
_FIELD_BYTES: Final = b'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"\x01\\,;\t'
_FIELD: Final = re.compile(rb"[ \"'\x01\\]{0,4}([^\s,;\"'`|\x00\x01\\]{4,128})(?=[\s,;\"'\x01\\]|\Z)")
_NAME_OF_FIELD: Final = re.compile(rb"[A-Za-z]")
# What is used as a password, before the word says so.
_USED: Final = re.compile(
    rb"\b(?:use|with|enter|type|take|try|put|set|be|is) [\x01\\\"'`]{0,3}"
    rb"([^\s\"'`,;<>(){}\[\]|\x00\x01\\]{6,64})[\x01\\\"'`]{0,3}\Z",
    re.IGNORECASE,
)
_COLUMNS: Final = re.compile(rb" {2,}")
# One alone may be the heading of anything.
_LEAST_COLUMNS: Final = 2
_TITLE_OF_COLUMN: Final = re.compile(rb"[A-Za-z][A-Za-z _-]{0,31}\Z")
_FIELD_OF_ROW: Final = re.compile(rb"[^\s\"'`|\x00\x01\\]{4,128}(?=[\s\x01\\]|\Z)")
_MARGIN: Final = re.compile(MARGIN)
_BELOW: Final = re.compile(
    rb"[\x01\\]{0,4}[`\"']?([^\s`\"'<>(){}\[\],;|\x00\x01\\]{6,512})"
    rb"[`\"']?(?:([ \t\r\x01\\]{0,8}(?:\n|\Z))|(?=[\s`\"',;)\]}\x01\\]))"
)
_ASSIGNMENT: Final = re.compile(rb"[\w.-]{1,64}[=:][^=]")
_HEADING: Final = re.compile(rb"(?:(?:\A|[\n\x01])" + MARGIN + rb"[\"'>*_ \t-]{0,8}|#{1,6} )(?:[A-Za-z]{1,12} ){0,3}\Z")
_PLAIN_TOKEN: Final = re.compile(rb"[\w-]{16,}[.,;:!?)\xff]{0,2}\Z")
_PATH_NAME: Final = re.compile(rb"(?:[a-z]{2,12}[_-]){0,3}(?:token|password|apikey|key)\Z")
_SUFFIX: Final = re.compile(rb"\.\w")
_PATH_PART: Final = re.compile(rb"[\w-]{16,512}")


def pair(view: bytearray, word: int, sign: int, how: str) -> Iterator[Span]:
    """The secret that the word announces; `how` is a group of the patterns in names."""
    if how in _UNNAMED:
        yield from _UNNAMED[how](view, sign)
        return
    named = name_at(view, word, sign)
    if named is None:
        return
    if how in _UNSIGNED and (named.group in _VAGUE or named.text.lower() == b"pass"):
        return
    if how in _IN_ROWS:
        yield from _IN_ROWS[how](view, named, word)
        return
    find = _ANNOUNCED.get(how) or _VALUE_OF.get(named.group, _assigned)
    span = find(view, named)
    if span is not None:
        yield span


def _kind(named: Name, value: bytes) -> str:
    known = token_kind(value)
    if known:
        return known
    vendor = _VENDOR.search(named.text.lower())
    if vendor:
        return vendor[0].decode() + "-" + _KINDS.get(named.group, named.group)
    return _KINDS.get(named.group, named.group)


def _assigned(view: bytearray, named: Name) -> Span | None:
    at = named.value_at
    if named.sign == 0x3A and (annotation := _ANNOTATION.match(view, at)):
        at = annotation.end()
    if named.sign == 0x3E and not named.before.endswith(b"<"):
        return None
    lead = _LEAD.match(view, at)
    assert lead is not None  # every part is optional
    scheme = _SCHEME.match(view, lead.end())
    start = scheme.end() if scheme else lead.end()
    if lead[1]:
        # In a sentence, what is in quotes is a value; what is in backticks may be a name.
        is_said = named.sign == 0x20 and named.group == "password" and lead[1] != b"`"
        return _quoted(view, named, start, lead, explicit=is_said or named.sign in b":=")
    if named.sign == 0x2C:
        return None
    if named.sign == 0x3E:
        return _judged(named, view, start, max(start, view.find(b"<", start, start + _LONGEST_VALUE)), explicit=True)
    return _bare(view, named, start)


def _quoted(view: bytearray, named: Name, start: int, lead: re.Match[bytes], *, explicit: bool) -> Span | None:
    quote, opening = bytes(lead[1]), lead.end()
    if view[start : start + 2] == quote * 2:
        return None
    escaped = opening > 1 and view[opening - 2] in b"\x01\\"
    limit = min(len(view), start + _LONGEST_VALUE)
    end = view.find(quote, start, limit)
    while not escaped and end > start and view[end - 1] in b"\x01\\":
        end = view.find(quote, end + 1, limit)
    if end < 0 or view.find(b"\n", start, end) >= 0:
        unclosed = _WORD.match(view, start)
        end = unclosed.end() if unclosed else start
    while end > start and view[end - 1] in b"\x01\\":
        end -= 1
    return _judged(named, view, start, end, explicit=explicit)


def _bare(view: bytearray, named: Name, start: int) -> Span | None:
    if named.group == "password" and (several := _several_words(view, named, start)):
        return several
    if named.text.lower().endswith((b"creds", b"credentials")) and (user := _USER.match(view, start)):
        start = user.end()
        named = msgspec.structs.replace(named, group="password")
    at_line_start = _LINE_START.search(named.before) is not None
    is_tight = named.sign == 0x3D and start == named.value_at
    is_shell = is_tight and (named.text.isupper() or named.text.startswith(b"--"))
    is_parameter = named.before.endswith((b"?", b"&", b";"))
    whole = _BARE_LINE.match(view, start) if at_line_start or is_shell else None
    found = whole or (_BARE_PARAMETER if is_parameter else _BARE).match(view, start)
    if found is None:
        return None
    following = _NEXT_PARAMETER.search(view, start, found.end())
    value = view[start : following.start()] if following else found[0]
    end = start + len(value.rstrip(b".,;:*&"))
    if view[end : end + 1].startswith((b"(", b"[", b"{")) or view[end : end + 2] == b"?.":
        return None
    is_yaml = (
        at_line_start and named.sign == 0x3A and named.text.isupper() and len(named.text) > 3 and found.end() == end
    )
    is_flag = named.text == b"pass" and _PASS_FLAG.search(named.before) is not None
    explicit = is_shell or is_yaml or is_flag or named.is_entry or (is_tight and (at_line_start or is_parameter))
    return _judged(named, view, start, end, explicit=explicit)


def _several_words(view: bytearray, named: Name, start: int) -> Span | None:
    if not named.text.lower().endswith(b"phrase"):
        span = app_password(view, start)
        return span if span and (named.sign != 0x20 or _is_app_password(view, named, span)) else None
    # `(get_passphrase): …` is about a function.
    is_told = named.sign in b":=" and view[named.value_at - 2 : named.value_at - 1] != b")"
    return passphrase_at(view, start) if is_told else None


def _spaced(view: bytearray, named: Name) -> Span | None:
    """`ENV DB_PASSWORD …`, `machine example.org login me password …`, `use password …`."""
    start = named.value_at
    found = _WORD.match(view, start + view[start : start + 1].startswith((b'"', b"'")))
    if found is None or is_reference(found[0]):
        return None
    head = bytes(view[max(0, start - _LONGEST_COMMAND) : start])
    kind = _kind(named, found[0])
    if b"login" in head and _MACHINE.search(head):
        return Span(found.start(), _end_of_secret(view, found.start(), found.end()), kind)
    if (b"ENV" in head or b"et" in head) and _SETTER.search(head.rpartition(b"\n")[2].rstrip()):
        return _judged(named, view, found.start(), found.end(), explicit=True)
    if named.group != "password":
        return None
    if several := app_password(view, start):
        return several if _is_app_password(view, named, several) else None
    value = found[0].rstrip(b".,;:*)")
    if not is_password(value, explicit=False) or not is_made_up(value):
        return None
    return Span(found.start(), found.start() + len(value), kind)


def _is_app_password(view: bytearray, named: Name, span: Span) -> bool:
    """In a sentence, any four words of four letters may stand behind `password`."""
    return b"app" in named.before.lower() + named.text.lower() and not is_sentence(bytes(view[span.start : span.end]))


def _in_quotes(view: bytearray, named: Name) -> Span | None:
    """`ALTER USER me PASSWORD '…'`, `setPassword("…")`; a shell may have taken the quotes."""
    lead = _LEAD.match(view, named.value_at)
    if lead is None or not _GIVEN_PASSWORD.match(named.text):
        return None
    if not lead[1]:
        return _bare(view, named, lead.end()) if named.text.isupper() else None
    is_sql = named.text.upper() == b"PASSWORD" and _SQL_PASSWORD.search(named.before) is not None
    return _quoted(view, named, lead.end(), lead, explicit=is_sql)


def _given_by(view: bytearray, sign: int) -> Iterator[Span]:
    """`IDENTIFIED BY '…'`."""
    if not _SQL_USER.search(view, max(0, sign - _LONGEST_COMMAND), sign):
        return
    named = Name(text=b"password", group="password", sign=0x3D, before=b"", value_at=sign + 1)
    lead = _LEAD.match(view, named.value_at)
    assert lead is not None  # every part is optional
    at = lead.end()
    span = _quoted(view, named, at, lead, explicit=True) if lead[1] else _bare(view, named, at)
    if span is not None:
        yield span


def _below(view: bytearray, named: Name) -> Span | None:
    """The value stands in the line after its name: behind a colon, or under a name that has its line for itself."""
    found = _BELOW.match(view, named.value_at)
    if found is None:
        return None
    value = found[1].rstrip(b".,;*")
    head = view[max(0, named.value_at - _LONGEST_COMMAND) : named.value_at].rstrip(b" \t\r\n\x01\\`*_>+-")
    has_sign = head.endswith((b":", b"="))
    if not has_sign and not (found[2] is not None and _HEADING.search(named.before)):
        return None
    is_alone = found[2] is not None and has_sign and named.group == "password"
    if not (is_password(value, explicit=False) if is_alone else is_made_up(value)):
        return None
    if value.endswith(b":") or _ASSIGNMENT.match(value) or is_reference(value) or is_identifier_of_thing(value):
        return None
    return _judged(named, view, found.start(1), found.start(1) + len(value), explicit=False)


def _cell(view: bytearray, named: Name) -> Span | None:
    """`| Password | … |`"""
    found = _CELL.match(view, named.value_at)
    return _judged(named, view, found.start(1), found.end(1), explicit=False) if found else None


def _column(view: bytearray, named: Name, word: int) -> Iterator[Span]:
    """What stands under the head of a column, row by row."""
    line = view.rfind(b"\n", max(0, word - _LONGEST_ROW), word) + 1
    rule = _RULE.match(view, named.value_at)
    if rule is None or (not line and word > _LONGEST_ROW):
        return
    number = view.count(b"|", line, word)
    at = rule.end()
    for _ in range(_MOST_ROWS):
        row = _ROW.match(view, at)
        if row is None or b"|" not in row[0] or row.end() == at:
            return
        start = at
        for _ in range(number):
            start = view.find(b"|", start, row.end()) + 1
            if not start:
                break
        cell = _CELL.match(view, start, row.end()) if start else None
        if cell and (span := _judged(named, view, cell.start(1), cell.end(1), explicit=False)):
            yield span
        at = row.end()


def _below_or_record(view: bytearray, named: Name, word: int) -> Iterator[Span]:
    if span := _below(view, named):
        yield span
    else:
        yield from _record(view, named, word)
        yield from _spread(view, named, word)


def _record(view: bytearray, named: Name, word: int) -> Iterator[Span]:
    """What stands in one field of the lines of a file that separates fields by commas, semicolons or tabs."""
    low = max(0, word - _LONGEST_ROW)
    before = view[max(low, view.rfind(b"\n", low, word) + 1) : word]
    before = before[len(before.rstrip(_FIELD_BYTES)) :]
    at = view.find(b"\n", word, word + _LONGEST_ROW) + 1
    after = view[word:at].rstrip(b"\r\n\x01\\")
    separators = set(map(bytes, _SEPARATOR.findall(before + after)))
    if not at or len(separators) != 1 or after.translate(None, _FIELD_BYTES):
        return
    separator = separators.pop()
    if not all(map(_NAME_OF_FIELD.search, (before + after).split(separator))):
        return
    number, least = before.count(separator), (before + after).count(separator)
    for _ in range(_MOST_ROWS):
        row = _ROW.match(view, at)
        if row is None or row[0].count(separator) < least:
            return
        margin = _MARGIN.match(view, at)
        # A number and a tab may be what a tool puts before a line, or a field.
        start = margin.end() if margin and view.count(separator, margin.end(), row.end()) >= least else at
        for _ in range(number):
            start = view.find(separator, start, row.end()) + len(separator)
        found = _FIELD.match(view, start, row.end())
        if found and not _ASSIGNMENT.match(found[1]):
            span = _judged(named, view, found.start(1), found.end(1), explicit=False)
            if span is not None:
                yield span
        at = row.end()


def _spread(view: bytearray, named: Name, word: int) -> Iterator[Span]:
    """What stands below the name in lines of which the columns are set apart by spaces."""
    line = view.rfind(b"\n", max(0, word - _LONGEST_ROW), word) + 1
    end = view.find(b"\n", word, word + _LONGEST_ROW)
    if end < 0 or (not line and word > _LONGEST_ROW):
        return
    head = bytes(view[line:end]).rstrip(b"\r\x01\\ ")
    column = word - len(view[line:word].rsplit(b"  ", 1)[-1].lstrip()) - line
    titles = _COLUMNS.split(head.strip())
    if len(titles) < _LEAST_COLUMNS or not all(map(_TITLE_OF_COLUMN.match, titles)):
        return
    at = end + 1
    for _ in range(_MOST_ROWS):
        row = _ROW.match(view, at)
        start = at + column
        if row is None or start >= row.end() or (column and view[start - 1 : start] != b" "):
            return
        found = _FIELD_OF_ROW.match(view, start, row.end())
        if found and (span := _judged(named, view, found.start(), found.end(), explicit=False)):
            yield span
        at = row.end()


def _path_part(view: bytearray, named: Name) -> Span | None:
    """`/reset-password/…`, `/token/…`, but no file."""
    found = _PATH_PART.match(view, named.value_at)
    if found is None or not _PATH_NAME.match(named.text) or _SUFFIX.match(view, found.end()):
        return None
    if not looks_random(found[0], least=16) or is_identifier_of_thing(found[0]):
        return None
    return Span(found.start(), found.end(), _kind(named, found[0]))


def _beside_user(view: bytearray, end: int) -> Iterator[Span]:
    """`Login: admin / hunter22`: nobody says that it is a password, so only what looks like one is."""
    found = _BARE.match(view, end + 1)
    value = bytes(found[0]).rstrip(b".,;:*_&") if found else b""
    if is_password(value, explicit=False):
        yield Span(end + 1, end + 1 + len(value), "password")


def _before_name(view: bytearray, end: int) -> Iterator[Span]:
    """`use hunter22 as the password`"""
    low = max(0, end - _LONGEST_COMMAND)
    found = _USED.search(view[low:end])
    if found is not None and is_password(found[1], explicit=False) and not is_identifier_of_thing(found[1]):
        yield Span(low + found.start(1), low + found.end(1), "password")


def _judged(named: Name, view: bytearray, start: int, end: int, *, explicit: bool) -> Span | None:
    if 0 in view[start:end]:
        return None
    value = bytes(view[start : min(end, start + _SAMPLE)])
    if b" " in value.strip():
        if named.group != "password":
            return None
        if span := app_password(view, start):
            return span if span.end == end else None
        is_phrase = is_passphrase(value, is_named=named.text.lower().endswith((b"phrase", b"psk")))
        return Span(start, end, "passphrase") if is_phrase else None
    if explicit and named.text.lower().endswith(b"phrase"):
        words = value.rstrip(b"\xff").replace(b"-", b" ")
        if is_passphrase(words, is_named=True):
            return Span(start, end, "passphrase")
    if not _is_secret(named.group, value, explicit=explicit):
        return None
    if named.is_entry and named.group == "weak" and not looks_random(value):
        return None
    if named.text.lower().endswith(b"pat") and not _PLAIN_TOKEN.match(value):
        return None
    return Span(start, _end_of_secret(view, start, end), _kind(named, value))


def _end_of_secret(view: bytearray, start: int, end: int) -> int:
    rest = _REST.match(view, end) if end - start >= _LONGEST_BARE else None
    return rest.end() if rest else end


def _is_secret(group: str, value: bytes, *, explicit: bool) -> bool:
    if group == "password":
        return is_password(value, explicit=explicit)
    if group == "auth":
        return _is_basic(value) or (len(value) >= 16 and is_key(value, explicit=False))
    if group == "weak":
        return len(value) >= 20 and is_key(value, explicit=False) and not is_identifier_of_thing(value)
    return is_key(value, explicit=explicit)


def _is_basic(value: bytes) -> bool:
    """Base64 of `user:password`, as Basic authentication and container registries have it."""
    try:
        user, colon, password = binascii.a2b_base64(value, strict_mode=True).partition(b":")
    except binascii.Error:
        return False
    return bool(colon) and bool(password) and user.isascii()


def _header(view: bytearray, named: Name) -> Span | None:
    lead = _LEAD.match(view, named.value_at)
    assert lead is not None  # every part is optional
    scheme = _SCHEME.match(view, lead.end())
    found = _HEADER_VALUE.match(view, scheme.end() if scheme else lead.end())
    if found is None:
        return None
    value = found[0].rstrip(b".:")
    if not (_is_basic(value) or is_key(value[:_SAMPLE], explicit=scheme is not None)):
        return None
    end = _end_of_secret(view, found.start(), found.start() + len(value))
    return Span(found.start(), end, token_kind(value) or "authorization")


def _cookie(view: bytearray, named: Name) -> Span | None:
    lead = _LEAD.match(view, named.value_at)
    assert lead is not None  # every part is optional
    found = _COOKIES.match(view, lead.end())
    if found is None:
        return None
    values = (part.partition(b"=")[2] for part in found[0].split(b";"))
    if not any(looks_random(value[:_SAMPLE]) and not is_reference(value) for value in values):
        return None
    if named.text.lower().startswith(b"set"):
        return Span(found.start(1), found.end(1), "cookie")
    return Span(found.start(), found.end(), "cookie")


def _foreign(view: bytearray, end: int) -> Iterator[Span]:
    return foreign_pair(view, end + 1, is_said=False, is_spaced=True)


_VALUE_OF: Final = {"header": _header, "cookie": _cookie}
# Names that many harmless things have, and ways to announce a value that are not enough for them.
_VAGUE: Final = frozenset(("weak", "auth", "header", "cookie"))
_UNSIGNED: Final = frozenset(
    (
        "said",
        "about",
        "quoted",
        "spaced",
        "call",
        "below",
        "beneath",
        "cell",
        "column",
        "record",
        "spread",
        "fields",
        "tabs",
        "path",
    )
)
_ANNOUNCED: Final = {
    "spaced": _spaced,
    "quoted": _in_quotes,
    "call": _in_quotes,
    "beneath": _below,
    "cell": _cell,
    "path": _path_part,
}
_IN_ROWS: Final = {
    "column": _column,
    "below": _below_or_record,
    "record": _below_or_record,
    "spread": _spread,
    "fields": _record,
    "tabs": _record,
}
_UNNAMED: Final = {
    "kube": kube_secret,
    "command": command_input,
    "sql": _given_by,
    "login": _beside_user,
    "before": _before_name,
    "foreign": _foreign,
    "ordine": _foreign,
    "parool": _foreign,
    "phrase": seed_phrase,
    "wallet": seed_phrase,
    "words": seed_phrase,
}
