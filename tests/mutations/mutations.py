"""What must not break unnoticed: a change of the source for each, and the tests that see it. Data only.

A mutation is one piece of text of a file that stands there once, and what is put in its place. Whoever rewrites such a
line puts the new one here; whoever finds that a feature can go without a test failing adds a row.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Mutation(Struct, frozen=True):
    # What is broken by it, as a user would say it.
    breaks: str
    # Below the package.
    file: str
    text: str
    instead: str
    # As pytest names them, below the folder of tests. At least one of each must fail.
    caught_by: tuple[str, ...]


_000: Final = "cli/test_seed_000_logs.py::"
_001: Final = "core/test_seed_001_recap.py::"
_001_BUGS: Final = "core/test_seed_001_bugs.py::"
_001_LOGS: Final = "cli/test_seed_001_logs.py::"
_002: Final = "core/test_seed_002_summaries.py::"
_003: Final = "cli/test_seed_003_logs.py::"
_003_CORE: Final = "core/test_seed_003_summarization.py::"
_004: Final = "cli/test_seed_004_logs.py::"
_002_LOGS: Final = "cli/test_seed_002_logs.py::"
_CHANGED: Final = f"{_000}test_what_is_decided_is_kept_and_what_is_replaced_says_so"
_PROVED: Final = f"{_000}test_each_decision_leads_to_the_line_that_proves_it"
_MINDS: Final = "core/decisions/test_changed_minds.py::"
_BESIDE: Final = "core/decisions/test_beside_work.py::"
_WHOLE: Final = f"{_003}test_a_session_file_is_read_whole"

MUTATIONS: Final = (
    # ---- seed 000: recaps and decisions
    Mutation(
        "no decision is found",
        "core/decisions/find/find.py",
        "    return tuple(sorted(found, key=lambda each: (each.place.offset, each.ordinal)))",
        "    return ()",
        (_CHANGED, _WHOLE),
    ),
    Mutation(
        "no decision is ever replaced",
        "core/decisions/ledger/signs.py",
        "                if sign.holds(pair):\n                    return sign",
        "                if sign.holds(pair):\n                    return None",
        (_CHANGED,),
    ),
    Mutation(
        "a task that somebody wants otherwise later was never a choice",
        "core/decisions/ledger/past.py",
        "            replaced = self._wanted_otherwise(subject)",
        "            replaced = []",
        (f"{_MINDS}test_what_takes_the_place_of_a_task_shows_that_it_was_a_choice",),
    ),
    Mutation(
        "whatever is wanted of a thing besides replaces that it was to be made",
        "core/decisions/ledger/wanted.py",
        '    if earlier.finding.wants == "thing":\n        return False\n',
        "",
        ("core/decisions/test_changed_minds.py::test_what_is_for_something_else_added_asked_or_past_replaces_nothing",),
    ),
    Mutation(
        "recaps are shown from the first turn on",
        "core/views/recap/shown.py",
        "    if turn > settings.turn_threshold:",
        "    if turn > 0:",
        (f"{_000}test_a_recap_is_shown_once_the_conversation_is_deep",),
    ),
    Mutation(
        "recaps are never shown by depth",
        "core/views/recap/shown.py",
        "    if turn > settings.turn_threshold:",
        "    if turn > settings.turn_threshold + 1:",
        (f"{_000}test_a_recap_is_shown_once_the_conversation_is_deep",),
    ),
    Mutation(
        "the budget of a recap is ignored",
        "core/views/recap/page.py",
        "    kept = drop_to_fit(page.parts, lambda some: _tokens(some, page.separator) <= room)",
        "    kept = list(page.parts)",
        (f"{_000}test_a_recap_is_never_longer_than_asked_for",),
    ),
    Mutation(
        "no recap is folded",
        "core/views/recap/page.py",
        "    if collapsible:\n        room = room_below(page.head, max_tokens=max_tokens, collapsible=True)",
        "    if False:\n        room = room_below(page.head, max_tokens=max_tokens, collapsible=True)",
        (f"{_000}test_a_recap_is_folded_where_that_is_asked_for",),
    ),
    Mutation(
        "secrets are shown",
        "core/text/excerpts.py",
        "    return redact(clean(text)) if text else text",
        "    return clean(text) if text else text",
        (f"{_000}test_no_secret_and_no_markup_of_a_request_reaches_a_page",),
    ),
    Mutation(
        "a compressed session begins with its summary",
        "adapters/pi/messages.py",
        '_SUMMARY_HEAD = "[Session Summary"',
        '_SUMMARY_HEAD = "[Another head"',
        (f"{_000}test_a_compressed_session_begins_with_the_users_own_request",),
    ),
    Mutation(
        "refs are off by one",
        "core/log/lines.py",
        "    lines = list(zip(pieces, map(Place, count(carry.line), offsets, lengths), strict=True))",
        "    lines = list(zip(pieces, map(Place, count(carry.line + 1), offsets, lengths), strict=True))",
        (_PROVED,),
    ),
    Mutation(
        "markup of a log is markup of a page",
        "core/hygiene.py",
        "def escape_markdown(text: str) -> str:\n",
        "def escape_markdown(text: str) -> str:\n    return text\n",
        (f"{_000}test_no_secret_and_no_markup_of_a_request_reaches_a_page",),
    ),
    Mutation(
        "an orientation is about the prompt before",
        "core/views/recap/shown.py",
        "    return msgspec.structs.replace(recap, upcoming=upcoming)",
        "    return recap",
        (f"{_000}test_an_orientation_is_about_the_prompt_and_its_turn",),
    ),
    Mutation(
        "a nod is told without what it accepts",
        "core/views/recap/requests.py",
        "    asked = [turn.request for turn in recap.turns[-1:]] if recap.upcoming is None else [recap.upcoming]",
        "    asked = [turn.request for turn in recap.turns[-1:]] if recap.upcoming is None else []",
        (f"{_000}test_an_orientation_is_about_the_prompt_and_its_turn",),
    ),
    Mutation(
        "its own configuration is not read",
        "daemon/config/layers.py",
        'FOREIGN_FILES = {".GITCLAW/recap.json": "gitclaw"}',
        "FOREIGN_FILES: dict[str, str] = {}",
        (f"{_000}test_its_own_configuration_is_obeyed",),
    ),
    Mutation(
        "what a harness asks before it forgets is the user's request",
        "adapters/shared/injected.py",
        '    "pre-compaction memory flush",\n',
        '    "another flush",\n',
        (f"{_000}test_what_a_harness_asks_before_it_forgets_is_nobodys_request",),
    ),
    Mutation(
        "a reader is told the same again",
        "server/points.py",
        "    return news_page(facts, point_of(service, session, Since(consumer=consumer)))",
        "    return facts",
        ("server/test_since.py::test_a_reader_is_told_what_changed_beside_the_whole_recap",),
    ),
    Mutation(
        "what a summary left to do is forgotten",
        "core/views/recap/full.py",
        "    return [*items, *pending_items(recap)]",
        "    return items",
        (f"{_000}test_what_a_compressed_session_left_to_do_is_open",),
    ),
    Mutation(
        "a decision does not say what it replaced",
        "core/views/recap/decisions.py",
        "def replaced_by(entries: Sequence[Entry], entry: Entry) -> list[Entry]:\n",
        "def replaced_by(entries: Sequence[Entry], entry: Entry) -> list[Entry]:\n    return []\n",
        (f"{_000}test_the_list_of_decisions_is_decisions_only",),
    ),
    # ---- seed 001: the digest
    Mutation(
        "the digest is told backwards",
        "core/summaries/digest/select.py",
        "    for at in sorted(taken):",
        "    for at in sorted(taken, reverse=True):",
        (f"{_001}test_step_7_the_selection_is_in_order_of_time",),
    ),
    Mutation(
        "the digest ignores its budget",
        "core/summaries/digest/select.py",
        "    if count_for_budget(text + _LINE_END) > budget:\n"
        "        text = fit_tokens(text, budget - count_for_budget(_LINE_END))\n",
        "    text = text_with(range(len(candidates)))\n",
        (f"{_001_BUGS}test_3_1_c_the_budget_is_a_cap_headings_and_line_ends_included",),
    ),
    Mutation(
        "the end of a session does not outlive its beginning",
        "core/summaries/digest/select.py",
        "    taken = first if first and left(first) >= 0 else []",
        "    taken = [0][: len(candidates)]",
        (f"{_001_LOGS}test_the_end_outlives_the_beginning",),
    ),
    Mutation(
        "nobody is told how the last session ended",
        "core/views/context/facts.py",
        "def warning_of(standing: Standing) -> str:\n",
        "def warning_of(standing: Standing) -> str:\n    return ''\n",
        (f"{_001_LOGS}test_the_next_instance_is_told_how_the_last_one_ended",),
    ),
    Mutation(
        "what failed is told as done",
        "core/state/call_lines.py",
        '    if not step.ok:\n        if step.kind == "shell":',
        '    if False:\n        if step.kind == "shell":',
        (f"{_001_BUGS}test_3_1_a_what_failed_or_was_refused_is_no_success_in_the_digest", _WHOLE),
    ),
    Mutation(
        "a file of somebody's own is written over",
        "core/views/recap_file.py",
        "    return _OURS_RE.match(first_line) is not None",
        "    return True",
        ("daemon/test_workspaces_on.py::test_a_foreign_file_is_told_with_the_answer",),
    ),
    Mutation(
        "a file of somebody's own is not told of before there is a session",
        "daemon/recap_file/files.py",
        "        check(folder)\n",
        "",
        ("daemon/test_workspaces_on.py::test_a_foreign_file_is_told_with_the_answer",),
    ),
    Mutation(
        "lists of sessions do not tell how one ended",
        "server/methods/session.py",
        "        ended=_end_of(session, stand),\n",
        "        ended=None,\n",
        ("cli/test_sessions_ended.py::test_a_list_tells_how_a_session_ended_and_what_was_noted",),
    ),
    Mutation(
        "a digest leaves room empty where words come again",
        "core/summaries/digest/select.py",
        "    taken += _rest(statements, costs, taken, left(taken))\n",
        "",
        (f"{_001_LOGS}test_a_budget_is_used_also_where_the_words_come_again",),
    ),
    Mutation(
        "what was remembered and answered is a deed like others",
        "core/summaries/digest/script.py",
        'frozenset(("remember", "ask"))',
        "frozenset(())",
        (f"{_001_LOGS}test_a_budget_of_a_thousand_tokens_tells_the_work_by_its_episodes",),
    ),
    Mutation(
        "the look at the clock is told",
        "core/summaries/digest/script.py",
        '        if step.kind not in ("status", "todo")',
        '        if step.kind not in ("todo",)',
        (f"{_001_LOGS}test_status_is_dropped",),
    ),
    Mutation(
        "a log that names no folder is told of nowhere",
        "server/workspaces.py",
        "    return (folder, os.path.join(parent, beside)) if beside else (folder,)",
        "    return ()",
        (f"{_001_LOGS}test_a_log_that_names_no_folder_is_told_of_where_it_lies",),
    ),
    Mutation(
        "a recap file tells nothing of what an agent did by itself",
        "core/views/recap_file.py",
        "        _escaped_lines(digest)\n        or presentable",
        "        presentable",
        (f"{_001_LOGS}test_its_recap_file_tells_the_work_by_its_episodes",),
    ),
    Mutation(
        "the workspace beside the logs is not known",
        "server/workspaces.py",
        '_BESIDE_LOGS = {"logs": "workspace"}',
        "_BESIDE_LOGS: dict[str, str] = {}",
        (f"{_001_LOGS}test_a_log_that_names_no_folder_is_told_of_where_it_lies",),
    ),
    # ---- seed 002: rolling summaries
    Mutation(
        "a summary is due with every message",
        "core/summaries/policy.py",
        "    if counted >= summary.every_messages:",
        "    if counted >= 1:",
        (f"{_002}test_by_default_20_messages_outside_the_window_make_one_due_and_then_20_more",),
    ),
    Mutation(
        "a message is in neither the summary nor the window",
        "core/summaries/policy.py",
        "    last = verbatim_from(transcript, settings.window) - 1\n    if last < first:",
        "    last = verbatim_from(transcript, settings.window) - 2\n    if last < first:",
        (f"{_002}test_3_2_d_3_3_a_no_hole_and_no_overlap_between_summarised_and_verbatim",),
    ),
    Mutation(
        "a summary forgets the one before it",
        "core/summaries/facts.py",
        "        files=_latest(before.files, new.files, lambda each: each.path, MAX_FILES),",
        "        files=new.files,",
        (f"{_003_CORE}test_nothing_structured_is_lost_over_ten_generations",),
    ),
    Mutation(
        "summaries are made although they are switched off",
        "core/summaries/policy.py",
        "    summary = settings.summary\n    if not summary.enabled:\n        return None",
        "    summary = settings.summary\n    if False:\n        return None",
        (f"{_002}test_switched_off_none_is_due", f"{_003_CORE}test_settings_enabled_false_makes_none"),
    ),
    Mutation(
        "a context leaves its summary out",
        "core/views/context/context.py",
        '        put("summary", section, is_empty=not told and not stored and not unasked)',
        '        put("summary", None, is_empty=not told and not stored and not unasked)',
        (f"{_003}test_a_summary_made_without_a_daemon_is_kept",),
    ),
    Mutation(
        "who the user is fades with the second summary",
        "core/summaries/facts.py",
        "        user_facts=_union(before.user_facts, new.user_facts, _words_of, MAX_NOTES),",
        "        user_facts=new.user_facts,",
        (f"{_002_LOGS}test_the_second_summary_still_knows_who_the_user_is",),
    ),
    Mutation(
        "what was promised fades with the second summary",
        "core/summaries/facts.py",
        "        commitments=_union(before.commitments, new.commitments, _words_of, MAX_NOTES),",
        "        commitments=new.commitments,",
        (f"{_002_LOGS}test_the_second_summary_still_knows_who_the_user_is",),
    ),
    Mutation(
        "what she told others she would do is no commitment",
        "core/summaries/cues.py",
        "(?:told|assured|swore|said|agreed)",
        "(?:assured|swore|said|agreed)",
        (f"{_002_LOGS}test_what_she_told_others_she_would_do_is_a_commitment",),
    ),
    Mutation(
        "what is said with a doubt is decided",
        "core/decisions/find/plain.py",
        "        or _HEDGED_RE.search(said)\n",
        "",
        (f"{_002_LOGS}test_small_talk_is_not_decided",),
    ),
    Mutation(
        "small talk is decided",
        "core/decisions/find/candidates_human.py",
        "    return _with_wants(heard, [_as_taken_up(heard, each) for each in _said_in(heard)])\n",
        "    return _said_in(heard)\n",
        (f"{_002_LOGS}test_small_talk_is_not_decided",),
    ),
    Mutation(
        "what is told of a fault is decided",
        "core/decisions/find/candidates_human.py",
        "    is_cause = tells_how_it_was(reply) or (mends(reply) and is_fault) or _is_enquired(heard, found, reply)\n",
        "    is_cause = False\n",
        (
            f"{_BESIDE}test_a_fault_of_which_the_agent_tells_how_it_was_decides_nothing",
            f"{_BESIDE}test_a_first_message_of_which_the_agent_tells_that_it_is_mended_decides_nothing",
        ),
    ),
    Mutation(
        "what is put off is decided",
        "core/decisions/find/candidates_human.py",
        "    if _is_put_off(found, reply):\n        return _passed_over(found)\n",
        "",
        (f"{_BESIDE}test_what_is_beside_the_work_in_jest_or_told_of_others_is_not_decided",),
    ),
    Mutation(
        "a summary of a talk is cut to a share of it",
        "daemon/config/presets.py",
        '        "summary.target_compression": 1.0,\n',
        '        "summary.target_compression": 0.1,\n',
        (f"{_002_LOGS}test_a_summary_is_not_cut_to_a_share_of_what_it_covers",),
    ),
    Mutation(
        "ten long exchanges get no summary",
        "daemon/config/presets.py",
        '        "window.max_tokens": 3000,\n',
        "",
        (f"{_002_LOGS}test_ten_exchanges_are_summarised_where_they_are_long",),
    ),
    # ---- seed 003: session files, tools, the system prompt
    Mutation(
        "roles are swapped",
        "adapters/chat/openai/messages.py",
        '    "user": _user,\n    "human": _user,\n    "assistant": _assistant,',
        '    "user": _assistant,\n    "human": _user,\n    "assistant": _user,',
        (_WHOLE,),
    ),
    Mutation(
        "results do not find their calls",
        "adapters/chat/anthropic_messages.py",
        'block.tool_use_id or block.toolUseId or ""',
        'block.tool_use_id or ""',
        (_WHOLE,),
    ),
    Mutation(
        "failed calls count as successes",
        "adapters/chat/anthropic_messages.py",
        "    is_error = block.isError if block.is_error is None else block.is_error",
        "    is_error = block.is_error",
        (f"{_003}test_tools_used_are_counted_with_failures_and_notable_uses",),
    ),
    Mutation(
        "summaries beside recent messages are lost",
        "adapters/chat/openai/document.py",
        "    if not chat.messages and chat.summaries:",
        "    if False:",
        (f"{_003}test_a_compressed_session_begins_with_what_is_left_of_it",),
    ),
    Mutation(
        "calls of a log that is one document are not summarised",
        "server/log_texts.py",
        "    records = service.document_records(source)\n",
        "    records = ()\n",
        (f"{_003}test_tools_used_are_counted_with_failures_and_notable_uses",),
    ),
    Mutation(
        "failures of tools are not counted",
        "core/state/actions.py",
        "        draft.failed_tools[tool] = draft.failed_tools.get(tool, 0) + 1",
        "        draft.failed_tools[tool] = 0",
        (f"{_003}test_tools_used_are_counted_with_failures_and_notable_uses",),
    ),
    Mutation(
        "notable uses are the latest three",
        "core/tool_use.py",
        "sorted(latest_first, key=lambda each: (not each.changes, -each.count, -each.seconds))[:NOTABLE_USES]",
        "latest_first[:NOTABLE_USES]",
        (f"{_003}test_notable_uses_are_those_that_changed_something_and_then_the_most_frequent",),
    ),
    Mutation(
        "the system prompt is dropped",
        "core/state/folding.py",
        "        draft.instructions = (*draft.instructions, record.place)",
        "        pass",
        (f"{_003}test_the_system_prompt_is_in_every_context",),
    ),
    Mutation(
        "a long system prompt takes all of a context",
        "core/views/context/context.py",
        "min(total // _PINNED_SHARE, _MOST_PINNED)",
        "total",
        (f"{_003}test_a_long_system_prompt_leaves_room_for_the_conversation",),
    ),
    Mutation(
        "a summary made without a daemon is not kept",
        "server/methods/summary.py",
        "        keep_summary(service.durable, session.id, made, wanted)",
        "        pass",
        (f"{_003}test_a_summary_made_without_a_daemon_is_kept",),
    ),
    Mutation(
        "the target of compression is ignored",
        "core/summaries/write.py",
        "    share = int(covered_tokens * target_compression)",
        "    share = covered_tokens",
        (f"{_003_CORE}test_settings_target_compression_is_honoured",),
    ),
    Mutation(
        "a summary has what was decided after its messages",
        "core/summaries/facts.py",
        "for entry in ledger if entry.finding.message <= last and _counts(entry)),",
        "for entry in ledger if _counts(entry)),",
        (f"{_003}test_what_was_decided_is_in_the_summary_and_what_was_replaced_is_not",),
    ),
    # ---- seed 004: messages, checkpoints, progress
    Mutation(
        "checkpoints are refused",
        "adapters/chat/agent_documents.py",
        "    if _CHECKPOINT_KEYS.isdisjoint(fields):",
        "    if True:",
        (f"{_004}test_messages_are_read_however_they_were_saved",),
    ),
    Mutation(
        "the stage of a checkpoint is lost",
        "adapters/chat/agent_documents.py",
        "    if text_in(stage).strip():",
        "    if False:",
        (f"{_004}test_stages_of_a_checkpoint_are_shown_to_who_resumes",),
    ),
    Mutation(
        "markers of stages are not seen",
        "core/state/stages.py",
        "    for record, text in (said[row] for row in sorted(rows)):",
        "    for record, text in ():",
        (f"{_004}test_stages_are_told_by_markers_and_then_by_what_is_done",),
    ),
    Mutation(
        "whatever mentions a stage names it",
        "core/state/stages.py",
        "            if named := pattern.fullmatch(clause):",
        "            if named := pattern.search(clause):",
        (f"{_004}test_what_only_mentions_a_stage_names_none",),
    ),
    Mutation(
        "tests that run tell no stage",
        "core/views/recap/recap.py",
        '        return "testing"',
        '        return ""',
        (f"{_004}test_stages_are_told_by_markers_and_then_by_what_is_done",),
    ),
    Mutation(
        "lists of work are not counted where they are ticked off in words",
        "core/state/progress.py",
        "        if len(found) >= _LEAST_TICKED and",
        "        if False and",
        (f"{_004}test_the_percentage_comes_from_a_list_that_is_ticked_off",),
    ),
    Mutation(
        "what failed is a milestone",
        "core/state/progress.py",
        "    is_clean = not (result.process or result.failed or result.exit_code)\n    if hints.brings",
        "    is_clean = True\n    if hints.brings",
        (f"{_004}test_milestones_have_their_proof",),
    ),
    Mutation(
        "deployments are no milestones",
        "core/commands/releases.py",
        "    if not hints_of(command).brings:",
        "    if True:",
        (f"{_004}test_milestones_have_their_proof",),
    ),
    Mutation(
        "a deleted file is not told as deleted",
        "core/commands/effects.py",
        'claim(found, folder, "deleted", *operands(words, _NO_VALUES))',
        'claim(found, folder, "modified", *operands(words, _NO_VALUES))',
        (f"{_004}test_messages_are_read_however_they_were_saved",),
    ),
    Mutation(
        "the formatted summary does not say which tools were used",
        "core/views/recap/summary.py",
        "    if tools := tools_used(recap):\n        lines.append(",
        "    if tools := tools_used(recap):\n        str(",
        (f"{_003}test_tools_used_are_counted_with_failures_and_notable_uses",),
    ),
    Mutation(
        "an agent that resumes is told the user's decisions where only its own count",
        "daemon/config/presets.py",
        '        "decisions.who": ("agent",),\n',
        "",
        (f"{_004}test_only_the_agent_decides_where_that_is_asked_for",),
    ),
    Mutation(
        "a file whose only edit failed was touched",
        "wire/convert.py",
        '    return fact.action if fact.touches else "untouched"',
        "    return fact.action",
        (f"{_004}test_the_summary_is_structured_and_says_the_same_as_text",),
    ),
    Mutation(
        "marks of errors are shown",
        "core/log/payload.py",
        '    text = _ERROR_TAG.sub("", text)\n',
        "",
        (f"{_004}test_what_failed_is_told_without_the_marks_of_its_tool",),
    ),
    Mutation(
        "next steps are not open",
        "core/state/session.py",
        "for step in next_steps_in(presentable(transcript.last_words))]",
        "for step in ()]",
        (f"{_004}test_what_is_left_open_is_told",),
    ),
    Mutation(
        "a list below a bold line is no list of next steps",
        "core/state/left_open.py",
        ' or line.mark == "heading" or _is_bold(line.words)):',
        ' or line.mark == "heading"):',
        (f"{_004}test_what_is_left_open_is_told",),
    ),
    Mutation(
        "a question nobody answered is not open",
        "core/state/session.py",
        'return [OpenItem(f"Not answered: {question}", "request", turn.request.place)] if question else []',
        "return []",
        (f"{_004}test_what_is_left_open_is_told",),
    ),
    # ---- all of them
    Mutation(
        "an unknown section of a context is silently left out",
        "server/methods/context.py",
        "        if name not in CONTEXT_SECTIONS:",
        "        if False:",
        (f"{_003}test_an_unknown_section_of_a_context_is_refused",),
    ),
    Mutation(
        "a context takes more than its budget",
        "core/views/context/context.py",
        "    total = max_tokens - _frame_cost(preset, max_tokens)",
        "    total = max_tokens",
        ("server/test_context_properties.py::test_any_context_keeps_its_promises",),
    ),
    Mutation(
        "a budget of nothing is taken for none",
        "cli/commands.py",
        "is not None and number < 1:",
        "is not None and number < 0:",
        ("cli/test_summaries.py::test_001_cli_numbers_below_one_are_refused",),
    ),
)
