-- The connection to the user's daemon, by `recapd connect`: one for all windows, made when it is first needed, and made
-- again when it is lost.
local M = { on_change = {} }

local rpc, is_leaving
local number = 0

local function closed()
  rpc = nil
  if is_leaving or vim.tbl_isempty(M.on_change) then
    return
  end
  -- Whoever follows something asks again, which starts the daemon where it is gone.
  vim.defer_fn(function()
    for _, follow in pairs(M.on_change) do
      follow({ fresh = true })
    end
  end, 1000)
end

local function connected()
  if rpc and not rpc.is_closing() then
    return rpc
  end
  local ok, found = pcall(vim.lsp.rpc.start, require("recapd").options.command, {
    notification = function(method, params)
      local follow = method == "recap/didChange" and M.on_change[params.subscriptionId]
      if follow then
        vim.schedule(function()
          follow(params)
        end)
      end
    end,
    server_request = function() end,
    on_exit = vim.schedule_wrap(closed),
    on_error = function() end,
  })
  rpc = ok and found or nil
  return rpc
end

local function tell(message)
  vim.schedule(function()
    vim.notify("recapd: " .. message, vim.log.levels.WARN)
  end)
end

-- The log is still being read; the answer says when to ask again.
local NOT_READY = 1005
local MOST_TRIES = 100

--- Ask recapd; `answered(result)` runs on the main loop. What goes wrong is told in a sentence, unless `failed` takes it.
function M.ask(method, params, answered, failed, tries)
  local connection = connected()
  if not connection then
    (failed or tell)("the command " .. require("recapd").options.command[1] .. " was not found; see :help recapd-install")
    return
  end
  connection.request(method, vim.tbl_isempty(params) and vim.empty_dict() or params, function(err, result)
    vim.schedule(function()
      if err and err.code == NOT_READY and (tries or 0) < MOST_TRIES then
        vim.defer_fn(function()
          M.ask(method, params, answered, failed, (tries or 0) + 1)
        end, type(err.data) == "table" and err.data.retryAfterMs or 200)
      elseif err then
        (failed or tell)(err.message)
      else
        answered(result)
      end
    end)
  end)
end

--- A daemon that was started just now may still be reading: `again` after a while, else `settled`.
function M.unless_reading(settled, again)
  M.ask("recapd/status", { limit = 1 }, function(health)
    if health.quiescent then
      settled()
    else
      vim.defer_fn(again, 300)
    end
  end)
end

--- Call `changed` whenever a session changes that the selector means; the name ends it.
function M.follow(selector, changed)
  number = number + 1
  local name = "neovim-" .. vim.fn.getpid() .. "-" .. number
  local function subscribe()
    M.ask("recap/subscribe", { subscriptionId = name, selector = selector }, function() end, function() end)
  end
  M.on_change[name] = function(news)
    if not rpc then
      subscribe()
    end
    changed(news)
  end
  subscribe()
  return name
end

function M.unfollow(name)
  if M.on_change[name] then
    M.on_change[name] = nil
    M.ask("recap/unsubscribe", { subscriptionId = name }, function() end, function() end)
  end
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  callback = function()
    is_leaving = true
    if rpc then
      rpc.terminate()
    end
  end,
})

return M
