-- What is shown, as lines of plain text: the statements of a recap, each behind the number of its turn, or a turn. Each
-- page has its lines, highlights as { row, from, to, group }, and by row the statement that stands there.
local M = {}

local SIDES = { user = "you", collaborative = "together" }
local GROUPS = {
  RecapdHeadline = "Title",
  RecapdHeading = "Statement",
  RecapdTurn = "Number",
  RecapdNote = "Comment",
  RecapdFailed = "DiagnosticError",
}
-- What is told of a file or a decision besides what it is.
local FATES = { created = "created", deleted = "deleted", renamed = "renamed", reversed = "taken back" }
-- So much of a result is shown; the log has the rest.
local MOST_LINES = 200

for group, like in pairs(GROUPS) do
  vim.api.nvim_set_hl(0, group, { link = like, default = true })
end

local function new_page()
  return { lines = {}, highlights = {}, items = {} }
end

--- Add a line of parts, each a text or { text, group }; line breaks in texts are no lines of their own.
local function add(page, parts, item)
  local line = ""
  for _, part in ipairs(parts) do
    local text, group = part, nil
    if type(part) == "table" then
      text, group = part[1], part[2]
    end
    text = text:gsub("[\r\n]+", " ")
    if group and text ~= "" then
      table.insert(page.highlights, { #page.lines, #line, #line + #text, group })
    end
    line = line .. text
  end
  table.insert(page.lines, line)
  page.items[#page.lines] = item
end

--- Who decided or did it, for people; nil where nobody is named.
function M.who(item)
  return item.by and (SIDES[item.by] or item.by)
end

local function note_of(item)
  local words = { M.who(item) }
  if item.status == "superseded" then
    words[1] = (words[1] and words[1] .. " " or "") .. "in turn " .. item.turn
    table.insert(words, "replaced")
  elseif FATES[item.status] then
    table.insert(words, FATES[item.status])
  end
  return #words > 0 and (" · " .. table.concat(words, ", ")) or ""
end

local function add_item(page, item, depth)
  -- Of what belongs to a statement, the turn stands in front of that; what no log says has none.
  local has_turn = depth == 0 and (item.turn or 0) > 0 and #(item.refs or {}) > 0
  add(page, {
    { has_turn and string.format("%4d  ", item.turn) or string.rep(" ", 6 + 2 * depth), "RecapdTurn" },
    item.ok == false and { item.text, "RecapdFailed" } or item.text,
    { note_of(item), "RecapdNote" },
  }, item)
  for _, child in ipairs(item.children or {}) do
    add_item(page, child, depth + 1)
  end
end

--- The answer to `recap/get`.
function M.of_recap(result)
  local page, view = new_page(), result.view or { sections = {} }
  if view.headline then
    add(page, { { view.headline.text, "RecapdHeadline" } })
  end
  local facts = {}
  for _, fact in ipairs(view.facts or {}) do
    table.insert(facts, { #facts > 0 and " · " or "", "RecapdNote" })
    table.insert(facts, { fact.text, fact.ok == false and "RecapdFailed" or "RecapdNote" })
  end
  if #facts > 0 then
    add(page, facts)
  end
  for _, section in ipairs(view.sections) do
    -- How it stands says the headline.
    if section.name ~= "state" then
      add(page, { "" })
      add(page, { { section.title, "RecapdHeading" } })
      for _, item in ipairs(section.items) do
        add_item(page, item, 0)
      end
    end
  end
  return page
end

local function add_text(page, text, mark, group)
  local lines = vim.split(vim.trim(text), "\n")
  for number, line in ipairs(lines) do
    if number > MOST_LINES then
      add(page, { { string.format("  … and %d lines more", #lines - MOST_LINES), "RecapdNote" } })
      return
    end
    add(page, { { number == 1 and mark or "  ", group }, (line:gsub("\r$", "")) })
  end
end

--- The answer to `transcript/get`.
function M.of_turn(result)
  local page = new_page()
  for _, turn in ipairs(result.turns) do
    local at = turn.at and (" · " .. turn.at:sub(1, 16):gsub("T", " ") .. " UTC") or ""
    add(page, { { "Turn " .. turn.turn, "RecapdHeadline" }, { at, "RecapdNote" } })
    for _, entry in ipairs(turn.entries) do
      local text = entry.text or ""
      if entry.kind == "result" then
        local mark, group = "✓ ", "RecapdNote"
        if entry.ok == false then
          mark, group = "✗ ", "RecapdFailed"
        end
        if text ~= "" then
          add_text(page, text, mark, group)
        end
      else
        add(page, { "" })
        if entry.kind == "call" then
          add(page, { { "▸ " .. (entry.tool or "") .. " ", "RecapdHeading" }, entry.target or "" })
        else
          local who = entry.kind == "user" and "You" or entry.kind == "agent" and "Agent" or entry.kind
          add(page, { { who, "RecapdHeading" } })
        end
        if text ~= "" then
          add_text(page, text, "  ")
        end
      end
    end
  end
  return page
end

local namespace = vim.api.nvim_create_namespace("recapd")

--- Put a page into a buffer.
function M.put(page, buffer)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, page.lines)
  vim.bo[buffer].modifiable, vim.bo[buffer].modified = false, false
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  for _, each in ipairs(page.highlights) do
    vim.api.nvim_buf_set_extmark(buffer, namespace, each[1], each[2], { end_col = each[3], hl_group = each[4] })
  end
end

--- How a window shows a page: lines that are wrapped go on below their text, not below the number of their turn.
function M.dress(window)
  local view, buffer = vim.wo[window], vim.bo[vim.api.nvim_win_get_buf(window)]
  buffer.formatlistpat = [[^\s*\d\+\s\+\|^[▸✓✗]\s\+]]
  view.wrap, view.linebreak, view.breakindent, view.breakindentopt = true, true, true, "list:-1"
  view.number, view.relativenumber, view.signcolumn, view.foldcolumn = false, false, "no", "0"
  view.spell, view.list, view.cursorline = false, false, true
end

return M
