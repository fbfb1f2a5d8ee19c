if vim.g.loaded_recapd then
  return
end
vim.g.loaded_recapd = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_create_user_command("Recapd", function()
    vim.notify("recapd needs Neovim 0.10 or newer", vim.log.levels.ERROR)
  end, {})
  return
end

local function command(name, action, options)
  vim.api.nvim_create_user_command(name, action, options)
end

command("Recapd", function(call)
  require("recapd").recap(call.args ~= "" and call.args or nil)
end, { nargs = "?", desc = "The recap of the latest session of this folder, or of a session by its id" })
command("RecapdSessions", function(call)
  require("recapd").sessions({ all = call.bang })
end, { bang = true, desc = "Choose a session of this folder; with ! of all folders" })
command("RecapdDecisions", function()
  require("recapd").decisions()
end, { desc = "Decisions that hold, in the quickfix list" })
command("RecapdWhy", function()
  require("recapd").why()
end, { desc = "Which turn wrote the line under the cursor" })
