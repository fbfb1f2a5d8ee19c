"""How well decisions are found: measured on labelled sessions, as `decisions/list` tells them.

    python -m tests.eval.decisions SCORE_DIR LABELS LOGS [LABELS LOGS ...] [--held] [--errors] [--rows=DATA]

SCORE_DIR holds score.py, whose matching is used; LABELS are folders of JSON files, LOGS the folders of their logs.
Each session is judged by weights, scales and a threshold that never saw its repository (needs the extra `train`).
A third of the repositories is held back, drawn by a seed: with --held their sessions are judged by what was made of
all the others, and nothing else ever opens them. With --shipped the weights in the package are judged instead, on
sessions they may have been trained on.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from recapd.core.decisions import Entry, stands_on_proof
from recapd.core.decisions.entries import Finding
from recapd.core.decisions.find.model import SCALES, Scale, likelihood
from recapd.core.settings import DEFAULTS
from tests.eval.labelled import (
    Labelled,
    entry_as_prediction,
    found_in,
    listed_of,
    matched,
    outcomes,
    read_all,
    scorer,
)

DRAWS = 1_000
THRESHOLDS = (0.14, 0.18, 0.22, 0.26, 0.3, 0.34, 0.38, 0.42)
MOST_IMPORTANT = 3


class Tally(Struct):
    """Counts of one session at one threshold."""

    said: int = 0
    right: int = 0
    must: int = 0
    hit: int = 0
    who: int = 0
    fooled: int = 0
    # Of those that stand on proof: how many, how many right, and the labels of the highest importance among them.
    proved: int = 0
    proved_right: int = 0
    important: int = 0
    important_proved: int = 0
    # Those matched, those of them that are said to be replaced and are not, those replaced, and of them those found.
    buried: int = 0
    old: int = 0
    old_found: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))

    def figures(self) -> tuple[float, float, float, float]:
        """Precision, recall, F1, and how often the right person was named."""
        precision, recall = self.right / max(1, self.said), self.hit / max(1, self.must)
        return precision, recall, 2 * precision * recall / max(1e-9, precision + recall), self.who / max(1, self.right)


def tally(session: Labelled, entries: Sequence[Entry]) -> Tally:
    said = [entry_as_prediction(entry) for entry in entries]
    pairs = matched(session, said)
    good = {index for index, _ in pairs}
    rows = {row for _, row in pairs}
    must = [row for row, label in enumerate(session.decisions) if label["importance"] >= 2]
    top = [row for row, label in enumerate(session.decisions) if label["importance"] >= MOST_IMPORTANT]
    proved = [index for index, entry in enumerate(entries) if stands_on_proof(entry)]
    by_proof = {row for index, row in pairs if stands_on_proof(entries[index])}
    squeeze = session.score.squeeze
    tempting = [(each["line"], squeeze(each["quote"])) for each in session.negatives]
    fooled = sum(
        any(
            each["ref"]["line"] == line and (squeeze(each["quote"]) in quote or quote in squeeze(each["quote"]))
            for line, quote in tempting
        )
        for index, each in enumerate(said)
        if index not in good
    )
    old = {row for row in rows if session.decisions[row]["status"] != "active"}
    gone = {row for index, row in pairs if entries[index].status in ("superseded", "reverted")}
    return Tally(
        said=len(said),
        right=len(pairs),
        must=len(must),
        hit=sum(row in rows for row in must),
        who=sum(said[index]["madeBy"] == session.decisions[row]["who"] for index, row in pairs),
        fooled=fooled,
        proved=len(proved),
        proved_right=sum(index in good for index in proved),
        important=len(top),
        important_proved=sum(row in by_proof for row in top),
        buried=len(gone - old),
        old=len(old),
        old_found=len(gone & old),
    )


def interval(tallies: Sequence[tuple[str, Tally]]) -> tuple[float, float]:
    """95 % of F1 when repositories are drawn anew: sessions of one resemble each other."""
    groups: dict[str, list[Tally]] = defaultdict(list)
    for group, each in tallies:
        groups[group].append(each)
    names = sorted(groups)
    draw = random.Random(1)
    found = []
    for _ in range(DRAWS):
        total = sum((each for _ in names for each in groups[draw.choice(names)]), Tally())
        found.append(total.figures()[2])
    found.sort()
    return found[int(0.025 * DRAWS)], found[int(0.975 * DRAWS)]


def bands(sessions: Sequence[Labelled], told: Sequence[Sequence[Entry]]) -> list[str]:
    """How often what was said with a confidence was right, and the expected error of the confidence."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for session, entries in zip(sessions, told, strict=True):
        good = {index for index, _ in matched(session, [entry_as_prediction(entry) for entry in entries])}
        for index, entry in enumerate(entries):
            confidence = entry.finding.confidence
            bins[min(9, int(confidence * 10))].append((confidence, index in good))
    total = sum(map(len, bins.values()))
    lines, error = [], 0.0
    for number, rows in sorted(bins.items()):
        said = sum(confidence for confidence, _ in rows) / len(rows)
        was = sum(right for _, right in rows) / len(rows)
        error += abs(said - was) * len(rows) / max(1, total)
        lines.append(f"  {number / 10:.1f}-{number / 10 + 0.1:.1f}  n {len(rows):4}  said {said:.2f}  was {was:.2f}")
    return [*lines, f"  expected error {error:.3f}"]


