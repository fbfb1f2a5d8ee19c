"""What a reader (a model that the user chose) is asked of a session, and whether its answer is true. Pure.

    script    the conversation as it is shown: words whole, calls in a line each, in pieces
    prompt    what is asked: decisions, what became of them, the recap
    answer    the answer checked against the lines: quotes found, claims placed, or dropped and counted

What comes of it is a Reading (core.state.reading); the ledger and the recap take it in the place of guesses.
"""

from recapd.core.reading.answer import Asked, find_quote, read_answer, with_usage
from recapd.core.reading.prompt import ANSWER_TOKENS, reading_prompt
from recapd.core.reading.script import Line, Piece, first_unread, lines_of, pieces_of, still_read, unread_messages

__all__ = [
    "ANSWER_TOKENS",
    "Asked",
    "Line",
    "Piece",
    "find_quote",
    "first_unread",
    "lines_of",
    "pieces_of",
    "read_answer",
    "reading_prompt",
    "still_read",
    "unread_messages",
    "with_usage",
]
