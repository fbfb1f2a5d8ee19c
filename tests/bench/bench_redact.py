"""Throughput of `redact`, beside references taken in the same run: `python -m tests.bench.bench_redact [FOLDER]`.

Without a folder the texts are made up: prose, code, tool output, log lines, and short strings as records have them.
With one, they are its files, cut to the size of a message. Times depend on the machine; the ratios do not.
"""

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from recapd.core.secrets import redact, redactions
from tests.support.secrets import secrets

KIB: Final = 1024
SAMPLE_BYTES: Final = 2_000 * KIB
# What one tool result or one answer has, more or less.
MESSAGE: Final = 4 * KIB
ROUNDS: Final = 3

PROSE: Final = """
The session list now keeps its own token budget, and the key point is that reading it never moves the cursor. I looked
at how the author handled refreshes: the first request after a restart was slow because every file was opened twice.
Tests passed before the change and they pass after it; the cookie banner is not part of this. What is left is to decide
whether the default password policy is documented in the repository or only in the secret handbook nobody reads.
"""
WORDS: Final = PROSE.split()
CODE: Final = '''
def refresh(client: Client, token: str | None = None, *, retries: int = 3) -> Session:
    """Return a session; `token` falls back to the environment."""
    token = token or os.environ["API_TOKEN"]
    headers = {"Authorization": f"Bearer {token}", "User-Agent": USER_AGENT}
    for key, value in sorted(client.settings.items(), key=lambda item: item[0]):
        assert value is not None, f"missing {key}"
    return Session(client=client, headers=headers, created_at=clock.now(), password=client.password)
'''
TOOL_OUTPUT: Final = """
tests/unit/test_auth_session_refresh.py::test_token_is_rotated_after_expiry PASSED                       [ 42%]
 src/recap/views/session_list.py                                    |  34 ++++++++++++++++++++++----------
commit 3f786850e387550fdab836ed7e6dc881de23001b (HEAD -> main, origin/main)
-rw-r--r-- 1 dev dev  18231 May  1 12:33 node_modules/@scope/package-name/dist/index.production.min.js
npm warn deprecated inflight@1.0.6: This module is not supported, see https://example.org/docs?page=2#keys
"""
LOG_LINE: Final = (
    '2024-05-01T12:33:44.{:03}Z INFO http request_id=8c7e1f0a-54f5-4a57-9c0e-{:012x} method=GET path="/v1/items/{}"'
    ' status=200 duration_ms={} user_agent="curl/8.5.0"\n'
)
# Each provokes one detector as often as text allows; quadratic work would show as a ratio near 16.
ADVERSARIAL: Final = ("key=", 'password="', "://a:b", "sk-aa-", "eyJ-", "-----BEGIN RSA PRIVATE KEY-----", "\\")


def main(arguments: list[str]) -> None:
    samples = dict(from_folder(Path(arguments[0])) if arguments else made_up())
    print_table(samples)
    print_hits(samples)
    if not arguments:
        print_growth()


def made_up() -> Iterator[tuple[str, list[str]]]:
    rng = random.Random(0)
    yield "prose", messages(PROSE * (SAMPLE_BYTES // len(PROSE)))
    yield "code", messages(CODE * (SAMPLE_BYTES // len(CODE)))
    yield "tool output", messages(TOOL_OUTPUT * (SAMPLE_BYTES // len(TOOL_OUTPUT)))
    lines = (LOG_LINE.format(n % 1000, rng.getrandbits(48), n, rng.randrange(500)) for n in range(SAMPLE_BYTES // 150))
    yield "log lines", messages("".join(lines))
    yield "short strings", [text[:40] for text in messages(TOOL_OUTPUT * 200, size=40)]
    planted = [
        " ".join(rng.choices(WORDS, k=200)) + " " + secret.text for seed in range(20) for secret in secrets(seed)
    ]
    yield "all with secrets", planted


def from_folder(folder: Path) -> Iterator[tuple[str, list[str]]]:
    by_suffix: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            by_suffix.setdefault(path.suffix or path.name, []).extend(messages(text))
    yield from by_suffix.items()


def messages(text: str, *, size: int = MESSAGE) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def print_table(samples: dict[str, list[str]]) -> None:
    pattern = re.compile(r"password=\S+")
    readers: dict[str, Callable[[str], object]] = {
        "redact": redact,
        "str.lower": str.lower,
        "re.findall": pattern.findall,
    }
    show(f"{'text':18}{'MB':>7}" + "".join(f"{name + ' MB/s':>18}" for name in readers) + f"{'us/text':>10}{'hits':>7}")
    for name, texts in samples.items():
        size = sum(map(len, texts)) / 1e6
        times = [best_time(reader, texts) for reader in readers.values()]
        hits = sum(len(redactions(text)) for text in texts)
        speeds = "".join(f"{size / seconds:18.1f}" for seconds in times)
        show(f"{name[:17]:18}{size:7.1f}{speeds}{times[0] / max(1, len(texts)) * 1e6:10.1f}{hits:7}")


def best_time(reader: Callable[[str], object], texts: list[str]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for text in texts:
            reader(text)
        times.append(time.process_time() - started)
    return max(min(times), 1e-9)


def print_hits(samples: dict[str, list[str]]) -> None:
    """Kinds and counts only: what was found is never shown."""
    kinds = Counter(span.kind for texts in samples.values() for text in texts for span in redactions(text))
    show("\nhits by kind: " + (", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "none"))


def print_growth() -> None:
    show(f"\n{'adversarial':34}{'64 KiB ms':>12}{'256 KiB ms':>12}{'ratio':>8}")
    for piece in ADVERSARIAL:
        small, large = (best_time(redact, [piece * (size * KIB // len(piece))]) * 1e3 for size in (64, 256))
        show(f"{piece[:33]:34}{small:12.1f}{large:12.1f}{large / small:8.1f}")


def show(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
