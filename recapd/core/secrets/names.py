"""Owns the names of secrets: where a word for one stands before a value, and what the whole name promises.

Must not know values. A name that does not END in a word for a secret (`token_count`, `password_field`) names
something else.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from recapd.core import late_re as re

# The end of a line, also escaped once or twice, and what tools put before the next one.
BREAK: Final = rb"(?:\r|\\{1,2}r)?[\x01\\]{0,4}\n"
MARGIN: Final = rb"[ \t]{0,8}(?:[0-9]{1,6}[\xff:|\t])?[ \t>+*-]{0,24}"
# What follows the sign is looked at in the same pattern, because most signs in code are followed by a reference, a
# type or a call, and turning those away here costs a tenth of judging them.
_NO_VALUE: Final = (
    rb"(?![=>]?[ \t]{0,24}+(?:[\s${(\[<)#|,;]|[\x01\\]{1,4}\n|\Z|f[\"']|[a-z_]\w{0,40}+[(\[]"
    rb"|(?:await|new|lambda|not|if) |(?:self|this|process|os)\."
    rb"|(?:none|null|true|false|string|str|any|int|bool|number)\b"
    rb"(?! ?(?:\| ?(?:none|null|undefined) ?)?= ?[\x01\\]{0,4}[\"'])"
    rb"|(?<== )[a-z_.]{1,40}+(?:[\s,;)}\]]|\Z)))"
)
# Where no sign announces a value, only a word that is quoted or has a digit may be one.
_MAY_BE_VALUE: Final = (
    rb"(?=[\x01\\]{0,4}[\"'`][^\s.,;:)]|[^\s0-9\"'`\x00]{0,63}[0-9]|[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4}\b)"
)
_COPULA: Final = (
    rb"(?:(?:is|was|are|be|been|has|should|will|must|set|changed|reset|updated|now|to|as|equals"
    rb"|es|est|c'est|ist|lautet|adalah|ialah|l\xff|e|\xff|\xffr|er|je|este|ir|ay) ){1,3}"
)
_OF: Final = rb"(?:for|of|on|in|from|at|d[aeiou]|de[lrsn]|della?|f\xff?r|f\xffr|til|till|van|voor|vo[mn]|la)"
# A value in the next line or the one after it.
_NEXT_LINE: Final = (
    rb"[*_`]{0,2}[ \t]{0,4}(?:" + BREAK + MARGIN + rb"(?:```[a-z]{0,8}(?=[\x01\\\s]))?){1,2}"
    rb"(?=[\x01\\]{0,4}[`\"']?[^\s0-9`\"'\x00]{0,63}[0-9])"
)
# Whoever separates fields by commas, semicolons or tabs puts no spaces between them.
_ROW_OF_FIELDS: Final = (
    rb"(?=" + MARGIN + rb"(?:[^\s,;(){}=\x00]{1,40}[,;\t\\][^\s,;(){}=\x00]|[^\s,;:(){}=\x00]{1,64}  ))"
)
# From the word to the end of what announces the value; the group says how it does. Closing quotes and brackets,
# emphasis and alignment may stand between; a sign of another script (a wide colon, an arrow) counts. Alternatives are
# grouped by the byte that comes next, so that one look turns most of them away.
_LABELS_BEHIND: Final = (
    rb"_?[0-9]{1,3}|[_-](?:base|value|prod(?:uction)?|dev(?:elopment)?|test|staging|live|base64|b64|hex)"
)
_TO_VALUE: Final = re.compile(
    rb"(?:" + _LABELS_BEHIND + rb")?(?![a-z_])"
    rb"(?:(?P<kube>(?<=kind: secret)|(?<=kind\": \"secret)|(?<=kind\":\"secret))"
    rb"|(?P<command>(?<=chpasswd)|(?<=htpasswd)(?= -)|(?<=\| passwd)(?![ \t]{0,64}\|)"
    rb"|(?<=sudo passwd)|(?<=wpa_passphrase)(?= ))"
    rb"|(?P<tabs>\\{1,2}t[\w\\.\r\x01-]{1,200}+\n)"
    rb"|(?P<entry>[^a-z:=]{1,32}value[\"'\x01\\]{0,4}[ \t]?[:=])"
    rb"|[\"'`\]\x01\\)*?]{0,4}+[ \t]{0,24}+(?:"
    rb"(?=[:=>\xff,;|\r\n\x01\\*_`])(?:(?P<sign>[:=>\xff]" + _NO_VALUE + rb")"
    rb"|(?P<argument>,(?=[ \n]{0,24}[\x01\\]{0,3}[\"'`]))"
    rb"|(?P<cell>\|(?=[ \t`*]{0,24}[^\s0-9|\x00]{0,63}[0-9]))"
    rb"|(?P<column>(?:\|[^\n\x00]{0,200}+\n|" + BREAK + rb")(?=" + MARGIN + rb"[|+:]?[ \t]?[-=:]{3}))"
    rb"|(?P<below>[:=]?" + _NEXT_LINE + rb")"
    rb"|(?P<record>[,;][\w,;.\"-]{1,200}+" + BREAK + rb"|" + BREAK + _ROW_OF_FIELDS + rb"))"
    rb"|(?<=[ \t])(?:(?P<fields>(?<=\t)[\w\t.-]{1,200}+" + BREAK + rb")"
    rb"|(?P<spread>(?<=  )[a-z_-][a-z _-]{0,200}+" + BREAK + rb"(?=[^\n\x00]{1,200}?  ))"
    rb"|(?P<beneath>(?:is|are|was):" + _NEXT_LINE + rb")"
    rb"|(?P<said>" + _COPULA + _MAY_BE_VALUE + _NO_VALUE + rb")"
    rb"|(?P<owner>(?<=phrase )(?:for|of|to) [^\n:=?\x00]{1,40}?:(?= ))"
    rb"|(?P<about>"
    + _OF
    + rb" [^\n:=?\x00]{1,40}?(?:[:=]| (?:is|es|est|ist|e|\xff|\xffr|er|je|este)) "
    + _MAY_BE_VALUE
    + rb")"
    rb"|(?P<quoted>(?=[\x01\\]{0,4}[\"'][^\s\"':,=)\]+]))"
    rb"|(?P<spaced>(?<=\spassword.)(?=\S{0,64}?[^a-z\s.,;:'\"()]|[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4}\b)"
    rb"|(?:(?<=[_.-]password.)|(?<=_passwd.)|(?<=_pass.)|(?<=_pwd.)|(?<=_pw.)|(?<=_token.)|(?<=authtoken.)"
    rb"|(?<=_secret.)|(?<=_key.)|(?<=_pat.))(?=[^\s=:(){}\[\],.]))))"
    rb"|(?=[(/])(?:(?P<call>\((?=[\x01\\]{0,4}[\"'][^\s\"']|[^\s()\"']{6,64}\)))|(?P<path>/(?=[a-z_-]{0,40}[0-9])(?=[\w-]{16}))))"
)
# One pattern per rare inner letter of the words, since `re` looks for a single first byte at memory speed but walks
# an alternation at a tenth of that; and alternatives that begin with a letter are turned away by it. What is no name
# has a group that says how it announces a value.
_WORDS: Final = (
    # token, key, cookie, psk; Indonesian, Malay, Hausa, Danish, and Croatian with its neighbours
    (
        rb"k(?:e[ny]|ie|(?P<foreign>ata (?:sandi(?:nya)?|laluan)|almar (?:sirri|wucewa)|[aeu](?<=lozink.)"
        rb"|ode(?<=adgangskode)n?)|(?<=psk))"
    ),
    # password, passwd, pwd, pw; German, Dutch; seed words, recovery words, the seed of a wallet
    (
        rb"w(?:d(?<=[ps]wd)|or(?:[dt](?:(?<=sswor.)|(?<=nnwort))|d(?P<words>s)(?<=[dy] words))|achtwoord"
        rb"|allet(?P<wallet> seed)|(?<=pw))"
    ),
    # secret, credential
    rb"cre(?:t|d(?:ential)?s?)",
    # Portuguese, Spanish
    rb"sen(?:ha|a(?<=contrasena))",
    # auth, authorization
    rb"uth(?:orization)?",
    # pass, passphrase, personal access token; Norwegian, French, Italian, Turkish, Latvian, Estonian; seed phrase,
    # recovery phrase
    (
        rb"p(?:h(?P<phrase>rase)|a(?:ss(?:phrase|code|ord(?:et)?|e)?|t(?<=_pat)|rol(?:e|a(?P<ordine> d['\xff]ordine)?)"
        rb"|(?P<parool>rool|labra clave)))"
    ),
)
# Most words go on (`keys`, `token_count`, `auth.py`), and are left at once.
_GOES_NOT_ON: Final = rb"(?:(?![a-z_.;{}])|(?=" + _LABELS_BEHIND + rb")|(?<=hpasswd))"
_FINDERS: Final = tuple(re.compile(word + _GOES_NOT_ON).finditer for word in _WORDS)
# Below this size starting six patterns costs more than walking one.
_SHORT_TEXT: Final = 256
_FINDERS_SHORT: Final = (re.compile(rb"(?:" + rb"|".join(_WORDS) + rb")" + _GOES_NOT_ON).finditer,)
# Rare, and `in` is the quickest to say so: another word before a phrase of many words, Swahili, how SQL gives a
# password, Finnish; Czech, Slovak and Slovene.
_LEAST_RARE: Final = len(b"heslo: abc12")
_RARE: Final = (
    (b"mnemonic", re.compile(rb"(?P<phrase>mnemonic)").finditer),
    (b"seed: ", re.compile(rb"(?P<phrase>\bseed)(?=: )").finditer),
    (b"siri", re.compile(rb"(?P<foreign>neno(?: la )?siri)").finditer),
    (
        b"identified ",
        re.compile(rb"(?P<sql>identified (?:with [\w'\"]{1,40} )?by )(?=\S)").finditer,
    ),
    (b"salasana", re.compile(rb"(?P<foreign>salasana(?:ni|si|mme|nne|nsa)?)").finditer),
    (b"eslo", re.compile(rb"(?P<foreign>\b[hg]eslo)\b").finditer),
)
# Between a user and a password. What stands before it is looked at from there: looking for one of its words in all of a
# text would go through all of it.
_SLASH: Final = b" / "
_LOGIN: Final = re.compile(
    rb"\b(?:log(?:ged)?[ -]?in|sign(?:ed)?[ -]?in|account|user)s?"
    rb"(?:[a-z ]{0,16}[*_`\"'\x01\\]{0,4}[:=]| (?:with|as|using|by))[ *_`\"'\x01\\]{1,6}"
    rb"[\w.@+-]{2,64}[*_`\"'\x01\\]{0,4} / [*_`\"'\x01\\]{0,4}(?=[^\s/])"
)
# As much as the pattern may take before the slash and behind it.
_BEFORE_SLASH: Final = 106
_BEHIND_SLASH: Final = 8
# How people say what is to be a password, before the word itself and behind it. The word is looked for first: blanks
# are in all of a text.
_SAID_AS: Final = re.compile(rb" (?=as (?:(?:the|my|a|an|your|its|our|new) ){0,2}(?:[a-z]{1,12} )?\Z)")
# As much as that may take.
_BEFORE_WORD: Final = 28
_ENDING_WORD: Final = re.compile(
    rb"pass(?:word|phrase|code)"
    rb"(?=[.,;:!?)\x01\\\n]|\Z| (?:for|and|on|in|at|to|there|here|then|now|please)\b)"
)

_NAME_BYTES: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_LONGEST_NAME: Final = 96
_NAME: Final = re.compile(rb"[\w.-]{1,96}")
# Words before a name that belong to it: `API key`, `secret access key`.
_SPOKEN: Final = re.compile(rb"(?:[A-Za-z]{1,12} ){1,2}\Z")
_NAME_WORDS: Final = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_LABELS: Final = frozenset(b"prod production dev development test staging live base64 b64 hex base value".split())

# A key or token of these is an index, a position or a piece of text.
_NO_KEY: Final = frozenset(
    b"public publishable primary foreign unique composite candidate natural surrogate cache sort partition shard hash"
    b" range group row object routing idempotency lookup dedupe map dict json yaml enum message translation query react"
    b" list item config state event shortcut hot arrow enter escape tab function meta modifier registry column field"
    b" parent child this that the a an each same any no by new next first last storage node index image file".split()
)
_NO_TOKEN: Final = frozenset(
    b"next page continuation pagination sync cursor cancellation cancel eos bos pad sep mask unk stop special per each"
    b" the a an this that of max min no by image current previous prev first last syntax parser lexer string number"
    b" operator identifier keyword design color css theme unexpected invalid output input one every".split()
)
# Short for a pattern, not for a personal access token.
_NO_PAT: Final = frozenset(b"file path name match search glob re regex url include exclude line date ignore".split())
_ENDS: Final = re.compile(
    rb"(?:(?P<password>password|passwort|passwd|passphrase|passcode|passord(?:et)?|pwd"
    rb"|motdepasse|palavrapasse|kennwort|wachtwoord|senha|contrasena|parol[ae]"
    rb"|(?:db|user|admin|root|mysql|smtp|imap|mail|redis|ftp|ssh|pg|sql|http|proxy|ldap|vpn|wifi|store|key|my)pass)"
    rb"|(?P<aws>secretaccesskey|awssecretkey|awssessiontoken)"
    rb"|(?P<azure>accountkey|sharedaccesskey|sharedaccesssignature|storagekey)"
    rb"|(?P<private>privatekey|presharedkey|signingkey|encryptionkey|masterkey|sshkey|deploykey)"
    rb"|(?P<apikey>(?:api|access|app|application|auth|service|role|license|admin|subscription|integration|write|server"
    rb"|shared)key)"
    rb"|(?P<secret>secret|secretkey|credentials?|creds?)|(?P<token>token)"
    rb"|(?P<header>authorization)|(?P<cookie>cookie)|(?P<auth>auth)|(?P<weak>key))\Z"
)


class Name(msgspec.Struct, frozen=True):
    """A name and the sign after it.

    `group` is what the name promises, `sign` the byte between name and value, `before` a little of what precedes.
    """

    text: bytes
    group: str
    sign: int
    before: bytes
    value_at: int
    is_entry: bool = False


def names_in(raw: bytes) -> list[tuple[int, int, str]]:
    """Places of words for secrets, of the last byte before each one's value, and how the value is announced."""
    lower, to_value = raw.lower(), _TO_VALUE.match
    names = []
    for finder in _FINDERS_SHORT if len(raw) < _SHORT_TEXT else _FINDERS:
        for word in finder(lower):
            found = word if word.lastgroup else to_value(lower, word.end())
            if found is not None:
                names.append((word.start(), found.end() - 1, str(found.lastgroup)))
    if len(raw) >= _LEAST_RARE:
        for literal, finder in _RARE:
            if literal in lower:
                names += [(found.start(), found.end() - 1, str(found.lastgroup)) for found in finder(lower)]
        names += _said_before(lower)
        names += _logins_in(lower)
    return names


