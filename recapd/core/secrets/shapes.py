"""Owns secrets known by the structure they stand in: key blocks, URLs, command lines, credential files.

Must not know token prefixes or key names of pairs. Each pattern starts with a literal, because `re` then skips
through text at memory speed (over 1 GB/s measured) and costs nothing where the literal is absent.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Final, Protocol

import msgspec

from recapd.core import late_re as re
from recapd.core.secrets.names import BREAK, MARGIN
from recapd.core.secrets.values import (
    is_filled_in,
    is_key,
    is_left_open,
    is_made_up,
    is_password,
    is_reference,
    looks_random,
)
from recapd.core.secrets.view import Span


class Detector(Protocol):
    def __call__(self, view: bytearray, start: int) -> Iterator[Span]: ...


# A 4096-bit RSA key is 3.2 kB; with line prefixes and escapes still far below.
_LONGEST_KEY_BLOCK: Final = 16_384
_KEY_BEGIN: Final = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END: Final = re.compile(rb"-----END [A-Z0-9 ]{0,24}PRIVATE KEY")
# Lines of base64 with what tools put before a line: indentation, `+`, quotes, line numbers and an arrow.
_KEY_LINES: Final = re.compile(
    rb"(?>[^A-Za-z/=\x00]{0,24}+[A-Za-z0-9+/=]{20,}+)++"
    rb"(?:[^A-Za-z/=\x00]{0,24}+[A-Za-z0-9+/]{1,63}(?:={1,2}|(?=\x01?[\"']|[\xff\\]|\.\.\.|\Z)))?"
)
# One of them, masks within it included.
_KEY_LINE: Final = re.compile(rb"[^A-Za-z/=\x00\n]{0,24}+([A-Za-z0-9+/=\x00]++)[^A-Za-z0-9\n]{0,8}+")
_SHORTEST_KEY_LINE: Final = 20
_LEAST_KEY_LINES: Final = 2
_NO_KEY_LINE: Final = re.compile(rb"[^A-Za-z\n]{0,24}+")
# In code such a line is a string.
_QUOTES: Final = r"[\s\"'`,;(]{0,24}+", r"(?:\\n)?[\s\"'`,;+)\\]{0,8}+"
_FULL_KEY_LINE: Final = re.compile(r"([A-Za-z0-9+/]{60,80}+)".join(_QUOTES))
_LAST_KEY_LINE: Final = re.compile(r"([A-Za-z0-9+/]{20,79}+={0,2}|[A-Za-z0-9+/]{2,79}+={1,2})".join(_QUOTES))
_IS_MARKED: Final = re.compile(r"-----(?:BEGIN|END) ")
_PUTTY_LAST: Final = re.compile(
    rb"[^A-Za-z/=\x00]{0,24}+[A-Za-z0-9+/]{1,63}(?=[\s\x01\\]{1,8}[^A-Za-z\n]{0,16}Private-MAC)"
)
_KEY_HEADERS: Final = re.compile(
    rb"(?:[\s\x01+]{0,8}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^\r\n\x00\x01]{0,100})++"
)

_USER_INFO: Final = re.compile(
    rb"://([^\s/?#\"'<>`:@\x00\x01\\]{0,128}+)(?::([^\s/\"'<>`\x00\x01\\]{1,512}))?@[\w\[{$%-]"
)
_WEBHOOK: Final = re.compile(
    rb"://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{8,24}/"
    rb"|(?:[\w-]+\.)?(?:webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook)/"
    rb"|hooks\.zapier\.com/hooks/catch/|maker\.ifttt\.com/trigger/\w{1,64}/with/key/)([A-Za-z0-9@/_-]{16,})"
)
_KNOWN_DOC_PASSWORDS: Final = frozenset(b"pass password passwd pwd pw secret token key port credentials".split())
# In the patterns of flags the value is read to its end: a value has no space and a flag starts with one, so that no
# stretch of text is read twice.

_FLAG: Final = re.compile(
    rb" --?(?:[A-Za-z0-9]{1,20}-){0,4}"
    rb"(?:(password|passwd|passphrase|(?:(?:src|dest)?(?:store|key))?pass|pwd|pw)|token|secret|(?:api|access|secret)-?key)"
    rb"[ ]{1,2}"
    rb"([\"']?)([^\s\"'`\x00\x01]{4,})"
)
# Several words as one argument, of which none is a variable.
_PHRASE_FLAG: Final = re.compile(
    rb" --?(?:[A-Za-z0-9]{1,20}-){0,4}(?:password|passphrase|pass)[ =]{1,2}"
    rb"([\"'])([^\s\"'`$<{\x00\x01]{1,32}(?: [^\s\"'`$<{\x00\x01]{1,32}){2,11})\1"
)
_USER_FLAG: Final = re.compile(
    rb" -(?:u|U|-user|-proxy-user|a|-auth)[ =]?[\"']?([\w.@+\\-]{0,64}):([^\s\"':\x00\x01][^\s\"'\x00\x01]{2,})"
)
_SHORT_FLAG: Final = re.compile(rb" -([pPaw])([ ]?)([\"']?)([^\s\"'`\x00\x01-][^\s\"'`\x00\x01]{2,})")
_ATTACHED: Final = re.compile(rb"\b(?:mysql\w*|mariadb\w*|7za?|sqlcmd|sshpass)\b[^\n|\x00]{0,160}\Z")
_SPACED: Final = {
    b"p": re.compile(
        rb"\b(?:sshpass|(?:docker|podman|helm|oc|az|registry|nerdctl)\b[^\n|\x00]{0,80}\blogin|mongo\w*)\b[^\n|\x00]{0,160}\Z"
    ),
    b"P": re.compile(rb"\b(?:zip|unzip|sqlcmd|bcp)\b[^\n|\x00]{0,160}\Z"),
    b"a": re.compile(rb"\bredis-cli\b[^\n|\x00]{0,160}\Z"),
    b"w": re.compile(rb"\bldap\w+\b[^\n|\x00]{0,160}\Z"),
}
_SECURE_STRING: Final = re.compile(
    rb"SecureString (?:-String )?[\x01\\]{0,4}[\"']([^\s\"'\x00\x01\\]{3,128})[\x01\\]{0,4}[\"'][^\n|\x00]{0,40}\Z"
)
_STDIN_FLAG: Final = re.compile(rb" -(?:S|-password-stdin)\b")
_ECHOED: Final = re.compile(
    rb"echo (?:-n )?([\"']?)([^\s\"'`$|\x00\x01]{4,256})\1 {0,2}\| {0,2}"
    rb"(?:sudo\b[^\n|\x00]{0,20}|[\w./-]{1,40} login\b[^\n|\x00]{0,200})\Z"
)
# What programs that set passwords read: lines of `user:password`, or the password alone.
_PIPED: Final = re.compile(
    rb"(?:echo|printf)(?: -[neE]{1,3})? [\x01\\]{0,4}[\"']?([\w.@+-]{1,64}:)?([^\s\"'`$|:\x00\x01\\]{3,256})"
    rb"(?:[\x01\\]{1,4}\n?[^\s\"'|\x00]{0,256})?[\"']? {0,2}\| {0,2}(?:sudo )?[\w/]{0,24}\Z"
)
_HERE: Final = re.compile(
    rb"[^\n|;\x00]{0,40}?<<(?:< ?[\x01\\]{0,2}[\"']?|-?[ ]?[\"']?\w{1,24}[\"']?[\x01\\]{0,4}\n)(?=[\w.@+-]{1,64}:)"
)
_USER_LINE: Final = re.compile(
    rb"[ \t]{0,8}[\w.@+-]{1,64}:([^\s\"'`:\x00\x01\\]{3,256})[\"'\x01\\ \t\r]{0,8}(?:\n|(?=.|\Z))"
)
_MOST_USERS: Final = 64
_ARGUMENT: Final = (
    rb" {1,2}(?:\"[^\"\n\x00]{0,128}\"|'[^'\n\x00]{0,128}'|[^\s\"'|;&<>\x00\x01-][^\s\"'|;&<>\x00\x01]{0,128})"
)
_HTPASSWD: Final = re.compile(rb"((?: -[A-Za-z5]{1,8}(?: [0-9]{1,2})?){1,4})((?:" + _ARGUMENT + rb"){2,3})")
_ARGUMENTS: Final = re.compile(_ARGUMENT)
_NETWORK: Final = re.compile(rb"(" + _ARGUMENT + rb")(" + _ARGUMENT + rb")")

_NO_PASSWORD: Final = re.compile(rb"[0-9a-f-]+\Z|[0-9]{4}-[0-9]{2}|\w{1,40}=\w")
_ADDRESS: Final = rb"@[A-Za-z0-9-]{1,40}(?:\.[A-Za-z0-9-]{2,24}){0,3}\.[A-Za-z]{2,12}"
_MADE_UP: Final = rb"([^\s\"'`<>(){}\[\],;|/@:\x00\x01\\\xff-][^\s\"'`<>(){}\[\],;|/@:\x00\x01\\\xff]{7,63})"
_MAIL_AND_PASSWORD: Final = re.compile(
    _ADDRESS
    + rb"(?:[ \t]{1,4}(?:[:|/][ \t]{1,4})?|[:|][ \t]{0,4})[\"'`]?"
    + _MADE_UP
    + rb"(?=[\s\"'`,;)/\x01\\\xff]|\Z)"
)
# In the next line it stands alone.
_MAIL_OVER_PASSWORD: Final = re.compile(
    _ADDRESS + BREAK + MARGIN + rb"[\"'`]?" + _MADE_UP + rb"[\"'`]?(?=[ \t\r\x01\\]{0,4}(?:\n|\Z))"
)

_PGPASS: Final = re.compile(rb":5432:[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s:\"'\x00\x01]{3,})(?=[\s\x01\"'`]|\Z)")
_KUBE_DATA: Final = re.compile(rb"ata(?:(?<=[^A-Za-z_.-]data)|(?<=stringData))[\"']?:[\s\x01\\{]{1,8}")
_KUBE_ENTRY: Final = re.compile(
    rb"[^A-Za-z_.\x00]{0,32}+[\w.-]{1,128}[\x01\\\"']{0,4}: ?"
    rb"[\x01\\\"']{0,4}([^\s\x00\x01\"'\\,{}]{4,}|\x00+)[\x01\\\"']{0,4}"
)
# A Secret is one small document; both bounds keep the cost of each mention constant.
_KUBE_WINDOW: Final = 2_048
_KUBE_ENTRIES: Final = 256
_KUBE_BLOCKS: Final = 2
_QUERY_SIGNATURE: Final = re.compile(
    rb"://[^\s?\"'<>]{0,512}\?[^\s\"'<>/]{0,2048}?(?:sig|ignature)=([A-Za-z0-9%+/_=-]{16,})"
)
_BEARER: Final = re.compile(rb"earer ([A-Za-z0-9._~+/=-]{8,})")


def key_block(view: bytearray, start: int) -> Iterator[Span]:
    begin = _KEY_BEGIN.match(view, start)
    if begin is None:
        return
    limit = min(len(view), begin.end() + _LONGEST_KEY_BLOCK)
    following = view.find(b"-----BEGIN", begin.end(), limit)
    end = _KEY_END.search(view, begin.end(), following if following >= 0 else limit)
    headers = _KEY_HEADERS.match(view, begin.end())
    body = _KEY_LINES.match(view, headers.end() if headers else begin.end())
    if body is None:
        return
    stop = end.start() if end else body.end()
    while view[stop - 1 : stop] == b"\x01":
        stop -= 1
    yield Span(begin.end(), stop, "private-key")


def rest_of_key_block(view: bytearray, start: int) -> Iterator[Span]:
    """Lines before an end whose beginning is not to be seen."""
    before = view.rfind(b"-----", max(0, start - _LONGEST_KEY_BLOCK), start)
    low = before + len(b"-----") if before >= 0 else max(0, start - _LONGEST_KEY_BLOCK)
    last_break = view.rfind(b"\n", low, start)
    # The end may follow a margin, or the last line itself.
    line_end = last_break if last_break >= 0 and _NO_KEY_LINE.fullmatch(view, last_break + 1, start) else start
    first = last = short = None
    while line_end > low:
        line_start = max(view.rfind(b"\n", low, line_end) + 1, low)
        line = _KEY_LINE.fullmatch(view, line_start, line_end)
        if line is None:
            break
        # PGP ends with a checksum in a line of its own.
        is_nothing = not line[1].strip(b"\x00") or line[1].startswith(b"=")
        if len(line[1]) < _SHORTEST_KEY_LINE and not is_nothing:
            if first is not None or short is not None:
                break
            short = line
            if line[1].endswith(b"="):
                first = last = line
        elif not is_nothing:
            first, last = line, last or short or line
        line_end = line_start - 1
    if first is not None and last is not None:
        yield Span(first.start(1), last.end(1), "private-key")


def lines_of_keys(lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Rows, and from where to where in each: lines as keys have them, of which neither beginning nor end is to be seen.

    Of those whose beginning or end is, the secret ones are masked already.
    """
    full = list(map(_full_key_line, lines))
    widths = [len(found[1]) if found is not None else 0 for found in full]
    for width, same in groupby(range(len(lines)), key=widths.__getitem__):
        rows = list(same)
        first, following = rows[0], rows[-1] + 1
        around = (*lines[max(first - 1, 0) : first], *lines[following : following + 2])
        if not width or len(rows) < _LEAST_KEY_LINES or any(_IS_MARKED.search(line) for line in around):
            continue
        run = full[first:following]
        if following < len(lines) and (last := _LAST_KEY_LINE.fullmatch(lines[following])) and len(last[1]) < width:
            run.append(last)
        yield from ((first + number, *found.span(1)) for number, found in enumerate(run) if found is not None)


