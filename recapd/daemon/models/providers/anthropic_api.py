"""Anthropic's Messages API, through Anthropic's own library.

The library takes two seconds and 57 MB to import, so it is imported at the first request, in a thread. Its retries are
switched off: a timeout of three tries is three timeouts. Here one deadline holds for all tries together.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping
from types import ModuleType

import anyio

from recapd.core.settings import LlmSettings
from recapd.core.summaries import Prompt
from recapd.daemon.models.providers.base import Answer, ModelFailure, Sleep, ask_within, failure_of_status, seconds_in
from recapd.server.threads import in_thread


class AnthropicApi:
    """Fulfils Provider."""

    def __init__(
        self,
        settings: LlmSettings,
        environ: Mapping[str, str],
        *,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        self._settings = settings
        self._key = environ.get(settings.api_key_env, "")
        self._sleep = sleep

    async def ask(self, prompt: Prompt, model: str) -> Answer:
        if not self._key:
            raise ModelFailure("noKey")
        library = await _library()

        async def request() -> Answer:
            try:
                async with library.AsyncAnthropic(
                    api_key=self._key,
                    base_url=self._settings.base_url or None,
                    max_retries=0,
                    timeout=self._settings.timeout_s,
                ) as client:
                    return await _request(client, prompt, model, is_streamed=self._settings.stream)
            except (library.APIError, ValueError, TypeError, KeyError, AttributeError) as error:
                raise _failure_of(library, error) from None

        return await ask_within(request, self._settings, self._sleep)


async def _library() -> ModuleType:
    # The library tells of old models on stderr, which is nobody's in a daemon; the service says when one is gone.
    warnings.filterwarnings("ignore", message="The model .* is deprecated", category=DeprecationWarning)
    try:
        return await in_thread(importlib.import_module, "anthropic")
    except ImportError:
        raise ModelFailure("noLibrary") from None


async def _request(client: object, prompt: Prompt, model: str, *, is_streamed: bool) -> Answer:
    messages = client.messages  # type: ignore[attr-defined]  # the library's types are not needed to run, only to check
    arguments = {
        "model": model,
        "max_tokens": prompt.max_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": _content(prompt)}],
    }
    if is_streamed:
        async with messages.stream(**arguments) as stream:
            return _answer_of(await stream.get_final_message(), model)
    return _answer_of(await messages.create(**arguments), model)


def _content(prompt: Prompt) -> str | list[dict[str, object]]:
    """Where the next request begins the same, the service is told how far."""
    if not prompt.prefix:
        return prompt.content
    kept: dict[str, object] = {"type": "text", "text": prompt.prefix, "cache_control": {"type": "ephemeral"}}
    return [kept, {"type": "text", "text": prompt.content}]


def _answer_of(message: object, model: str) -> Answer:
    """The text of all text blocks: the first block may be something else, or there may be none."""
    blocks = getattr(message, "content", None) or []
    text = "\n".join(str(block.text) for block in blocks if getattr(block, "type", "") == "text")
    usage = getattr(message, "usage", None)
    sent = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Answer(
        text=text,
        stop_reason=str(getattr(message, "stop_reason", "") or ""),
        input_tokens=sum(_count(usage, name) for name in sent),
        output_tokens=_count(usage, "output_tokens"),
        model=str(getattr(message, "model", "") or model),
    )


def _count(usage: object, name: str) -> int:
    value = getattr(usage, name, 0)
    return value if isinstance(value, int) and value > 0 else 0


def _failure_of(library: ModuleType, error: Exception) -> ModelFailure:
    """By the library's classes and the status; the error's own words may quote what was sent."""
    if isinstance(error, library.APITimeoutError):
        return ModelFailure("timeout", lost_tries=1)
    if isinstance(error, library.APIConnectionError):
        return ModelFailure("offline", lost_tries=1)
    if isinstance(error, library.APIStatusError):
        return failure_of_status(int(error.status_code), _retry_after(error))
    # JSON that is none escapes the library as it is, and so does a message of another shape.
    return ModelFailure("badAnswer", lost_tries=1)


def _retry_after(error: Exception) -> float:
    response = getattr(error, "response", None)
    headers = getattr(response, "headers", None)
    said = headers.get("retry-after", "") if headers is not None else ""
    return seconds_in(said)
