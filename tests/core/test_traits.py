"""What follows from how a field of the state is declared: its form in a draft, whether it stays in the head, how it is
written down."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from msgspec.structs import replace

from recapd.core.log.events import Call
from recapd.core.state.cold import GROWING, head_of
from recapd.core.state.draft import Draft, start_draft
from recapd.core.state.folding import freeze
from recapd.core.state.growing import Chunked
from recapd.core.state.traits import Trait, fields_with, fields_within
from recapd.core.state.transcript import EMPTY, FileFact, OpenCall, Request, Totals, Transcript, TranscriptFields, Turn
from recapd.core.state.world import Source
from tests.support.records import NOWHERE

FULL = Transcript(
    native_id="s1",
    title="Socks",
    cwds=("/shop",),
    file_rows={"/shop/socks.py": 0},
    tools={"Edit": 2},
    open_calls={"c1": OpenCall(Call("c1", "Edit", "edit"), NOWHERE, 1, "", "")},
    record_types={"user": 1},
    turns=Chunked(((Turn(1, Request("sell socks", 1, "", NOWHERE), "s1", 0, calls=2),),)),
    files=Chunked(((FileFact("/shop/socks.py", "modified", 1, (), 1, 1, NOWHERE),),)),
    totals=Totals(turns=1, calls=2),
)


def test_a_draft_into_which_nothing_was_folded_is_the_transcript() -> None:
    assert freeze(start_draft(FULL)) == FULL


def test_a_draft_has_what_is_counted_in_for_itself() -> None:
    draft = start_draft(FULL)
    for name in TranscriptFields.__struct_fields__:
        value = getattr(draft, name)
        if isinstance(value, dict):
            assert value == getattr(FULL, name)
            assert (value is getattr(FULL, name)) == (name in fields_with("copied late", Transcript))
    draft.totals.calls += 1
    assert FULL.totals.calls == 2


def test_every_field_of_a_transcript_is_in_its_draft_or_made_of_it() -> None:
    assert set(Transcript.__struct_fields__) - set(Draft.__struct_fields__) == {"steps", "record_count"}


def test_a_head_has_what_is_marked_so_and_nothing_else_but_the_last_turn() -> None:
    head = head_of(Source("file:///a", "claude-code", "claude-code", "g", transcript=FULL)).transcript
    for name in Transcript.__struct_fields__:
        kept = FULL if name in (*fields_with("in head", Transcript), "turns") else EMPTY
        if name != "turns":
            assert getattr(head, name) == getattr(kept, name), name
    assert head.turns[-1].request == replace(FULL.turns[-1].request, text="")


def test_what_grows_is_chunked() -> None:
    assert set(GROWING) == {"turns", "utterances", "passages", "files", "changes", "landmarks", "record_ids"}


# Where a name stands for two things, what is said of the one is said of the other.
@pytest.mark.parametrize("trait", ["wordless", "paths"])
def test_fields_of_one_name_are_written_alike(trait: Trait) -> None:
    for struct in (Source, Transcript, Turn, Request, FileFact, OpenCall):
        named = {name for name in struct.__struct_fields__ if name in fields_within(Source, trait)[0]}
        assert named == set(fields_with(trait, struct)), struct


def test_only_what_is_no_prose_is_left_unread() -> None:
    """A text that anybody may have written is looked through for secrets: a field that is not has to be named here."""
    assert fields_within(Source, "wordless")[0] == {
        *("at", "started_at", "last_at", "uri", "part", "generation", "session", "native_id", "parent_session"),
        *("record", "last_record", "last_message", "utterances", "record_ids", "call_id", "ended_at"),
    }
    assert fields_within(Source, "paths")[0] == {"path", "renamed_to", "cwd", "cwds", "file_rows", "where"}
    hints = get_type_hints(Transcript)
    assert all(hints[name] in (str, Chunked[bytes]) or name in GROWING for name in fields_with("wordless", Transcript))