def _full_key_line(line: str) -> re.Match[str] | None:
    found = _FULL_KEY_LINE.fullmatch(line)
    # Digests have one case only.
    is_mixed = found is not None and not (found[1].islower() or found[1].isupper() or found[1].isalpha())
    return found if is_mixed else None


def url_credentials(view: bytearray, start: int) -> Iterator[Span]:
    webhook = _WEBHOOK.match(view, start)
    if webhook:
        yield Span(webhook.start(1), webhook.end(1), "webhook-url")
        return
    yield from _url_signature(view, start)
    info = _USER_INFO.match(view, start)
    if info is None:
        return
    user, password = info[1], info[2]
    if password is None:
        if len(user) >= 20 and looks_random(user, least=20) and not is_reference(user):
            kind = "sentry-dsn" if view[info.end() - 1 : info.end() + 64].find(b"sentry") >= 0 else "url-token"
            yield Span(info.start(1), info.end(1), kind)
        return
    if password.lower() in _KNOWN_DOC_PASSWORDS or is_reference(password) or is_left_open(password):
        return
    yield Span(info.start(2), info.end(2), "url-password")


def _url_signature(view: bytearray, start: int) -> Iterator[Span]:
    found = _QUERY_SIGNATURE.match(view, start)
    if found and looks_random(found[1], least=16):
        yield Span(found.start(1), found.end(1), "url-signature")


