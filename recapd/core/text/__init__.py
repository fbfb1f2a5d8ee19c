"""One kit for text: cutting, sentences, words, names, Markdown, tokens; and text from logs made fit to be shown."""

from recapd.core.text.beginnings import RAW_CHARS, beginning
from recapd.core.text.cut import (
    ELLIPSIS,
    clip,
    first_sentence,
    grapheme_cut,
    head_tail,
    one_line,
    sentence_cut,
    strip_quoted_reply,
    word_cut,
)
from recapd.core.text.excerpts import excerpt, presentable, presentable_path
from recapd.core.text.gist import (
    READ_CHARS,
    Piece,
    gist_of,
    leaves_open,
    names_in,
    narrates,
    pieces_of,
    plain,
    sentences_of,
    tells,
)
from recapd.core.text.likeness import Counts, Rarity, Vector, counts_of, similarity, subjects_in
from recapd.core.text.markers import (
    CLOSE,
    OPEN,
    ORIENTATION_HEADER,
    SEPARATOR,
    asking,
    fenced,
    unfenced,
    without_own_text,
)
from recapd.core.text.questions import question_in
from recapd.core.text.small_talk import is_substantive, stands_alone
from recapd.core.text.stop_words import STOP_WORDS, without_filler
from recapd.core.text.tokens import count_for_budget, estimate_tokens, fit_tokens, token_share
from recapd.core.text.words import UNSPACED_RE, spelled_words_in, spoken_words_in, word_rule, words_in

__all__ = [
    "CLOSE",
    "ELLIPSIS",
    "OPEN",
    "ORIENTATION_HEADER",
    "RAW_CHARS",
    "READ_CHARS",
    "SEPARATOR",
    "STOP_WORDS",
    "UNSPACED_RE",
    "Counts",
    "Piece",
    "Rarity",
    "Vector",
    "asking",
    "beginning",
    "clip",
    "count_for_budget",
    "counts_of",
    "estimate_tokens",
    "excerpt",
    "fenced",
    "first_sentence",
    "fit_tokens",
    "gist_of",
    "grapheme_cut",
    "head_tail",
    "is_substantive",
    "leaves_open",
    "names_in",
    "narrates",
    "one_line",
    "pieces_of",
    "plain",
    "presentable",
    "presentable_path",
    "question_in",
    "sentence_cut",
    "sentences_of",
    "similarity",
    "spelled_words_in",
    "spoken_words_in",
    "stands_alone",
    "strip_quoted_reply",
    "subjects_in",
    "tells",
    "token_share",
    "unfenced",
    "without_filler",
    "without_own_text",
    "word_cut",
    "word_rule",
    "words_in",
]
