-- What every step begins with. KEYS[1] is the prefix of all keys:
--   queue:life                    there while the queue is whole
--   workorders:high|normal|low    streams, read by the group `processors`; entries hold work_order_id
--   order:ID                      priority, entry, delivery (how often it was given out), worker (who holds it)
--   heartbeat:PRIORITY:ENTRY      there while the worker lives
local prefix, group = KEYS[1], 'processors'
local priorities = { 'high', 'normal', 'low' }
local function stream(priority) return prefix .. 'workorders:' .. priority end
local function order(id) return prefix .. 'order:' .. id end
local function heartbeat(priority, entry) return prefix .. 'heartbeat:' .. priority .. ':' .. entry end

if redis.call('exists', prefix .. 'queue:life', stream('high'), stream('normal'), stream('low')) < 4 then
  return redis.error_reply('LOST the queue is not whole')
end

-- A worker that holds nothing is forgotten by the group, which would grow with each one that ever was.
local function forget_consumer(priority, worker)
  if #redis.call('xpending', stream(priority), group, '-', '+', 1, worker) == 0 then
    redis.call('xgroup', 'delconsumer', stream(priority), group, worker)
  end
end

-- The entries that somebody holds or has bind_delivery, oldest first, each given to `see(entry, worker)` until that returns something.
local function each_held(priority, see)
  local from = '-'
  while true do
    local page = redis.call('xpending', stream(priority), group, from, '+', 100)
    for _, bind_delivery in ipairs(page) do
      local done = see(bind_delivery[1], bind_delivery[2])
      if done then return done end
    end
    if #page < 100 then return nil end
    from = '(' .. page[#page][1]
  end
end

-- Priority and entry of an order that this worker holds by this delivery. After a loss nobody knows how often an order was given
-- out: then its holder says so (delivery 0).
local function held_by(id, worker, delivery)
  local known = redis.call('hmget', order(id), 'priority', 'entry', 'worker', 'delivery')
  if known[3] ~= worker then return nil end
  if known[4] == '0' then redis.call('hset', order(id), 'delivery', delivery)
  elseif known[4] ~= delivery then return nil end
  return known[1], known[2]
end
