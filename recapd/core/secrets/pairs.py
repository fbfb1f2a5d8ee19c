"""Owns secrets known by the name in front of them: `API_KEY=…`, `"password": "…"`, `Authorization: …`.

Must not know token prefixes, nor how names are recognized.
"""

import binascii
import re
from collections.abc import Iterator
from typing import Final

from recapd.core.secrets.names import Name, name_at
from recapd.core.secrets.shapes import kube_secret
from recapd.core.secrets.tokens import token_kind
from recapd.core.secrets.values import (
    is_identifier_of_thing,
    is_key,
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

_LEAD: Final = re.compile(rb"[=>]?[ \t\x01\\*]{0,24}+(?:[rbuBU]{1,2}(?=[\"']))?([\"'`]?)")
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
_LONGEST_VALUE: Final = 8_192
# Enough of a value to judge it by.
_SAMPLE: Final = 96
_LONGEST_NETRC: Final = 200
_MACHINE: Final = re.compile(
    rb"(?:machine[\s\x01]{1,4}[^\s\x00]{1,80}|default)[\s\x01]{1,4}login[\s\x01]{1,4}[^\s\x00]{1,80}[\s\x01]{1,4}password\s\Z"
)
_SCHEME: Final = re.compile(
    rb"(?:Bearer|Basic|Token|ApiKey|Api-Key|SSWS|GenieKey|Key|JWT|OAuth|Negotiate|NTLM|Splunk|FlyV1)[ =]{1,2}",
    re.I,
)
_HEADER_VALUE: Final = re.compile(rb"[A-Za-z0-9._~+/=:!%-]{6,512}")
_COOKIES: Final = re.compile(
    rb"[\w.%-]{1,64}=([^\s;\"'`\x00\x01\\<>]{1,4096})(?:; ?[\w.%-]{1,64}=[^\s;\"'`\x00\x01\\<>]{1,4096})*+"
)
_SEED: Final = re.compile(rb"[a-z]{3,8}(?: [a-z]{3,8}){11,23}(?![a-z ])")
_PHRASE: Final = re.compile(rb"[a-z]{2,12}(?: [a-z]{2,12}){3,11}\Z")


def pair(view: bytearray, word: int, sign: int) -> Iterator[Span]:
    """The secret value of the name around `word`, whose sign is at `sign`."""
    if view[sign] in b"tT":
        yield from kube_secret(view, sign)
        return
    if view[sign] in b" \t\n" and view[sign - 1] in b"dD":
        span = _netrc(view, sign + 1)
    else:
        named = name_at(view, word, sign)
        span = _VALUE_OF.get(named.group, _assigned)(view, named) if named else None
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
        return _quoted(view, named, start, lead)
    if named.sign == 0x2C:
        return None
    if named.sign == 0x3E:
        return _judged(named, view, start, max(start, view.find(b"<", start, start + _LONGEST_VALUE)), explicit=True)
    return _bare(view, named, start)


def _quoted(view: bytearray, named: Name, start: int, lead: re.Match[bytes]) -> Span | None:
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
    return _judged(named, view, start, end, explicit=named.sign in b":=")


def _bare(view: bytearray, named: Name, start: int) -> Span | None:
    if named.group == "phrase":
        seed = _SEED.match(view, start)
        return Span(start, seed.end(), "seed-phrase") if seed else None
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
    is_yaml = at_line_start and named.sign == 0x3A and named.text.isupper() and found.end() == end
    explicit = is_shell or is_yaml or named.is_entry or (is_tight and (at_line_start or is_parameter))
    return _judged(named, view, start, end, explicit=explicit)


def _netrc(view: bytearray, at: int) -> Span | None:
    """`machine example.org login me password …`, on one line or three."""
    head = view[max(0, at - _LONGEST_NETRC) : at]
    if b"login" not in head or not _MACHINE.search(head):
        return None
    found = _WORD.match(view, at)
    if found is None or is_reference(found[0]):
        return None
    return Span(found.start(), _end_of_secret(view, found.start(), found.end()), "password")


def _judged(named: Name, view: bytearray, start: int, end: int, *, explicit: bool) -> Span | None:
    if 0 in view[start:end]:
        return None
    value = bytes(view[start : min(end, start + _SAMPLE)])
    if named.group == "phrase" or b" " in value.strip():
        spoken = _SEED.match(value) if named.group == "phrase" else _PHRASE.match(value)
        spoken_name = named.text.lower().endswith((b"phrase", b"mnemonic"))
        return Span(start, end, "seed-phrase") if spoken and spoken_name else None
    if not _is_secret(named.group, value, explicit=explicit):
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


_VALUE_OF: Final = {"header": _header, "cookie": _cookie}
