-- ARGV: id
local known = redis.call('hmget', order(ARGV[1]), 'priority', 'entry', 'worker')
if known[1] and not known[3] then
  redis.call('xack', stream(known[1]), group, known[2])
  redis.call('xdel', stream(known[1]), known[2])
  redis.call('del', order(ARGV[1]))
end
return 1
