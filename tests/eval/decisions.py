"""How well decisions are found: measured on labelled sessions.

    python -m tests.eval.decisions SCORE_DIR LABELS LOGS [LABELS LOGS ...] [--cv] [--errors] [--judge=GROUP,GROUP]

SCORE_DIR holds score.py, whose matching is used; LABELS are folders of JSON files, LOGS the folders of their logs.
Without --cv the shipped weights are judged, on sessions they may have been trained on. With --cv (needs the extra
`train`) each session is judged by weights that never saw its repository: that is the figure to believe. A group is
the name of a folder of labels; with --judge the sessions of the others only train.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from recapd.core.decisions.find.model import likelihood
from recapd.core.settings import DEFAULTS
from tests.eval.labelled import Labelled, matched, outcomes, predicted, read_all, scorer

DRAWS = 1_000
Told = list[tuple[float, dict[str, Any], str]]


class Tally(Struct):
    """Counts of one session at one threshold."""

    said: int = 0
    right: int = 0
    must: int = 0
    hit: int = 0
    who: int = 0
    fooled: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.said + other.said,
            self.right + other.right,
            self.must + other.must,
            self.hit + other.hit,
            self.who + other.who,
            self.fooled + other.fooled,
        )

    def figures(self) -> tuple[float, float, float, float]:
        """Precision, recall, F1, and how often the right person was named."""
        precision, recall = self.right / max(1, self.said), self.hit / max(1, self.must)
        return precision, recall, 2 * precision * recall / max(1e-9, precision + recall), self.who / max(1, self.right)


def tally(session: Labelled, told: Told, threshold: float) -> Tally:
    kept = [said for confidence, said, _ in told if confidence >= threshold]
    pairs = matched(session, kept)
    good = {index for index, _ in pairs}
    rows = {row for _, row in pairs}
    must = [row for row, label in enumerate(session.decisions) if label["importance"] >= 2]
    squeeze = session.score.squeeze
    tempting = [(each["line"], squeeze(each["quote"])) for each in session.negatives]
    fooled = sum(
        any(
            said["ref"]["line"] == line and (squeeze(said["quote"]) in quote or quote in squeeze(said["quote"]))
            for line, quote in tempting
        )
        for index, said in enumerate(kept)
        if index not in good
    )
    return Tally(
        len(kept),
        len(pairs),
        len(must),
        sum(row in rows for row in must),
        sum(kept[index]["madeBy"] == session.decisions[row]["who"] for index, row in pairs),
        fooled,
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


def calibration(sessions: Sequence[Labelled], told: Sequence[Told]) -> tuple[list[str], float]:
    """How often what was said with a confidence was right, and the expected error of the confidence."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for session, found in zip(sessions, told, strict=True):
        good = {index for index, _ in matched(session, [said for _, said, _ in found])}
        for index, (confidence, _, _) in enumerate(found):
            bins[min(9, int(confidence * 10))].append((confidence, index in good))
    total = sum(map(len, bins.values()))
    lines, error = [], 0.0
    for number, rows in sorted(bins.items()):
        said = sum(confidence for confidence, _ in rows) / len(rows)
        was = sum(right for _, right in rows) / len(rows)
        error += abs(said - was) * len(rows) / max(1, total)
        lines.append(f"  {number / 10:.1f}-{number / 10 + 0.1:.1f}  n {len(rows):4}  said {said:.2f}  was {was:.2f}")
    return lines, error


def errors(session: Labelled, told: Told, likely: Sequence[float], threshold: float) -> Counter[str]:
    """What went wrong, by kind."""
    kept = [each for each in told if each[0] >= threshold]
    pairs = matched(session, [each[1] for each in kept])
    rows, good = {row for _, row in pairs}, {index for index, _ in pairs}
    found: Counter[str] = Counter()
    for index, row in pairs:
        if kept[index][1]["madeBy"] != session.decisions[row]["who"]:
            found["wrong person"] += 1
    candidates = defaultdict(list)
    for candidate, outcome, chance in zip(session.candidates, outcomes(session), likely, strict=True):
        if outcome == 1:
            candidates[candidate.passage.place.line].append(chance)
    for row, label in enumerate(session.decisions):
        if row in rows:
            continue
        who = {"user": "missed user statement", "collaborative": "missed assent", "agent": "missed agent choice"}
        if label["line"] not in candidates:
            found["never a candidate (stands in a call, a file or code)"] += 1
        elif max(candidates[label["line"]]) >= threshold:
            found["found, but its words differ or it was given up for a neighbour"] += 1
        else:
            found[who[label["who"]]] += 1
    labelled = {label["line"] for label in session.decisions}
    for index, (_, said, model) in enumerate(kept):
        if index in good:
            continue
        if said["ref"]["line"] in labelled:
            found["wrong sentence of a message that decides"] += 1
        else:
            names = {"agent": "narration or status taken", "user": "request or report taken", "assent": "nod taken"}
            found[names.get(model, f"{model} taken")] += 1
    return found


def main(arguments: list[str]) -> None:
    options = {each for each in arguments if each.startswith("--")}
    folder, *folders = (each for each in arguments if not each.startswith("--"))
    sessions = list(read_all(folders, scorer(folder)))
    if "--cv" in options:
        from tests.eval.train_decisions import cross_validated

        likely = [[float(chance) for chance in each] for each in cross_validated(sessions)]
    else:
        likely = [[likelihood(each.model, each.features) for each in session.candidates] for session in sessions]
    judged = next((each.partition("=")[2].split(",") for each in options if each.startswith("--judge=")), None)
    pairs = [
        (session, each)
        for session, each in zip(sessions, likely, strict=True)
        if judged is None or session.group in judged
    ]
    sessions, likely = [session for session, _ in pairs], [each for _, each in pairs]
    told = [predicted(session, each) for session, each in pairs]
    threshold = DEFAULTS.decisions.threshold
    write = sys.stdout.write
    for which in (*sorted({session.group for session in sessions}), ""):
        chosen = [number for number, session in enumerate(sessions) if which in ("", session.group)]
        write(f"{which or 'all'}: {len(chosen)} sessions\n")
        for at in sorted({0.25, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.45, threshold}):
            tallies = [(sessions[number].repository, tally(sessions[number], told[number], at)) for number in chosen]
            total = sum((each for _, each in tallies), Tally())
            precision, recall, f1, who = total.figures()
            low, high = interval(tallies)
            write(
                f"  {'>' if at == threshold else ' '}{at:.2f}  P {precision:.3f} R {recall:.3f} F1 {f1:.3f} "
                f"[{low:.3f}, {high:.3f}] who {who:.2f} said {total.said} tempted {total.fooled}\n"
            )
    lines, error = calibration(sessions, told)
    write("\n".join(["calibration", *lines, f"  expected calibration error {error:.3f}", ""]))
    kinds: Counter[str] = Counter()
    for session, found, chances in zip(sessions, told, likely, strict=True):
        kinds += errors(session, found, chances, threshold)
        if "--errors" in options:
            figures = tally(session, found, threshold).figures()
            write(f"  {session.name[:60]:60} P {figures[0]:.2f} R {figures[1]:.2f} F1 {figures[2]:.2f}\n")
    write("errors\n" + "".join(f"  {count:4}  {kind}\n" for kind, count in kinds.most_common()))


if __name__ == "__main__":
    main(sys.argv[1:])