def bearer(view: bytearray, start: int) -> Iterator[Span]:
    found = _BEARER.match(view, start)
    if found and is_key(found[1], explicit=True):
        yield Span(found.start(1), found.end(1), "authorization")


def flag(view: bytearray, start: int) -> Iterator[Span]:
    if phrase := _PHRASE_FLAG.match(view, start):
        yield Span(phrase.start(2), phrase.end(2), "passphrase")
        return
    named = _FLAG.match(view, start)
    if named and not _STDIN_FLAG.match(view, start):
        explicit = bool(named[2]) or view[named.start(1) : named.end(1)].endswith((b"storepass", b"keypass"))
        judge = is_password if named[1] else is_key
        # What is in quotes is no code.
        value = named[3].replace(b".", b"-") if named[1] and named[2] else named[3]
        if not value.startswith((b"-", b"/", b".")) and judge(value, explicit=explicit):
            yield Span(named.start(3), named.end(3), "password" if named[1] else "token")
        return
    user = _USER_FLAG.match(view, start)
    if user:
        is_owner = user[2] == user[1] and b"curl" not in view[max(0, start - 240) : start]
        if not user[2].isdigit() and not is_owner and is_password(user[2], explicit=True):
            yield Span(user.start(2), user.end(2), "password")
        return
    if _STDIN_FLAG.match(view, start):
        yield from _echoed_password(view, start)
        return
    if view.startswith(b" -As", start):
        yield from _plain_text(view, start)
        return
    short = _SHORT_FLAG.match(view, start)
    if short is None or is_reference(short[4]):
        return
    command = view[max(0, start - 240) : start]
    context = _SPACED[bytes(short[1])] if short[2] else _ATTACHED
    if context.search(command):
        yield Span(short.start(4), short.end(4), "password")


