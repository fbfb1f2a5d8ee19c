"""What an answer leaves to the human is read off its end, in any language."""

from __future__ import annotations

import pytest

from recapd.core.text.closing import Closing, closing_of


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Ported it.\n\nShall I also port the tests of the parser?",
            Closing("Shall I also port the tests of the parser?"),
        ),
        (
            "The add failed.\n\nAn old lock is in the way. Let me know once that is gone, and I try again.",
            Closing("An old lock is in the way. Let me know once that is gone, and I try again."),
        ),
        (
            "Two ways are open.\n\nWhich one do you prefer?\n\n1. Keep the cache\n2. Drop the cache",
            Closing("Which one do you prefer?", ("Keep the cache", "Drop the cache")),
        ),
        (
            "1. Keep the cache\n2. Drop the cache — it is slow\n\nWhich one?",
            Closing("Which one?", ("Keep the cache", "Drop the cache — it is slow")),
        ),
        (
            "Two ways are open. Which one?\n\n**Option 1:** Keep the cache\n\n**Option 2:** Drop the cache",
            Closing("Which one?", ("Keep the cache", "Drop the cache")),
        ),
        (
            "The page moves.\n\nDo you want me to:\n\n1. Click it by hand?\n2. Try another shop?",
            Closing("Do you want me to", ("Click it by hand?", "Try another shop?")),
        ),
        (
            "The agent is blind.\n\nThat changes much. Want me to build any of these?",
            Closing("Want me to build any of these?"),
        ),
        (
            "Ported it.\n\nHow's that for a start? Ready for me to port those tests too?",
            Closing("Ready for me to port those tests too?"),
        ),
        ("The limit is 20. Is that right?", Closing("The limit is 20. Is that right?")),
        ("缓存已经写好。\n\n需要我同时迁移旧的数据吗？", Closing("需要我同时迁移旧的数据吗？")),
        ("Le cache est prêt.\n\nSi vous voulez, je porte les tests.", Closing("Si vous voulez, je porte les tests.")),
        (
            "The job is written.\n\nYou need to restart the server before it runs.",
            Closing("You need to restart the server before it runs."),
        ),
        (
            "The job is written.\n\nNext steps:\n\n1. Restart the server\n2. Watch the log",
            Closing("Next steps", ("Restart the server", "Watch the log")),
        ),
        (
            "The job runs.\n\nIt took an hour. The branch still needs to be merged.",
            Closing("The branch still needs to be merged."),
        ),
        ("The job runs. The branch still needs to be merged.", None),
        ("The job runs.\n\nIt took an hour. No branch needs to be merged.", None),
        ("The job runs.\n\nIt took an hour. If it hangs, the server needs to be restarted.", None),
        # How things are, and were, is nothing that is left to do.
        ("The job runs.\n\nIt took an hour. The fault was that a lock needs to be held while it writes.", None),
        ("The job runs.\n\nIt took an hour. Each line is checked before it needs to be written.", None),
        ("The job runs.\n\nIt took an hour. A lock needs to be held while it writes.", None),
        ("The job is written.\n\nAll 12 tests pass.", None),
        ("任务已完成。\n\n这个流程可以做到“完成一步后才可以进行下一步”。", None),
        ("Two ways.\n\nThe chat is the better one if you only want to share it.", None),
        ("You can restart the server now.", None),
        ("Three things changed:\n\n- the cache\n- the log", None),
        ("", None),
    ],
)
def test_the_end_of_an_answer_says_what_is_up_to_the_human(answer: str, expected: Closing | None) -> None:
    assert closing_of(answer) == expected
