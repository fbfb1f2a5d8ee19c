-- recapd in Neovim: where your conversations with coding agents stand. See :help recapd.
local M = {
  options = {
    -- What speaks to the daemon on stdin and stdout.
    command = { "recapd", "connect" },
    -- How the recap is opened: a command of Vim's, such as "botright vsplit" or "tabnew"; nil: beside the other windows
    -- where the screen is wide enough for that, else below them.
    open = nil,
    width = 72,
  },
}

local daemon = require("recapd.daemon")
local pages = require("recapd.page")
-- The recap window's buffer, the session it is to show (nil: the latest of the folder) and the one it shows, its
-- subscription, by line the statement that stands there, and how often it was asked for.
local page = { buffer = nil, session = nil, shown = nil, name = nil, items = {}, asked = 0 }
-- Below that, two columns of text are too narrow to be read.
local LEAST_COLUMNS = 100
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

--- Where a line of the buffer is: the statement it is of, else its number.
local function place_of(line)
  local item = page.items[line]
  return { id = item and item.id, line = line }
end

local function line_at(place)
  for line, item in pairs(place.id and page.items or {}) do
    if item.id == place.id then
      return line
    end
  end
  return place.line
end

--- Whoever reads a statement stays at it, also where others come before it.
local function fill(new)
  local places = {}
  for _, window in ipairs(vim.fn.win_findbuf(page.buffer)) do
    local view = vim.api.nvim_win_call(window, vim.fn.winsaveview)
    places[window] = { at = place_of(view.lnum), below_top = view.lnum - view.topline, column = view.col }
  end
  page.items = new.items
  pages.put(new, page.buffer)
  for window, place in pairs(places) do
    local line = math.min(line_at(place.at), #new.lines)
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ lnum = line, col = place.column, topline = math.max(line - place.below_top, 1) })
    end)
  end
end

local function count_of(count, noun)
  return (count or 0) .. " " .. noun .. (count == 1 and "" or "s")
end

local KEYS = "⏎ turn  s sessions  d decisions  q close "

--- For the line above the recap: whose it is, how it stands, and what the keys do, where there is room.
local function bar_of(result, width)
  local recap = result.recap
  local parts = {
    vim.split(result.sessionId, ":")[1],
    STATES[recap.state.status] or recap.state.status,
    count_of(recap.stats.turns, "turn"),
    count_of(recap.stats.filesChanged, "file"),
  }
  local told = " " .. table.concat(parts, " · ")
  local has_room = vim.fn.strdisplaywidth(told .. "  " .. KEYS) <= width
  return told:gsub("%%", "%%%%") .. (has_room and "%=%#RecapdNote#" .. KEYS or "")
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
    fill(pages.of_recap(result))
    for _, window in ipairs(vim.fn.win_findbuf(page.buffer)) do
      vim.wo[window].winbar = bar_of(result, vim.api.nvim_win_get_width(window))
    end
  end, function(message)
    if is_shown() and asked == page.asked then
      local lines = { message, "", ":RecapdSessions! shows the sessions of all folders." }
      fill({ lines = lines, highlights = {}, items = {} })
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

--- Show the file that the line under the cursor is about, else the turn it belongs to.
local function visit()
  local item = page.items[vim.api.nvim_win_get_cursor(0)[1]]
  local path = item and item.fileUri and vim.uri_to_fname(item.fileUri)
  if path and vim.fn.filereadable(path) == 1 then
    vim.cmd("wincmd p")
    vim.cmd.edit(vim.fn.fnameescape(path))
  elseif item and (item.turn or 0) > 0 then
    daemon.ask("transcript/get", { session = { id = page.shown }, turn = item.turn }, function(result)
      vim.cmd("botright new")
      local buffer = vim.api.nvim_get_current_buf()
      pages.put(pages.of_turn(result), buffer)
      vim.bo[buffer].buftype, vim.bo[buffer].bufhidden = "nofile", "wipe"
      pages.dress(0)
      vim.keymap.set("n", "q", "<cmd>close<cr>", { buffer = buffer, desc = "Close" })
    end)
  end
end

local function open_window()
  local is_wide = vim.o.columns >= LEAST_COLUMNS
  local command = M.options.open or (is_wide and "botright vsplit" or "botright split")
  vim.cmd(command)
  if command:find("vsplit") and vim.api.nvim_win_get_width(0) > M.options.width then
    vim.api.nvim_win_set_width(0, M.options.width)
  end
end

--- Open the recap of a session, by its id, or of the latest of this folder, and keep it up to date.
function M.recap(session)
  page.session = session
  if is_shown() then
    local window = vim.fn.bufwinid(page.buffer)
    if window == -1 then
      open_window()
      vim.api.nvim_win_set_buf(0, page.buffer)
    else
      vim.api.nvim_set_current_win(window)
    end
  else
    open_window()
    page.buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_win_set_buf(0, page.buffer)
    vim.api.nvim_buf_set_name(page.buffer, "recapd://recap")
    vim.bo[page.buffer].filetype = "recapd"
    vim.bo[page.buffer].bufhidden = "wipe"
    fill({ lines = { "…" }, highlights = {}, items = {} })
    local function map(key, action, desc)
      vim.keymap.set("n", key, action, { buffer = page.buffer, desc = desc, nowait = true })
    end
    map("q", "<cmd>close<cr>", "Close the recap")
    map("R", refresh, "Ask again")
    map("s", M.sessions, "Choose a session")
    map("d", M.decisions, "Decisions in the quickfix list")
    map("<cr>", visit, "Show the turn, or the file, that this line is about")
    vim.api.nvim_create_autocmd("BufWipeout", {
      buffer = page.buffer,
      callback = function()
        daemon.unfollow(page.name)
        page.buffer, page.name, page.items = nil, nil, {}
      end,
    })
  end
  pages.dress(0)
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
  daemon.ask("recap/get", { session = selector(), format = "decisions" }, function(result)
    local items = {}
    for _, section in ipairs(result.view and result.view.sections or {}) do
      for _, each in ipairs(section.name == "decisions" and section.items or {}) do
        if each.status == "active" and each.refs[1] then
          table.insert(items, {
            filename = vim.uri_to_fname(each.refs[1].source),
            lnum = each.refs[1].line,
            -- Shown in place of the log's name, which says nothing.
            module = string.format("turn %d, %s", each.turn, pages.who(each) or "nobody"),
            text = each.text,
          })
        end
      end
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
