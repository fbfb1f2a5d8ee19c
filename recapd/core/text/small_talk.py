"""Prompts that greet, nod or nudge, told from those that ask for something."""

from __future__ import annotations

# Prompts that carry no request of their own.
_SMALL_TALK = frozenset(
    (
        "hi hello hey yo test testing ping yes no y n ok okay sure thanks thx thank you go on ahead continue proceed "
        "next resume retry again try it that this do so good great nice cool done stop wait please help start begin "
        "greetings there morning evening "
        "hallo hola salut bonjour ciao ja nein si oui 你好 继续 好的 好 是 是的 はい 続けて "
        "お願いします よろしくお願いします ありがとう 可以 行 谢谢 네 예 계속 계속해줘 "
        "да нет спасибо продолжай продолжи давай sim obrigado gracias danke weiter merci"
    ).split()
)
_MARKS = ".,!?:;。！？"
# Words that point at something said before, and words for handing in what was done.
_POINTING = frozenset("it this that these those them all both everything and then now just also the".split())
_HANDING_IN = frozenset("push commit merge ship".split())
_SAYS_NOTHING_ALONE = _SMALL_TALK | _POINTING | _HANDING_IN


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
