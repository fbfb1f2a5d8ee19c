"""Any service that speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, on this machine or elsewhere.

By the standard library alone, in a thread: what is needed of the protocol is one request. Nothing is followed anywhere
else: a redirection is an error, so that text goes to the address that the user named and to no other.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import anyio
import msgspec
from msgspec import Struct

from recapd.core.settings import DEFAULTS, LlmSettings
from recapd.core.summaries import Prompt
from recapd.core.text import count_for_budget
from recapd.daemon.models.providers.base import Answer, ModelFailure, Sleep, ask_within, failure_of_status, seconds_in
from recapd.server.threads import in_thread

# Most never ask a model, and these take a while to import, and room.
if TYPE_CHECKING:
    import http.client

_OWN_ADDRESS: Final = "https://api.openai.com/v1"
_OWN_KEY: Final = "OPENAI_API_KEY"
# An answer is a few thousand tokens; who sends more floods.
MOST_BYTES: Final = 4 << 20
_STOPS: Final = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


class _Message(Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


class OpenAiApi:
    """Fulfils Provider."""

    def __init__(self, settings: LlmSettings, environ: Mapping[str, str], *, sleep: Sleep = anyio.sleep) -> None:
        self._settings = settings
        # The key of another vendor is never sent: a name that nobody chose is not meant.
        name = settings.api_key_env if settings.api_key_env != DEFAULTS.llm.api_key_env else _OWN_KEY
        self._key = environ.get(name, "")
        self._sleep = sleep

    async def ask(self, prompt: Prompt, model: str) -> Answer:
        address = self._settings.base_url or _OWN_ADDRESS
        if not self._key and not is_on_this_machine(address) and address == _OWN_ADDRESS:
            raise ModelFailure("noKey")

        async def request() -> Answer:
            return await self._request(address, prompt, model)

        return await ask_within(request, self._settings, self._sleep)

    async def _request(self, address: str, prompt: Prompt, model: str) -> Answer:
        connection = _connection_to(address, self._settings.timeout_s)
        try:
            status, retry_after, body = await in_thread(
                lambda: _posted(connection, address, _body(prompt, model, address), self._key), abandon_on_cancel=True
            )
        finally:
            # Whoever was cancelled does not wait: the thread sees a connection that is gone, and ends.
            _cut_off(connection)
        if status != 200:
            raise failure_of_status(status, seconds_in(retry_after))
        return _answer_of(body, prompt, model)


def is_on_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _connection_to(address: str, timeout_s: float) -> http.client.HTTPConnection:
    import http.client

    parts = urlsplit(address)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ModelFailure("badRequest") from None
    if parts.scheme == "https":
        import ssl

        return http.client.HTTPSConnection(host, port, timeout=timeout_s, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=timeout_s)


def _posted(connection: http.client.HTTPConnection, address: str, body: bytes, key: str) -> tuple[int, str, bytes]:
    """Status, `retry-after` and as much of the answer as one may have. Blocks."""
    import http.client

    path = f"{urlsplit(address).path.rstrip('/')}/chat/completions"
    headers = {"content-type": "application/json", "accept": "application/json"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    try:
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        data = response.read(MOST_BYTES + 1)
    except TimeoutError:
        raise ModelFailure("timeout", lost_tries=1) from None
    except (OSError, http.client.HTTPException, ValueError, AttributeError):
        # The last where it was cut off from here.
        raise ModelFailure("offline", lost_tries=1) from None
    if len(data) > MOST_BYTES:
        raise ModelFailure("badAnswer", lost_tries=1)
    return response.status, response.headers.get("retry-after", ""), data


def _cut_off(connection: http.client.HTTPConnection) -> None:
    held = connection.sock
    if held is not None:
        with contextlib.suppress(OSError):
            held.shutdown(socket.SHUT_RDWR)
    connection.close()


def _body(prompt: Prompt, model: str, address: str) -> bytes:
    asked = "\n\n".join(part for part in (prompt.prefix, prompt.content) if part)
    # OpenAI's own has renamed it; those that speak its protocol know the old name.
    limit = "max_completion_tokens" if address == _OWN_ADDRESS else "max_tokens"
    request = {
        "model": model,
        "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": asked}],
        "stream": False,
        limit: prompt.max_tokens,
    }
    return json.dumps(request).encode()


def _answer_of(body: bytes, prompt: Prompt, model: str) -> Answer:
    try:
        found = msgspec.json.decode(body, type=_Completion)
        choice = found.choices[0]
    except (msgspec.MsgspecError, IndexError, ValueError):
        raise ModelFailure("badAnswer", lost_tries=1) from None
    said = choice.message.content or ""
    # Some put what they thought before what they say.
    text = said.rpartition("</think>")[2]
    usage = found.usage or _Usage()
    return Answer(
        text=text,
        stop_reason="refusal" if choice.message.refusal else _STOPS.get(choice.finish_reason or "stop", "other"),
        input_tokens=max(usage.prompt_tokens, 0) or prompt.tokens,
        output_tokens=max(usage.completion_tokens, 0) or count_for_budget(said),
        model=found.model or model,
    )
