"""What the tests of the client share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recapd.client.paths import Places
from tests.client.folders import own_folders


@pytest.fixture
def where() -> Iterator[Places]:
    with own_folders() as folders:
        yield folders
