-- ARGV: worker, heartbeat in milliseconds. Returns id and number of the delivery, or nothing.
local worker, ttl_ms = ARGV[1], ARGV[2]

local function give(priority, entry, fields)
  local id = fields[2]
  redis.call('set', heartbeat(priority, entry), worker, 'px', ttl_ms)
  redis.call('hset', order(id), 'worker', worker)
  return { id, redis.call('hincrby', order(id), 'delivery', 1) }
end

for _, priority in ipairs(priorities) do
  -- What was given out before is older than whatever was not.
  local again = each_held(priority, function(entry, from)
    if redis.call('exists', heartbeat(priority, entry)) == 1 then return nil end
    local claimed = redis.call('xclaim', stream(priority), group, worker, 0, entry)
    if from ~= worker then forget_consumer(priority, from) end
    -- Nothing: the entry itself is gone.
    if not claimed[1] then return nil end
    return give(priority, entry, claimed[1][2])
  end)
  if again then return again end
  local new = redis.call('xreadgroup', 'GROUP', group, worker, 'COUNT', 1, 'STREAMS', stream(priority), '>')
  if new then
    local entry = new[1][2][1]
    return give(priority, entry[1], entry[2])
  end
  -- Asking made it a member.
  forget_consumer(priority, worker)
end
return nil
