"""What of a prompt is the human's own (not the quoted lines, the mail below, the signature), and whether that asks for
something, or only greets, nods or nudges.

Must not know: Markdown but for its fences, what the words are about.
"""

from typing import Final

from recapd.core import late_re as re
from recapd.core.text.markdown import is_fence

# ">>>" is a Python prompt, not a quote of a quote of a quote; a lone ">" may be the end of a tag.
_QUOTE_RE: Final = re.compile(r" {0,3}>{1,2} +\S")
_BLANK_QUOTE_RE: Final = re.compile(r" {0,3}>{1,2}\s*$")
_ATTRIBUTION_STARTS: Final = ("On ", "Am ", "Le ", "El ", "Em ", "Il ", "Op ")
_ATTRIBUTION_END_RE: Final = re.compile(
    r"\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef)\b[^:]{0,80}:\s*$"
)
_ATTRIBUTION_LINES: Final = 3  # mail programs wrap it
_ATTRIBUTION_CHARS: Final = 300
_QUOTED_MAIL_RE: Final = re.compile(
    r"\s*-{2,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)\s?-"
)
_FROM_RE: Final = re.compile(r"\*{0,2}(?:From|Von|De|Da|Van):")
_HEADER_RE: Final = re.compile(
    r"\*{0,2}(?:Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto):"
)
_DEVICE_RE: Final = re.compile(r"\s*(?:Sent from my |Get Outlook for |Von meinem \w+ gesendet|Envoyé de mon )")
# Without a line that begins so there is neither quote nor signature; most prompts have none. The newline before a line
# is what a search finds fastest.
_REPLY_SIGN_RE: Final = re.compile(
    r"\n[^\S\n]*(?:>|--|\*{0,2}(?:From|Von|De|Da|Van):|Sent from |Get Outlook |Von meinem |Envoyé de )"
)
_SIGNATURE_LINES: Final = 8  # more than that behind "-- " is text

# Prompts that carry no request of their own.
_SMALL_TALK: Final = frozenset(
    (
        "hi hello hey yo test testing ping yes no y n ok okay sure thanks thx thank you go on ahead continue proceed "
        "next resume retry again try it that this do so good great nice cool done stop wait please help start begin "
        "greetings there morning evening "
        "hallo hola salut bonjour ciao ja nein si oui 你好 继续 好的 好 是 是的 はい 続けて "
        "お願いします よろしくお願いします ありがとう 可以 行 谢谢 네 예 계속 계속해줘 "
        "да нет спасибо продолжай продолжи давай sim obrigado gracias danke weiter merci"
    ).split()
)
_MARKS: Final = ".,!?:;。！？"
# Words that point at something said before, and words for handing in what was done.
_POINTING: Final = frozenset("it this that these those them all both everything and then now just also the".split())
_HANDING_IN: Final = frozenset("push commit merge ship".split())
_SAYS_NOTHING_ALONE: Final = _SMALL_TALK | _POINTING | _HANDING_IN


def strip_quoted_reply(text: str) -> str:
    """The user's own words in a reply: without quoted lines, the quoted mail below and the signature.

    Careful: fenced code is left alone, one header line does not make a mail, and a text that is nothing but quotation
    comes back whole.
    """
    # A single line cannot be but a part of itself.
    if "\n" not in text or _REPLY_SIGN_RE.search("\n" + text) is None:
        return text
    lines = text.split("\n")
    own: list[str] = []
    is_mail = in_fence = False
    at = 0
    while at < len(lines):
        if is_fence(lines[at]):
            in_fence = not in_fence
        quote = 0 if in_fence else _end_of_attribution(lines, at)
        if quote:
            is_mail, at = True, quote
            continue
        if not in_fence and _starts_quoted_mail(lines, at):
            is_mail = True
            break
        if in_fence or not _is_quote(lines, at):
            own.append(lines[at])
        at += 1
    _drop_signature(own, is_mail=is_mail)
    if len(own) == len(lines):
        return text
    return re.sub(r"\n{3,}", "\n\n", "\n".join(own)).strip() or text


def _is_quote(lines: list[str], at: int) -> bool:
    if _QUOTE_RE.match(lines[at]):
        return True
    neighbours = lines[max(at - 1, 0) : at] + lines[at + 1 : at + 2]
    return bool(_BLANK_QUOTE_RE.match(lines[at])) and any(map(_QUOTE_RE.match, neighbours))


def _end_of_attribution(lines: list[str], at: int) -> int:
    """The line behind "On ... wrote:" when quoted lines follow it, else 0."""
    if not lines[at].startswith(_ATTRIBUTION_STARTS):
        return 0
    for end in range(at + 1, min(at + _ATTRIBUTION_LINES, len(lines)) + 1):
        joined = " ".join(lines[at:end])
        if len(joined) > _ATTRIBUTION_CHARS:
            return 0
        if _ATTRIBUTION_END_RE.search(joined) and any(map(str.isdigit, joined)):
            while end < len(lines) and not lines[end].strip():
                end += 1
            return end if end < len(lines) and lines[end].lstrip().startswith(">") else 0
    return 0


def _starts_quoted_mail(lines: list[str], at: int) -> bool:
    """A divider that mail programs write, or a block of mail headers that begins with the sender."""
    if _QUOTED_MAIL_RE.match(lines[at]):
        return True
    return bool(_FROM_RE.match(lines[at])) and sum(bool(_HEADER_RE.match(line)) for line in lines[at + 1 : at + 5]) >= 2


def _drop_signature(lines: list[str], *, is_mail: bool) -> None:
    # In a chat a bare "--" is a divider; in a mail it is a signature mark that lost its space.
    for at in range(len(lines) - 1, max(len(lines) - 2 - _SIGNATURE_LINES, 0), -1):
        if is_fence(lines[at]):
            return
        if lines[at] == "-- " or (is_mail and lines[at].rstrip() == "--"):
            del lines[at:]
            return
    last = next((at for at in range(len(lines) - 1, 0, -1) if lines[at].strip()), 0)
    if last and _DEVICE_RE.match(lines[last]):
        del lines[last:]


def stands_alone(text: str) -> bool:
    """Whether a prompt says by itself what it is about, unlike "yes" or "push it": fit to name a conversation."""
    words = [word.strip(_MARKS) for word in text.lower().split()]
    own = [word for word in words if word and word not in _SAYS_NOTHING_ALONE]
    return is_substantive(text) and (len(own) > 1 or len(own) == len(words))


def is_substantive(text: str) -> bool:
    """Whether a prompt asks for something, rather than greeting, nodding or nudging."""
    words = text.lower().strip(" .!?,。！？…").split()
    if not words:
        return False
    if all(word.strip(_MARKS) in _SMALL_TALK for word in words):
        return False
    return len(words) >= 2 or (len(words[0]) >= 4 and not words[0].isdecimal())
