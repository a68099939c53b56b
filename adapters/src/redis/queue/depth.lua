-- Returns how many orders wait, per priority: those whose heartbeat is gone too.
local waiting = {}
for n, priority in ipairs(priorities) do
  waiting[n] = redis.call('xlen', stream(priority))
  each_held(priority, function(entry)
    waiting[n] = waiting[n] - redis.call('exists', heartbeat(priority, entry))
  end)
end
return waiting
