-- KEYS[1]: the prefix of all keys. ARGV: a name for this life of the queue, how long in milliseconds what somebody holds is left to
-- him, then for each open order: id, priority, holder or nothing. Returns whether it was made: one that is whole is left alone.
local prefix, group = KEYS[1], 'processors'
local function stream(priority) return prefix .. 'workorders:' .. priority end
local function has_group(priority)
  return redis.call('exists', stream(priority)) == 1 and #redis.call('xinfo', 'groups', stream(priority)) > 0
end

local life = prefix .. 'queue:life'
if redis.call('exists', life) == 1 and has_group('high') and has_group('normal') and has_group('low') then return 0 end
for _, priority in ipairs({ 'high', 'normal', 'low' }) do
  redis.call('del', stream(priority))
  redis.call('xgroup', 'create', stream(priority), group, '0', 'mkstream')
end

local function put(id, priority, holder)
  local entry = redis.call('xadd', stream(priority), '*', 'work_order_id', id)
  local order = prefix .. 'order:' .. id
  redis.call('del', order)
  redis.call('hset', order, 'priority', priority, 'entry', entry, 'delivery', 0)
  if holder ~= '' then
    redis.call('xreadgroup', 'GROUP', group, holder, 'COUNT', 1, 'STREAMS', stream(priority), '>')
    redis.call('hset', order, 'worker', holder)
    redis.call('set', prefix .. 'heartbeat:' .. priority .. ':' .. entry, holder, 'px', ARGV[2])
  end
end

-- What is bind_delivery first: reading gives the oldest that was not given out, and that has to be the one just put in.
for pass = 1, 2 do
  for n = 3, #ARGV, 3 do
    if (ARGV[n + 2] ~= '') == (pass == 1) then put(ARGV[n], ARGV[n + 1], ARGV[n + 2]) end
  end
end
redis.call('set', life, ARGV[1])
return 1
