"""What a statement sets, and when two set one kind otherwise."""

from __future__ import annotations

import pytest

from recapd.core.decisions.kinds import NUMBER, set_besides, set_otherwise, sets_other_value, values_in

OTHERWISE = [
    ("settings go in a yaml file", "make the settings file toml", "format"),
    ("90 days, in case audit asks", "14 days has to do", "number of time"),
    ("1 GB to be safe", "cut it to 512 MB", "number of bytes"),
    ("support Python 3.8", "bump it to Python 3.11", "python by number"),
    ("json fields are snake_case", "camelCase", "spelling"),
    ("フロントはVueで作って", "やっぱりReactにして", "frontend"),
    ("30秒で", "60秒に変えて", "number of time"),
    ("每天", "改成每小时一次", "how often"),
    ("npm으로 가자", "그냥 yarn으로", "packages"),
    ("robimy w Angularze", "jednak Svelte", "frontend"),
    ("fly.io sounds nice", "it moves to hetzner", "hosting"),
    ("three columns", "two columns will do", "number of colum"),
    ("vier Wochen", "zwei Wochen reichen", "number of time"),
    ("pazartesi gönder", "çarşambaya alalım", "weekday"),
]


@pytest.mark.parametrize(("earlier", "later", "kind"), OTHERWISE)
def test_another_of_a_kind_is_set_otherwise(earlier: str, later: str, kind: str) -> None:
    assert kind in set_otherwise(values_in(earlier), values_in(later))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("redis for the cache", "the footer is grey"),
        ("postgres, please", "put an index on the postgres table"),
        ("fix step 2", "now step 3"),
        ("read src/yaml/main.py", "read docs/toml-files.txt"),
        ("3초간 표시", "a popup of 3 seconds"),
    ],
)
def test_what_is_no_other_of_its_kind_sets_nothing_otherwise(earlier: str, later: str) -> None:
    assert set_otherwise(values_in(earlier), values_in(later)) - {NUMBER} == frozenset()


def test_what_is_named_along_with_another_is_told_apart() -> None:
    before, now = values_in("events go through kafka"), values_in("swap kafka for rabbitmq")
    assert set_otherwise(before, now) == frozenset()
    assert set_besides(before, now) == {"queue"}


@pytest.mark.parametrize(
    ("earlier", "later", "is_other"),
    [
        ("bau drei Versuche ein", "nimm fünf", True),
        ("keep backups for 14 days", "they take 200 GB", False),
        ("set it to 21", "19 during the day", True),
        ("make it blue", "make it blue", False),
    ],
)
def test_a_number_is_another_of_the_same_unless_both_say_of_what(earlier: str, later: str, is_other: bool) -> None:
    assert sets_other_value(values_in(earlier), values_in(later)) is is_other