class Judgement(Struct):
    """Sessions, and what is found in each; with the threshold that each is judged at."""

    sessions: list[Labelled]
    findings: list[list[Finding]]
    thresholds: list[float]

    def entries(self, number: int, threshold: float | None = None) -> list[Entry]:
        at = self.thresholds[number] if threshold is None else threshold
        return listed_of(self.sessions[number], self.findings[number], at)

    def tally(self, number: int, threshold: float | None = None) -> Tally:
        return tally(self.sessions[number], self.entries(number, threshold))


def best_threshold(totals: Mapping[float, Tally]) -> float:
    return max(totals, key=lambda threshold: totals[threshold].figures()[2])


def cross_judged(sessions: list[Labelled], others: list[dict[str, object]]) -> Judgement:
    """Everything that is tuned for a repository's sessions is tuned without them."""
    from tests.eval.train_decisions import cross_validated, scales_of

    likely = cross_validated(sessions, others)
    findings: list[list[Finding]] = []
    scales: dict[str, dict[str, Scale]] = {}
    for session, each in zip(sessions, likely, strict=True):
        if session.repository not in scales:
            rest = [number for number, other in enumerate(sessions) if other.repository != session.repository]
            scales[session.repository] = scales_of([sessions[at] for at in rest], [likely[at] for at in rest])
        findings.append(found_in(session, each, scales[session.repository]))
    judged = Judgement(sessions, findings, [0.0] * len(sessions))
    totals = {at: [judged.tally(number, at) for number in range(len(sessions))] for at in THRESHOLDS}
    for number, session in enumerate(sessions):
        rest = [at for at, other in enumerate(sessions) if other.repository != session.repository]
        judged.thresholds[number] = best_threshold(
            {threshold: sum((tallies[at] for at in rest), Tally()) for threshold, tallies in totals.items()}
        )
    return judged


def held_judged(sessions: list[Labelled], held: list[Labelled], others: list[dict[str, object]]) -> Judgement:
    """Judged by what was made of all the other sessions."""
    from tests.eval.train_decisions import fitted_to, scales_of

    known = cross_judged(sessions, others)
    totals = {at: sum((known.tally(number, at) for number in range(len(sessions))), Tally()) for at in THRESHOLDS}
    model, likely = fitted_to(sessions, others)
    scales = scales_of(sessions, likely)
    findings = [found_in(each, [model(one) for one in each.candidates], scales) for each in held]
    return Judgement(held, findings, [best_threshold(totals)] * len(held))


def shipped_judged(sessions: list[Labelled]) -> Judgement:
    findings = [
        found_in(session, [likelihood(each.model, each.features) for each in session.candidates], SCALES)
        for session in sessions
    ]
    return Judgement(sessions, findings, [DEFAULTS.decisions.threshold] * len(sessions))


