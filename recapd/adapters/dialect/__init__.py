"""Further JSONL formats, described by their users in the configuration instead of in code.

A dialect says where in each line the facts stand. Paths are names joined by dots; `[*]` behind a name means every
item of that list. Only `name`, `role` and `text` must be given:

    [[dialect]]
    name = "my-agent"                          # shown as the agent of its sessions
    role = "author.role"                       # who speaks
    text = ["body", "body[*].text"]            # what is said: one path, or several where lines differ
    time = "ts"                                # ISO 8601, or seconds or milliseconds since 1970
    session = "thread"                         # the agent's own id of the conversation
    cwd = "workspace"
    id = "id"
    parent = "reply_to"                        # where the human goes back and asks otherwise
    model = "model"
    match = { kind = "chat", v = [1, 2] }      # lines that are meant; without it nearly all lines must fit

    [dialect.roles]                            # the log's words; these are the defaults
    human = ["user", "human"]
    agent = ["assistant", "agent", "ai", "model", "bot"]
    tool = ["tool", "function", "tool_result"]
    system = ["system", "developer"]

    [dialect.calls]                            # what the agent does: looked for in its lines
    items = "body[*]"                          # the list that calls stand in; without it the line is the call
    name = "function.name"                     # from here on as seen from the item; an item without a name is no call
    arguments = "function.arguments"           # an object, or the text of one
    id = "id"

    [dialect.results]                          # what came of it: looked for in the list of any line
    items = "body[*]"                          # without it each line of a tool is a result
    id = "call_id"                             # the id of the call; an item without one is no result
    text = "output"
    failed = "is_error"                        # true, an exit code, or a text that does not say that all is well

`shape` reads this, `reading` makes an adapter of it, `explain` says how it fits some lines.
"""

from recapd.adapters.dialect.explanation import Explanation, explain
from recapd.adapters.dialect.reading import adapter_from
from recapd.adapters.dialect.shape import BadDialect, Dialect, dialects_from

__all__ = [
    "BadDialect",
    "Dialect",
    "Explanation",
    "adapter_from",
    "dialects_from",
    "explain",
]
