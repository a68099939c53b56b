-- ARGV: id, worker, delivery
local priority, entry = held_by(ARGV[1], ARGV[2], ARGV[3])
if priority then
  redis.call('xack', stream(priority), group, entry)
  redis.call('xdel', stream(priority), entry)
  redis.call('del', order(ARGV[1]), heartbeat(priority, entry))
  forget_consumer(priority, ARGV[2])
end
return 1
