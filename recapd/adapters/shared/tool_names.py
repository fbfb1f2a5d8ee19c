"""What a tool does, by its name: agents name the same few things differently.

Owns the table of names. Knows no arguments: reading a call is for `tools`.
"""

from __future__ import annotations

from functools import lru_cache

from recapd.core.log import CallKind

_KINDS: dict[str, CallKind] = {}


def _register(kind: CallKind, names: str) -> None:
    for name in names.split():
        _KINDS[name] = kind


_register("read", "read view open_file read_file readfile read_many_files cat view_image notebookread read_notebook")
_register("list", "ls list list_dir list_directory listdir list_files tree")
_register(
    "search", "grep glob search ripgrep find rg search_file_content codesearch file_search grep_search toolsearch"
)
_register("retrieve", "recall_detail")
_register("recall", "recall memory_search memory_get search_memory")
_register("fetch", "webfetch web_fetch websearch web_search google_web_search fetch web_search_call browse")
_register("edit", "edit multiedit notebookedit str_replace str_replace_editor replace multi_edit edit_file update")
_register("write", "write create write_file create_file writefile save_file")
_register("patch", "apply_patch applypatch patch apply_diff")
_register("delete", "delete delete_file remove_file rm")
_register(
    "shell", "bash exec shell shell_command exec_command run_shell_command local_shell_call powershell run_command"
)
_register("shell", "terminal execute_bash container.exec")
_register("remember", "remember save_memory memory_store note_to_self")
_register("ask", "askuserquestion ask ask_user question ask_question request_user_input")
_register("plan", "exitplanmode exit_plan_mode")
_register("todo", "todowrite todoread todo_write todo update_plan taskcreate taskupdate tasklist taskget todo_list")
_register("delegate", "task agent spawn_agent subagent dispatch_agent delegate")
_register("status", "status report_intent session_status enterplanmode bashoutput taskoutput write_stdin process")
_register("status", "killbash killshell taskstop wait_agent sleep")
# Copilot CLI and hermes have their own words.
_register(
    "status", "read_bash write_bash stop_bash list_bash read_powershell write_powershell stop_powershell read_agent"
)
_register("search", "search_files")
_register("recall", "session_search")
_register("fetch", "web_extract")
_register("ask", "clarify")
_register("delegate", "delegate_task")
_register("remember", "store_memory memory")
_register("todo", "update_todo")
# Gemini CLI's own.
_register("delegate", "codebase_investigator cli_help generalist delegate_to_agent invoke_agent")
_register("status", "update_topic enter_plan_mode")
_register("todo", "write_todos")
_register("done", "done finish task_done attempt_completion task_complete")


# recapd's own: as Claude Code and Codex name the tools of a server, of a plugin's server, and as pi's extension does.
_OWN = ("mcp__recapd__", "mcp__plugin_recapd_recapd__", "recapd_")


@lru_cache(maxsize=256)  # a log calls the same few tools thousands of times
def kind_of(tool: str) -> CallKind:
    if tool.startswith(_OWN):
        # What recapd tells an agent of the past is looked up, and no news.
        return "record" if tool.endswith("record") else "recall"
    return _KINDS.get(tool) or _KINDS.get(tool.lower(), "other")