def _plain_text(view: bytearray, start: int) -> Iterator[Span]:
    low = max(0, start - 240)
    found = _SECURE_STRING.search(view[low:start])
    if found and is_password(bytes(found[1]), explicit=True):
        yield Span(low + found.start(1), low + found.end(1), "password")


def _echoed_password(view: bytearray, start: int) -> Iterator[Span]:
    low = max(0, start - 480)
    found = _ECHOED.search(view[low:start])
    if found:
        yield Span(low + found.start(2), low + found.end(2), "password")


def command_input(view: bytearray, start: int) -> Iterator[Span]:
    """`echo me:… | chpasswd`, `chpasswd <<< me:…`, `htpasswd -b FILE me …`, `wpa_passphrase NET …`."""
    name = bytes(view[max(0, start - 13) : start + 1]).lower()
    if name.endswith(b"htpasswd"):
        yield from _htpasswd(view, start + 1)
        return
    if name.endswith(b"passphrase"):
        network = _NETWORK.match(view, start + 1)
        if network and not is_filled_in(network[2].strip(b" \"'")):
            yield _argument(network, 2)
        return
    low = max(0, start - 480)
    piped = _PIPED.search(view[low : start + 1 - len(b"passwd")].removesuffix(b"ch"))
    if piped and (piped[1] is not None) == name.endswith(b"chpasswd"):
        yield Span(low + piped.start(2), low + piped.end(2), "password")
    here = _HERE.match(view, start + 1) if name.endswith(b"chpasswd") else None
    position = here.end() if here else len(view)
    for _ in range(_MOST_USERS):
        line = _USER_LINE.match(view, position)
        if line is None or line.end() == position:
            return
        if not is_filled_in(line[1]):
            yield Span(line.start(1), line.end(1), "password")
        position = line.end()


