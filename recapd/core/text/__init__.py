"""One kit for text: cutting, sentences, words, names, Markdown, tokens; and text from logs made fit to be shown."""

from recapd.core.text.budget import Part, drop_to_fit, take_fitting, take_until_full
from recapd.core.text.closing import Closing, closing_of
from recapd.core.text.cut import (
    ELLIPSIS,
    RAW_CHARS,
    beginning,
    clip,
    grapheme_cut,
    head_tail,
    one_line,
    sentence_cut,
    word_cut,
)
from recapd.core.text.excerpts import excerpt, presentable, presentable_path
from recapd.core.text.gist import (
    READ_CHARS,
    Piece,
    gist_of,
    narrates,
    pieces_of,
    tells,
    words_of_sentence,
)
from recapd.core.text.likeness import Counts, Features, Rarity, Vector, counts_of, features_of, similarity, subjects_in
from recapd.core.text.markdown import BY_HAND, blocks_in, lines_in, paragraphs_in, plain, without_code
from recapd.core.text.markers import (
    CLOSE,
    OPEN,
    ORIENTATION_HEADER,
    PAGE_HEADS,
    SEPARATOR,
    asking,
    fenced,
    unfenced,
    without_own_text,
)
from recapd.core.text.names import code_in, identifiers_in, names_in, subject_names_in
from recapd.core.text.offers import deed_from
from recapd.core.text.pasted import without_output
from recapd.core.text.prompts import is_substantive, stands_alone, strip_quoted_reply
from recapd.core.text.questions import question_in
from recapd.core.text.sections import pending_in, requested_in
from recapd.core.text.sentences import first_sentence, sentence_ends, sentences_of, statement_spans
from recapd.core.text.stop_words import STOP_WORDS, without_filler
from recapd.core.text.tags import tagged
from recapd.core.text.terms import HeardTerms, Room, Statement, Terms, chosen, terms_of, weights_of
from recapd.core.text.tokens import count_for_budget, estimate_tokens, fit_tokens, token_share
from recapd.core.text.whole import (
    WHOLE_CHARS,
    Whole,
    first_words,
    goes_on,
    points_back,
    statements_in_order,
    whole_statements,
)
from recapd.core.text.words import UNSPACED_RE, spelled_words_in, spoken_words_in, word_rule, words_in

__all__ = [
    "BY_HAND",
    "CLOSE",
    "ELLIPSIS",
    "OPEN",
    "ORIENTATION_HEADER",
    "PAGE_HEADS",
    "RAW_CHARS",
    "READ_CHARS",
    "SEPARATOR",
    "STOP_WORDS",
    "UNSPACED_RE",
    "WHOLE_CHARS",
    "Closing",
    "Counts",
    "Features",
    "HeardTerms",
    "Part",
    "Piece",
    "Rarity",
    "Room",
    "Statement",
    "Terms",
    "Vector",
    "Whole",
    "asking",
    "beginning",
    "blocks_in",
    "chosen",
    "clip",
    "closing_of",
    "code_in",
    "count_for_budget",
    "counts_of",
    "deed_from",
    "drop_to_fit",
    "estimate_tokens",
    "excerpt",
    "features_of",
    "fenced",
    "first_sentence",
    "first_words",
    "fit_tokens",
    "gist_of",
    "goes_on",
    "grapheme_cut",
    "head_tail",
    "identifiers_in",
    "is_substantive",
    "lines_in",
    "names_in",
    "narrates",
    "one_line",
    "paragraphs_in",
    "pending_in",
    "pieces_of",
    "plain",
    "points_back",
    "presentable",
    "presentable_path",
    "question_in",
    "requested_in",
    "sentence_cut",
    "sentence_ends",
    "sentences_of",
    "similarity",
    "spelled_words_in",
    "spoken_words_in",
    "stands_alone",
    "statement_spans",
    "statements_in_order",
    "strip_quoted_reply",
    "subject_names_in",
    "subjects_in",
    "tagged",
    "take_fitting",
    "take_until_full",
    "tells",
    "terms_of",
    "token_share",
    "unfenced",
    "weights_of",
    "whole_statements",
    "without_code",
    "without_filler",
    "without_output",
    "without_own_text",
    "word_cut",
    "word_rule",
    "words_in",
    "words_of_sentence",
]
