"""The plugin for Neovim, in real headless Neovims, against the real daemon: every command as a user gives it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.opened_shop import SESSION, log_in, next_request, opened_shop
from tests.support.clock import PATIENCE_S
from tests.support.daemons import ROOT, Home

pytestmark = pytest.mark.editors

# Folders in which debootstrap put a system with another Neovim, separated by colons; see .ci/run.
SYSTEMS: list[Path | None] = [Path(each) for each in os.environ.get("RECAPD_NEOVIM", "").split(":") if each]
WAIT = """
local function wait(what, is_so)
  if not vim.wait(PATIENCE_MS, is_so, 50) then
    local shown = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
    io.stderr:write("waited in vain for " .. what .. ", and saw:\\n" .. shown .. "\\n" .. vim.fn.execute("messages"))
    vim.cmd("cquit 1")
  end
end
local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\\n")
end
local function has(text)
  return function() return text_of():find(text, 1, true) ~= nil end
end
"""


@pytest.fixture(params=SYSTEMS or [None], ids=lambda each: each.name if each else "none")
def neovim(request: pytest.FixtureRequest) -> tuple[list[str], dict[str, str]]:
    """The command and its environment, out of another system's folder and without entering it, for it has to start
    this one's recapd."""
    folder: Path | None = request.param
    if folder is None:
        pytest.skip("set RECAPD_NEOVIM to folders of debootstrap with a Neovim")
    libraries = f"{folder}/lib/x86_64-linux-gnu:{folder}/usr/lib/x86_64-linux-gnu"
    environ = {
        "VIMRUNTIME": f"{folder}/usr/share/nvim/runtime",
        "LUA_CPATH": f"{folder}/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;;",
        "LUA_PATH": f"{folder}/usr/share/lua/5.1/?.lua;;",
    }
    command = [f"{folder}/lib64/ld-linux-x86-64.so.2", "--library-path", libraries, f"{folder}/usr/bin/nvim"]
    return command, environ


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened_shop(tmp_path) as home:
        yield home