def errors(session: Labelled, entries: Sequence[Entry]) -> Counter[str]:
    """What went wrong, by kind."""
    pairs = matched(session, [entry_as_prediction(entry) for entry in entries])
    rows, good = {row for _, row in pairs}, {index for index, _ in pairs}
    found: Counter[str] = Counter()
    for index, row in pairs:
        if entries[index].finding.made_by != session.decisions[row]["who"]:
            found["wrong person"] += 1
    lines = {
        candidate.passage.place.line
        for candidate, outcome in zip(session.candidates, outcomes(session), strict=True)
        if outcome == 1
    }
    for row, label in enumerate(session.decisions):
        if row not in rows:
            who = {"user": "missed user statement", "collaborative": "missed assent", "agent": "missed agent choice"}
            found[who[label["who"]] if label["line"] in lines else "never a candidate (a call, a file, code)"] += 1
    labelled = {label["line"] for label in session.decisions}
    for index, entry in enumerate(entries):
        if index not in good:
            is_beside = entry.finding.place.line in labelled
            kind = "wrong sentence of a message that decides" if is_beside else f"taken: {entry.finding.made_by}"
            found[kind] += 1
    return found


def report(title: str, judged: Judgement, write: Callable[[str], object]) -> None:
    sessions = judged.sessions
    tallies = [judged.tally(number) for number in range(len(sessions))]
    total = sum(tallies, Tally())
    precision, recall, f1, who = total.figures()
    low, high = interval([(session.repository, each) for session, each in zip(sessions, tallies, strict=True)])
    repositories = len({session.repository for session in sessions})
    write(
        f"{title}: {len(sessions)} sessions of {repositories} repositories, thresholds "
        f"{min(judged.thresholds):.2f} to {max(judged.thresholds):.2f}\n"
        f"  list      P {precision:.3f} R {recall:.3f} F1 {f1:.3f} [{low:.3f}, {high:.3f}] who {who:.3f} "
        f"said {total.said} tempted {total.fooled}\n"
        f"  proved    {total.proved}, right {total.proved_right / max(1, total.proved):.3f}; of importance 3 "
        f"{total.important_proved} of {total.important}: {total.important_proved / max(1, total.important):.3f}\n"
        f"  replaced  found {total.old_found} of {total.old}, wrongly {total.buried} of {total.right}: "
        f"{total.buried / max(1, total.right):.3f}\n"
    )
    for at in THRESHOLDS:
        figures = sum((judged.tally(number, at) for number in range(len(sessions))), Tally()).figures()
        write(f"    at {at:.2f}  P {figures[0]:.3f} R {figures[1]:.3f} F1 {figures[2]:.3f} who {figures[3]:.3f}\n")
    write("\n".join(["  confidence", *bands(sessions, [judged.entries(at, 0.0) for at in range(len(sessions))]), ""]))
    kinds = sum((errors(session, judged.entries(at)) for at, session in enumerate(sessions)), Counter[str]())
    write("  errors\n" + "".join(f"    {count:4}  {kind}\n" for kind, count in kinds.most_common()))


def main(arguments: list[str]) -> None:
    options = {each for each in arguments if each.startswith("--")}
    folder, *folders = (each for each in arguments if not each.startswith("--"))
    score, write = scorer(folder), sys.stdout.write
    sessions = list(read_all(folders, score))
    if "--shipped" in options:
        report("shipped", shipped_judged(sessions), write)
        return
    data = next((each.partition("=")[2] for each in options if each.startswith("--rows=")), "")
    others: list[dict[str, object]] = []
    if data:
        from tests.eval.train_decisions import rows_in

        others = rows_in(data)
    report("cross-validated", cross_judged(sessions, others), write)
    if "--held" in options:
        held = list(read_all(folders, score, is_held=True))
        report("held back", held_judged(sessions, held, others), write)


if __name__ == "__main__":
    main(sys.argv[1:])