def _said_before(lower: bytes) -> Iterator[tuple[int, int, str]]:
    """Where a value stands before "as the password": the blank behind it, twice."""
    for word in _ENDING_WORD.finditer(lower):
        for blank in _SAID_AS.finditer(lower, max(word.start() - _BEFORE_WORD, 0), word.start()):
            yield blank.start(), blank.start(), "before"


def _logins_in(lower: bytes) -> Iterator[tuple[int, int, str]]:
    """Where a user stands before a password, and the last byte before that. None of them reaches over another slash."""
    behind_last = 0
    while (slash := lower.find(_SLASH, behind_last)) >= 0:
        found = _LOGIN.search(lower, max(slash - _BEFORE_SLASH, behind_last), slash + _BEHIND_SLASH)
        if found is not None:
            yield found.start(), found.end() - 1, "login"
        # The blank behind a slash may be the one before the next.
        behind_last = slash + 2


def name_at(view: bytearray, word: int, sign: int) -> Name | None:
    """The name around `word` whose sign is at `sign`, if it promises a secret."""
    low = max(0, word - _LONGEST_NAME)
    start = low + len(view[low:word].rstrip(_NAME_BYTES))
    found = _NAME.match(view, start)
    if found is None or found.end() > sign:
        return None
    before = bytes(view[max(0, start - 32) : start])
    spoken = _SPOKEN.search(before) if before.endswith(b" ") else None
    words = [w.lower() for w in _NAME_WORDS.findall((spoken[0] if spoken else b"") + found[0])]
    group = _promise(words)
    if group is None and before.endswith(b"\\") and words:
        # The first letter may be that of an escape: `\\tpsk=`.
        group = _promise([words[0][1:], *words[1:]])
    if group is None or _is_no_pair(before, found[0], view[sign]):
        return None
    return Name(
        text=bytes(found[0]),
        group=group,
        sign=view[sign],
        before=before,
        value_at=sign + 1,
        is_entry=b"value" in view[found.end() : sign].lower(),
    )


def _promise(words: list[bytes]) -> str | None:
    while words and (words[-1].isdigit() or words[-1] in _LABELS):
        words.pop()
    if not words:
        return None
    last, qualifier = words[-1], words[-2] if len(words) > 1 else b""
    if last in (b"pass", b"pw", b"psk"):
        return "password"
    if last == b"pat":
        return "token" if qualifier and qualifier not in _NO_PAT else None
    found = _ENDS.search(b"".join(words))
    if found is None:
        return None
    if (last == b"key" and qualifier in _NO_KEY) or (last == b"token" and qualifier in _NO_TOKEN):
        return None
    return found.lastgroup


def _is_no_pair(before: bytes, name: bytes, sign: int) -> bool:
    """`passed ? 'pass' : 'fail'`, `${TOKEN:-default}`, `--- PASS: TestSha256`, `Event::Pass => 1`; `pw` by chance."""
    if (name == b"PASS" and sign != 0x3D) or (len(name) == 2 and (sign == 0xFF or before.endswith(b"\xff"))):
        return True
    return before.endswith(b"::") or (sign == 0x3A and before.rstrip(b" \t\"'`").endswith((b" ?", b"${")))
