-- recapd in Neovim: where your conversations with coding agents stand. See :help recapd.
local M = {
  options = {
    -- What speaks to the daemon on stdin and stdout.
    command = { "recapd", "connect" },
    -- How the recap is opened: a command of Vim's, such as "botright vsplit" or "tabnew".
    open = "botright vsplit",
    width = 72,
  },
}

local daemon = require("recapd.daemon")
-- The recap window's buffer, the session it shows (nil: the latest of the folder), its subscription, where turns stand.
local page = { buffer = nil, session = nil, name = nil, refs = {}, asked = 0 }
local status = { text = "", name = nil }

local STATES = { active = "working", waiting = "needs you", answered = "your turn", interrupted = "broke off" }

function M.setup(options)
  M.options = vim.tbl_deep_extend("force", M.options, options or {})
end

local function workspace()
  return vim.fn.getcwd()
end

local function selector()
  return page.session and { id = page.session } or { workspace = workspace() }
end

-- ---- the recap

local function is_shown()
  return page.buffer and vim.api.nvim_buf_is_valid(page.buffer)
end

local function fill(lines)
  local buffer = page.buffer
  -- Where the reader is stays where it is, unless that is the end.
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
end

local function lines_of(result)
  local recap = result.recap or {}
  local state = recap.state or {}
  local stats = recap.stats or {}
  local parts = { STATES[state.status] or state.status or "" }
  if stats.turns then
    table.insert(parts, stats.turns .. (stats.turns == 1 and " turn" or " turns"))
  end
  if stats.filesChanged and stats.filesChanged > 0 then
    table.insert(parts, stats.filesChanged .. (stats.filesChanged == 1 and " file" or " files"))
  end
  page.title = table.concat(parts, " · ")
  return vim.split(result.markdown, "\n")
end

local function refresh()
  if not is_shown() then
    return
  end
  -- Answers may overtake each other, and what was asked before may be about another session.
  page.asked = page.asked + 1
  local asked = page.asked
  daemon.ask("recap/get", { session = selector(), format = "full" }, function(result)
    if not is_shown() or asked ~= page.asked then
      return
    end
    page.shown = result.sessionId
    fill(lines_of(result))
    for _, window in ipairs(vim.fn.win_findbuf(page.buffer)) do
      vim.wo[window].winbar = (" recapd · " .. page.title):gsub("%%", "%%%%")
    end
  end, function(message)
    if is_shown() and asked == page.asked then
      fill({ "# recapd", "", message, "", "`:RecapdSessions` shows sessions of all folders." })
    end
  end)
end

local function follow()
  if page.name then
    daemon.unfollow(page.name)
  end
  local wanted = page.session and { session = { id = page.session } } or { workspace = workspace() }
  page.name = daemon.follow(wanted, refresh)
end

--- The turn that a line of the recap names, in the log itself.
local function show_turn()
  local turn = tonumber(vim.api.nvim_get_current_line():match("turn (%d+)"))
  if not turn then
    return
  end
  daemon.ask("transcript/get", { session = { id = page.shown }, turn = turn, format = "markdown" }, function(result)
    vim.cmd("botright new")
    local buffer = vim.api.nvim_get_current_buf()
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(result.markdown or "", "\n"))
    vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].syntax = "nofile", "wipe", "markdown"
    vim.bo[buffer].modifiable = false
    vim.keymap.set("n", "q", "<cmd>close<cr>", { buffer = buffer, desc = "Close" })
  end)
end

--- Open the recap of a session, by its id, or of the latest of this folder, and keep it up to date.
function M.recap(session)
  page.session = session
  if is_shown() then
    local window = vim.fn.bufwinid(page.buffer)
    if window == -1 then
      vim.cmd(M.options.open)
      vim.api.nvim_win_set_buf(0, page.buffer)
    else
      vim.api.nvim_set_current_win(window)
    end
  else
    vim.cmd(M.options.open)
    page.buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_win_set_buf(0, page.buffer)
    vim.api.nvim_buf_set_name(page.buffer, "recapd://recap")
    -- By its syntax alone: Neovim 0.12 wants a parser for the file type, which not everybody has.
    vim.bo[page.buffer].filetype = "recapd"
    vim.bo[page.buffer].syntax = "markdown"
    vim.bo[page.buffer].bufhidden = "wipe"
    fill({ "…" })
    local function map(key, action, desc)
      vim.keymap.set("n", key, action, { buffer = page.buffer, desc = desc, nowait = true })
    end
    map("q", "<cmd>close<cr>", "Close the recap")
    map("R", refresh, "Ask again")
    map("s", M.sessions, "Choose a session")
    map("d", M.decisions, "Decisions in the quickfix list")
    map("<cr>", show_turn, "Show the turn that this line names")
    vim.api.nvim_create_autocmd("BufWipeout", {
      buffer = page.buffer,
      callback = function()
        daemon.unfollow(page.name)
        page.buffer, page.name = nil, nil
      end,
    })
  end
  local window = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_width(window) > M.options.width and M.options.open:find("vsplit") then
    vim.api.nvim_win_set_width(window, M.options.width)
  end
  local view = vim.wo[window]
  view.wrap, view.linebreak, view.breakindent = true, true, true
  view.number, view.relativenumber, view.signcolumn, view.spell = false, false, "no", false
  view.conceallevel, view.winfixwidth, view.list = 2, true, false
  follow()
  refresh()