def _htpasswd(view: bytearray, at: int) -> Iterator[Span]:
    found = _HTPASSWD.match(view, at)
    if found is None or b"b" not in found[1]:
        return
    arguments = list(_ARGUMENTS.finditer(view, found.start(2), found.end(2)))
    # Told to print what it makes, it takes no file.
    if len(arguments) == (2 if b"n" in found[1] else 3) and not is_filled_in(arguments[-1][0].strip(b" \"'")):
        yield _argument(arguments[-1], 0)


def _argument(found: re.Match[bytes], group: int) -> Span:
    """One argument without the space before it and its quotes."""
    text = found[group]
    start = found.start(group) + len(text) - len(text.lstrip(b" \"'"))
    return Span(start, found.start(group) + len(text.rstrip(b"\"'")), "password")


def mail_and_password(view: bytearray, start: int) -> Iterator[Span]:
    """An address, and beside or below it one word that nobody would write in a sentence."""
    found = _MAIL_AND_PASSWORD.match(view, start) or _MAIL_OVER_PASSWORD.match(view, start)
    if found is None or not is_made_up(found[1]) or _NO_PASSWORD.match(found[1]):
        return
    if view[start - 1 : start].isalnum() if start else False:
        yield Span(found.start(1), found.end(1), "password")


def putty_key(view: bytearray, start: int) -> Iterator[Span]:
    begin = start + len(b"Private-Lines:")
    body = _KEY_LINES.match(view, begin, min(len(view), begin + _LONGEST_KEY_BLOCK))
    if body:
        last = _PUTTY_LAST.match(view, body.end())
        yield Span(begin, last.end() if last else body.end(), "private-key")


