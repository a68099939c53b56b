-- ARGV: id, priority
if redis.call('exists', order(ARGV[1])) == 0 then
  local entry = redis.call('xadd', stream(ARGV[2]), '*', 'work_order_id', ARGV[1])
  redis.call('hset', order(ARGV[1]), 'priority', ARGV[2], 'entry', entry, 'delivery', 0)
end
return 1