def play(home: Home, neovim: tuple[list[str], dict[str, str]], script: str, *files: str) -> None:
    """Run a script in a headless Neovim that has the plugin."""
    command, environ = neovim
    body = f"local ok, problem = pcall(function()\n{script}\nend)\n"
    end = "if not ok then io.stderr:write(tostring(problem)) vim.cmd('cquit 1') end\nvim.cmd('qall!')\n"
    patient = WAIT.replace("PATIENCE_MS", str(round(PATIENCE_S * 1000)))
    (home.folder / "test.lua").write_text(f"{patient}\n{body}{end}")
    connect = f'{{ "{sys.executable}", "-m", "recapd", "connect" }}'
    done = subprocess.run(
        [
            *command,
            "--headless",
            "--clean",
            *("--cmd", f"set rtp^={ROOT}/clients/neovim"),
            *("--cmd", "set columns=140 lines=40"),
            *("-c", f"lua require('recapd').setup({{ command = {connect} }})"),
            *("-c", f"luafile {home.folder}/test.lua"),
            # The script ends it, unless it does not even begin.
            *("-c", "cquit 1"),
            *files,
        ],
        env={**home.environ, **environ},
        cwd=home.folder / "work",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 3,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (0, ""), done.stderr


def test_the_recap_follows_live(home: Home, neovim: tuple[list[str], dict[str, str]]) -> None:
    log = log_in(home)
    (home.folder / "more").write_text(next_request(home, "Now paint it green."))
    play(
        home,
        neovim,
        f"""
        vim.cmd("Recapd")
        wait("the recap", has("Open the shop"))
        assert(not vim.bo.modifiable and vim.wo.winbar:find("your turn · 1 turn · 1 file"), vim.wo.winbar)
        assert(vim.api.nvim_win_get_width(0) < vim.o.columns, "beside the other window")
        local buffer = vim.api.nvim_get_current_buf()
        vim.fn.search("^Files changed")
        vim.cmd("normal! j")
        local file = io.open("{log}", "a")
        file:write(io.open("{home.folder}/more"):read("a"))
        file:close()
        wait("what is new", has("paint it green"))
        -- Whoever reads a statement stays at it, although others come before it.
        assert(vim.api.nvim_get_current_line():find("shop.py"), vim.api.nvim_get_current_line())
        vim.cmd("Recapd")
        assert(vim.api.nvim_get_current_buf() == buffer and #vim.api.nvim_list_wins() == 2)
        vim.cmd("normal q")
        assert(#vim.api.nvim_list_wins() == 1)
        vim.cmd("Recapd claude-code:{SESSION}")
        wait("the recap by its id", has("paint it green"))
        vim.cmd("Recapd claude-code:nobody")
        wait("a sentence", has("RecapdSessions"))
        """,
    )


def test_a_statement_leads_to_its_turn_and_a_file_to_itself(
    home: Home, neovim: tuple[list[str], dict[str, str]]
) -> None:
    play(
        home,
        neovim,
        """
        vim.o.columns = 80
        vim.cmd("Recapd")
        wait("the recap", has("Original request"))
        assert(vim.api.nvim_win_get_width(0) == vim.o.columns, "below the other window where both would be narrow")
        vim.fn.search("^Original request")
        vim.cmd("normal j")
        assert(vim.api.nvim_get_current_line():find("^   1  Open the shop"), vim.api.nvim_get_current_line())
        vim.cmd([[execute "normal \\<CR>"]])
        wait("the turn", has("▸ Write"))
        assert(text_of():find("^Turn 1 · ") and text_of():find("Agent\\n  Done: the shop is open"), text_of())
        vim.cmd("normal q")
        vim.cmd("Recapd")
        vim.fn.search("^Files changed")
        vim.cmd([[execute "normal j\\<CR>"]])
        assert(vim.fn.expand("%:t") == "shop.py", vim.fn.expand("%"))
        """,
    )


def test_sessions_are_chosen_from(home: Home, neovim: tuple[list[str], dict[str, str]]) -> None:
    play(
        home,
        neovim,
        """
        local offered
        vim.ui.select = function(items, options, choose)
          offered = options.format_item(items[1])
          choose(items[1])
        end
        for _, command in ipairs({ "RecapdSessions", "RecapdSessions!" }) do
          vim.cmd(command)
          wait("the recap", has("Open the shop"))
          assert(offered:find("Open the shop"), offered)
          vim.cmd("close")
        end
        """,
    )


def test_decisions_are_in_the_quickfix_list(home: Home, neovim: tuple[list[str], dict[str, str]]) -> None:
    play(
        home,
        neovim,
        """
        vim.cmd("RecapdDecisions")
        wait("decisions", function() return #vim.fn.getqflist() > 0 end)
        local first = vim.fn.getqflist()[1]
        assert(first.text:find("integers") and first.lnum == 1 and first.module == "turn 1, you", vim.inspect(first))
        assert(vim.fn.bufname(first.bufnr):find("%.jsonl$"))
        """,
    )


def test_why_a_line_is_there(home: Home, neovim: tuple[list[str], dict[str, str]]) -> None:
    play(
        home,
        neovim,
        """
        local function shown()
          for _, window in ipairs(vim.api.nvim_list_wins()) do
            if vim.api.nvim_win_get_config(window).relative ~= "" then
              return text_of(vim.api.nvim_win_get_buf(window))
            end
          end
          return ""
        end
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# not saved, by hand" })
        vim.api.nvim_win_set_cursor(0, { 3, 0 })
        vim.cmd("RecapdWhy")
        wait("the turn", function() return shown():find("turn 1.*Open the shop") end)
        vim.api.nvim_win_set_cursor(0, { 1, 0 })
        vim.cmd("doautocmd CursorMoved")
        vim.cmd("RecapdWhy")
        wait("that nobody wrote it", function() return shown():find("No session is proved", 1, true) end)
        """,
        "shop.py",
    )


def test_the_status_line_and_the_help(home: Home, neovim: tuple[list[str], dict[str, str]]) -> None:
    doc = ROOT / "clients" / "neovim" / "doc"
    shutil.copytree(doc, home.folder / "doc", ignore=shutil.ignore_patterns("tags"))
    play(
        home,
        neovim,
        f"""
        wait("the status", function() return require("recapd").statusline():find("turn 1") end)
        local found = vim.fn.getcompletion(":RecapdWhy", "help")
        assert(vim.tbl_contains(found, ":RecapdWhy"), vim.inspect(found))
        vim.cmd("helptags {home.folder}/doc")
        """,
    )
    # What `:helptags` would make is there already.
    assert (home.folder / "doc" / "tags").read_text() == (doc / "tags").read_text()
