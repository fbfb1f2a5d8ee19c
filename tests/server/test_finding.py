"""Passages kept between questions: they grow with the log, are made anew with it, and are bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from pytest import MonkeyPatch

from recapd.core.retrieval.units import Unit
from recapd.core.state.world import Source, session_id_of
from recapd.core.views.context import FoundText, found_text_of
from recapd.server.indexes import Indexes
from recapd.server.log_texts import shown_texts_of, texts_of
from tests.support.contexts import Clocked, Story, exchanges
from tests.support.logs import LOGS, agent, human

ALL = 1_000_000


class Reads:
    """Reads texts for an index and remembers how many."""

    def __init__(self, library: Clocked) -> None:
        self.library = library
        self.counts: list[int] = []

    def __call__(self, source: Source, units: Sequence[Unit]) -> list[str]:
        self.counts.append(len(units))
        return shown_texts_of(self.library, source, units)


def test_only_what_is_new_is_read_for_the_next_question(tmp_path: Path) -> None:
    story = Story(tmp_path, *exchanges(50))
    indexes = Indexes()
    reads = Reads(story.library)
    source = story.library.load(story.path).main
    indexes.find(source, "zebrafish", before=ALL, read=reads)
    assert reads.counts == [100, 0]
    story.goes_on(human("a zebrafish?"), agent("Zebrafish swim in schools."))
    reads = Reads(story.library)
    found = indexes.find(story.library.load(story.path).main, "zebrafish", before=ALL, read=reads)
    # The new messages, and the few that the best passage stands among.
    assert reads.counts[0] == 2 and reads.counts[1] <= 12
    assert found[0].passage.text.lower().count("zebrafish") == 1


def test_a_rewritten_log_is_read_anew(tmp_path: Path) -> None:
    story = Story(tmp_path, *exchanges(20), human("a zebrafish?"))
    indexes = Indexes()
    read = partial(shown_texts_of, story.library)
    assert indexes.find(story.library.load(story.path).main, "zebrafish", before=ALL, read=read)
    # The same beginning, and another end of the same length.
    story.acts[-1] = human("a quokka now?")
    story.goes_on()
    read = partial(shown_texts_of, story.library)
    source = story.library.load(story.path).main
    assert indexes.find(source, "zebrafish", before=ALL, read=read) == []
    assert indexes.find(source, "quokka", before=ALL, read=read)


def test_the_least_recently_asked_goes_first(tmp_path: Path) -> None:
    stories = []
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        stories.append(Story(tmp_path / name, *exchanges(30)))
    indexes = Indexes(most_passages=130)
    for story in stories:
        indexes.find(
            story.library.load(story.path).main, "parser", before=ALL, read=partial(shown_texts_of, story.library)
        )
    assert [Path(key).parent.name for key in indexes._kept] == ["b", "c"]


def test_what_is_made_of_a_passage_is_kept_for_the_next_prompt(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    made: list[str] = []

    def counted(text: str, numbers: Mapping[str, int], *, is_agent: bool) -> FoundText:
        made.append(text)
        return found_text_of(text, numbers, is_agent=is_agent)

    monkeypatch.setattr("recapd.server.indexes.found_text_of", counted)
    story = Story(tmp_path, *exchanges(20), human("a zebrafish in the parser?"), agent("A zebrafish swims."))
    source = story.library.load(story.path).main
    indexes = Indexes()
    read = partial(shown_texts_of, story.library)
    first = indexes.find(source, "zebrafish", before=ALL, read=read)
    assert first and len(made) >= len(first)
    made.clear()
    reads = Reads(story.library)
    assert indexes.find(source, "the zebrafish?", before=ALL, read=reads) == first
    assert made == [] and sum(reads.counts) == 0


def test_what_could_not_be_read_is_read_once_it_can_be(tmp_path: Path) -> None:
    story = Story(tmp_path, *exchanges(20), human("a zebrafish?"))
    source = story.library.load(story.path).main
    indexes = Indexes()
    read = partial(shown_texts_of, story.library)
    first = indexes.find(source, "zebrafish", before=ALL, read=read)
    other = Indexes()
    other.find(source, "quokka", before=ALL, read=read)
    assert other.find(source, "zebrafish", before=ALL, read=lambda source, units: [""] * len(units)) == []
    assert other.find(source, "zebrafish", before=ALL, read=read) == first


def test_nothing_is_kept_of_sessions_that_are_gone(tmp_path: Path) -> None:
    story = Story(tmp_path, *exchanges(20), human("a zebrafish?"))
    source = story.library.load(story.path).main
    indexes = Indexes()
    read = partial(shown_texts_of, story.library)
    assert indexes.find(source, "zebrafish", before=ALL, read=read) and indexes._kept and indexes._passages
    indexes.forget(["somebody else's"])
    assert indexes._kept and indexes._passages
    indexes.forget([session_id_of(source)])
    assert not indexes._kept and not indexes._passages


def test_every_text_is_read_back_in_every_format(tmp_path: Path) -> None:
    acts = exchanges(5, words="with ünïcode\nand lines")
    for name, write in LOGS.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(write(*acts))
        library = Clocked([])
        source = library.load(path).main
        units = [Unit(each.speaker, each.message, each.turn_row, each.place) for each in source.transcript.utterances]
        assert texts_of(library, source, units) == [act.text for act in acts], name


def test_a_log_that_is_gone_gives_no_texts(tmp_path: Path) -> None:
    story = Story(tmp_path, *exchanges(3))
    source = story.library.load(story.path).main
    units = [Unit(each.speaker, each.message, each.turn_row, each.place) for each in source.transcript.utterances]
    story.path.unlink()
    assert texts_of(story.library, source, units) == [""] * 6


def test_words_are_numbered_anew_before_their_numbers_grow_without_end(
    tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    story = Story(tmp_path, *exchanges(20), human("a zebrafish in the parser?"), agent("A zebrafish swims."))
    source = story.library.load(story.path).main
    indexes = Indexes()
    read = partial(shown_texts_of, story.library)
    first = indexes.find(source, "the zebrafish?", before=ALL, read=read)
    monkeypatch.setattr("recapd.server.indexes.MAX_WORDS", 2)
    (kept,) = indexes._kept.values()
    numbers = kept.numbers
    again = indexes.find(source, "the zebrafish?", before=ALL, read=read)
    assert kept.numbers is not numbers
    assert [(each.passage.line, each.score) for each in again] == [(each.passage.line, each.score) for each in first]