def pgpass(view: bytearray, start: int) -> Iterator[Span]:
    found = _PGPASS.match(view, start)
    if found and is_password(found[1], explicit=True):
        yield Span(found.start(1), found.end(1), "password")


def kube_secret(view: bytearray, start: int) -> Iterator[Span]:
    low, high = max(0, start - _KUBE_WINDOW), min(len(view), start + _KUBE_WINDOW)
    previous, following = view.rfind(b"\n---", low, start), view.find(b"\n---", start, high)
    low = previous if previous >= 0 else low
    high = following if following >= 0 else high
    # One Secret has two blocks at most, before or after the word.
    before, after = list(_KUBE_DATA.finditer(view, low, start)), _KUBE_DATA.finditer(view, start, high)
    for block in (*before[-_KUBE_BLOCKS:], *islice(after, _KUBE_BLOCKS)):
        position = block.end()
        for _ in range(_KUBE_ENTRIES):
            entry = _KUBE_ENTRY.match(view, position)
            if entry is None:
                break
            if len(entry[1]) >= 8 and entry[1][0] and not is_reference(entry[1]):
                yield Span(entry.start(1), entry.end(1), "kubernetes-secret")
            position = entry.end()


class Structure(msgspec.Struct, frozen=True):
    """`literal` has to be in the text for `pattern` to be looked for, `pattern` for `detect` to be called there."""

    literal: bytes
    pattern: re.Pattern[bytes]
    detect: Detector


STRUCTURES: Final = (
    Structure(b"-----BEGIN ", re.compile(rb"-----BEGIN (?=[A-Z0-9 ]{0,40}PRIVATE)"), key_block),
    Structure(b"-----END ", re.compile(rb"-----END (?=[A-Z0-9 ]{0,24}PRIVATE KEY)"), rest_of_key_block),
    Structure(
        b"://",
        re.compile(
            rb"://(?=[^\s/\"'<>]{0,640}@|hooks\.|[\w.-]{0,40}(?:discord|office)|maker\."
            rb"|[^\s?\"'<>]{0,512}\?[^\s\"'<>/]{0,2048}?(?:sig|ignature)=)"
        ),
        url_credentials,
    ),
    Structure(b"earer ", re.compile(rb"earer (?=[\w.~+/=-]{8})"), bearer),
    Structure(
        b" -",
        re.compile(rb" -(?=[upPUaw][ =\"'\w]|S\b|AsPlainText|-?[\w-]{0,40}(?:pass|pwd|pw|token|secret|key|user|auth))"),
        flag,
    ),
    Structure(b"Private-Lines:", re.compile(rb"Private-Lines:"), putty_key),
    Structure(
        b"@",
        re.compile(rb"@(?=[\w.-]{3,80}(?:[ \t:|/]{1,5}|" + BREAK + MARGIN + rb")[\"'`]?[^\s0-9]{0,63}[0-9])"),
        mail_and_password,
    ),
    Structure(b":5432:", re.compile(rb":5432:(?=[\w.*-]{1,64}:[\w.*@-]{1,64}:)"), pgpass),
)
