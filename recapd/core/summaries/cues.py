"""Words by which a sentence is known as a commitment, an open question, something the user shared, or a tone.

English only: of other languages only what stands in ledgers is found. Repetition is bounded, so the cost is linear.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re

_REST: Final = r"[^.!?\n]"
_DAY: Final = (
    r"(?:tomorrow|tonight|later|afterwards?|next (?:week|time|sprint|session|month)|soon|"
    r"(?:on |by |before |until )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|by \w+ \d{1,2}|in a follow[- ]?up)"
)
_WILL: Final = r"(?:i'll|i will|we'll|we will)"
_LATER: Final = rf"\b{_WILL}\b{_REST}{{0,120}}\b{_DAY}\b"

# An agent says "I'll" with every step; only what is put off is a commitment.
AGENT_COMMITS_RE: Final = re.compile(
    rf"{_LATER}|\b{_DAY}\b{_REST}{{0,60}}\b{_WILL}\b"
    rf"|\b(?:we (?:still )?need to|remember to)\b{_REST}{{0,120}}\b{_DAY}\b"
    r"|\b(?:follow[- ]up|next steps?|still to do|remaining work|to ?do)\s*(?:is|are|:)",
    re.IGNORECASE,
)
USER_COMMITS_RE: Final = re.compile(
    r"\b(?:remind me|don't forget|do not forget|remember to|(?:my|the|our) goal is|i promised?|i plan to|"
    r"i'm planning to|i(?:'ll| will) get back|follow[- ]up)\b"
    rf"|\bi (?:told|assured|swore|said|agreed)\b{_REST}{{0,60}}\bi(?:'d|'ll| would| will)\b"
    rf"|\b(?:i want to|we have to)\b{_REST}{{1,80}}\b(?:by|before|until)\b"
    rf"|{_LATER}",
    re.IGNORECASE,
)
OPEN_RE: Final = re.compile(
    r"\b(?:open questions?|unresolved|still unclear|not (?:yet )?decided|undecided|to be decided|tbd|"
    r"need to figure out|(?:don't|do not) know yet|remains to be|we should revisit|"
    r"come back to (?:this|that|it))\b",
    re.IGNORECASE,
)
_MINE: Final = (
    "team company boss manager wife husband partner son daughter kids? mother father job role project machine laptop "
    "editor birthday deadline e-?mail timezone customers? users? favou?rite"
).replace(" ", "|")
_OURS: Final = "team company customers? users? deadline release staging production database stack".replace(" ", "|")
USER_FACT_RE: Final = re.compile(
    r"\b(?:my name is|call me|i(?: am|'m) (?:a|an|the|from|based|working on)\b"
    r"|i (?:work|live|study|teach|maintain|use|prefer|always|never|usually|have been|was born|moved|own|lead|manage)\b"
    rf"|my (?:{_MINE})\b{_REST}{{0,40}}\b(?:is|are|has|have|was|called|named|starts?|ends?)\b"
    rf"|our (?:{_OURS})\b{_REST}{{0,40}}\b(?:is|are|has|have|runs?|uses?)\b)",
    re.IGNORECASE,
)
# Who tells of oneself.
FIRST_PERSON_RE: Final = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
# A name of somebody or somewhere, or a day: a capital within a sentence, or a number that stands alone.
NAMED_RE: Final = re.compile(r"(?<=[a-zß-ÿ,;:)] )(?!(?:I|I'm|I've|I'll|I'd)\b)[A-ZÀ-Þ][\w'’-]+|\b\d{1,4}\b")
TONES: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "appreciative": r"thanks|thank you|great|perfect|awesome|love it|nice work|well done|excellent|brilliant",
        "frustrated": r"frustrat\w+|annoy\w+|still (?:doesn't|does not|not) work\w*|why (?:did|are|do) you|"
        r"i (?:already )?told you|that's wrong|ugh|wtf|stop doing|this is (?:wrong|bad|broken)|disappoint\w+",
        "anxious": r"worried|anxious|overwhelmed|stress\w*|nervous|afraid|scared|panic\w*|exhausted",
        "uncertain": r"not sure|unsure|i wonder|maybe we|i don't know|confus\w+|hesitant",
        "urgent": r"asap|urgent\w*|immediately|right now|deadline|hurry|quickly",
        "excited": r"excited|can't wait|thrilled|so happy|amazing",
    }.items()
}