end

-- ---- sessions

local function age(at)
  local year, month, day, hour, minute = (at or ""):match("(%d+)-(%d+)-(%d+)T(%d+):(%d+)")
  if not year then
    return ""
  end
  local then_s = os.time({ year = year, month = month, day = day, hour = hour, min = minute })
  local minutes = math.floor((os.time(os.date("!*t")) - then_s) / 60)
  if minutes < 60 then
    return math.max(minutes, 0) .. " min"
  elseif minutes < 60 * 48 then
    return math.floor(minutes / 60) .. " h"
  end
  return math.floor(minutes / 1440) .. " d"
end

--- Choose a session, those that need you first; its recap is shown.
function M.sessions(options)
  options = options or {}
  local params = options.all and { limit = 100 } or { limit = 100, workspace = workspace() }
  daemon.ask("session/overview", params, function(result)
    if #result.sessions == 0 then
      if not options.all then
        M.sessions({ all = true })
        return
      end
      daemon.unless_reading(function()
        vim.notify("recapd: no session is known yet", vim.log.levels.INFO)
      end, function()
        M.sessions(options)
      end)
      return
    end
    vim.ui.select(result.sessions, {
      prompt = "Sessions",
      format_item = function(row)
        local state = STATES[row.state] or row.state
        return string.format("%-9s %6s  %s", state, age(row.lastActiveAt), row.title ~= "" and row.title or row.id)
      end,
    }, function(row)
      if row then
        M.recap(row.id)
      end
    end)
  end)
end

-- ---- decisions

--- What holds of what was decided, in the quickfix list; each leads to the line of the log that says so.
function M.decisions()
  daemon.ask("decisions/list", { session = selector(), status = "active" }, function(result)
    local items = {}
    for _, each in ipairs(result.decisions) do
      table.insert(items, {
        filename = vim.uri_to_fname(each.ref.source),
        lnum = each.ref.line,
        text = string.format("[turn %d, %s] %s", each.turn, each.madeBy == "user" and "you" or each.madeBy, each.text),
      })
    end
    vim.fn.setqflist({}, " ", { title = "Decisions that hold", items = items })
    if #items > 0 then
      vim.cmd("botright copen")
    else
      vim.notify("recapd: nothing was decided in this session", vim.log.levels.INFO)
    end
  end)
end

-- ---- why

local function lines_about(found)
  local lines = { "turn " .. found.turn .. " · " .. found.agent .. " · " .. age(found.at) .. " ago · " .. found.title }
  if found.request ~= "" then
    table.insert(lines, "asked    " .. found.request)
  end
  for _, each in ipairs(found.decisions) do
    table.insert(lines, "decided  " .. (each.headline or each.text))
  end
  return lines
end

local function show_beside(lines)
  -- Not as Markdown: its parser is not there in every Neovim.
  vim.lsp.util.open_floating_preview(lines, "plaintext", { border = "rounded", focus_id = "recapd", max_width = 80 })
end

--- Which turn wrote the line under the cursor, in a window beside it.
function M.why()
  local buffer = vim.api.nvim_get_current_buf()
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == "" or vim.bo[buffer].buftype ~= "" then
    vim.notify("recapd: this buffer is no file", vim.log.levels.INFO)
    return
  end
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
  local function ask()
    daemon.ask("why/get", { path = path, line = line, text = text }, function(result)
      local found = result.lines[1]
      if found then
        show_beside(lines_about(found))
      elseif result.edits and result.edits > 0 then
        show_beside({ "No session is proved to have written this line as it is now." })
      else
        daemon.unless_reading(function()
          show_beside({ "No known session changed this file." })
        end, ask)
      end
    end)
  end
  ask()
end

-- ---- status line

local function look_at_status()
  daemon.ask("session/overview", { workspace = workspace(), limit = 1 }, function(result)
    local first = result.sessions[1]
    if (result.needsYou or 0) > 0 then
      status.text = result.needsYou .. (result.needsYou == 1 and " needs you" or " need you")
    elseif first then
      status.text = (STATES[first.state] or first.state) .. (first.turn > 0 and (" · turn " .. first.turn) or "")
    else
      status.text = ""
    end
    vim.cmd("redrawstatus!")
  end, function() end)
end

--- For a status line: `%{v:lua.require'recapd'.statusline()}`. Follows by itself from the first time it is asked.
function M.statusline()
  if not status.name then
    status.name = daemon.follow({ workspace = workspace() }, look_at_status)
    look_at_status()
  end
  return status.text
end

return M
