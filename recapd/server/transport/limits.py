"""How much one connection may ask for, how long it may take, and who is on the other end. Numbers and nothing else."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Transport: TypeAlias = Literal["stdio", "unix", "tcp"]


class Limits(Struct, frozen=True, kw_only=True):
    """What a connection is allowed. Tests inject smaller ones."""

    # Real headers have one or two short lines.
    header_line_bytes: int = 8 * 1024
    header_bytes: int = 16 * 1024
    # The largest honest request carries a prompt; the largest `initialize` seen has 40 KB.
    body_bytes: int = 8 << 20
    # Longer ones are read past where they tell of a document, which may be a log that somebody looks at.
    passed_bytes: int = 512 << 20
    # Ours nest 6 deep, an editor's capabilities 12.
    nesting: int = 128
    # Requests that wait for a thread or an import; the rest is answered as it is read.
    pending_requests: int = 64
    # What takes longer is given up: nobody still looks at the answer. The first recap of the longest sessions takes a
    # quarter of that.
    answer_s: float = 60.0
    # One per open view of an editor, with room to spare; each may hold a list of sessions.
    subscriptions: int = 128
    # Of those, how many are worked on at once. Each holds its answer until there is room for it in what waits to be
    # sent, so this also bounds what a client that does not read makes recapd hold; the others keep their threads.
    working_requests: int = 4
    # A page of a long list has half a megabyte. Only an export of a session may be so large, of one of gigabytes.
    answer_bytes: int = 32 << 20
    # Beyond this many unread frames, or so many bytes of them, nothing more is answered and nothing more read.
    outgoing_frames: int = 64
    outgoing_bytes: int = 1 << 20
    # A frame that was begun is finished by then. Between frames a client may be silent for ever.
    frame_s: float = 30.0
    # A client that takes nothing for so long is gone, whatever its socket says.
    stuck_s: float = 30.0
    # What is queued when a connection ends may take this long to get out.
    closing_s: float = 1.0
    authenticate_s: float = 5.0
    # A stranger's first frame holds a token and no more.
    authenticate_bytes: int = 4 * 1024
    # Shorter indexing is over before anybody has read the progress bar.
    progress_after_s: float = 1.0


DEFAULT_LIMITS = Limits()


class Peer(Struct, frozen=True, kw_only=True):
    """Who is on the other end. Whoever accepts a Unix connection has checked its user already."""

    transport: Transport
    # What a TCP client has to send first.
    token: str = ""

    def __post_init__(self) -> None:
        if self.transport == "tcp" and not self.token:
            raise ValueError("a TCP connection needs a token")

    @property
    def needs_token(self) -> bool:
        return self.transport == "tcp"
