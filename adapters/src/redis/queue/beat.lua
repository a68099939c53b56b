-- ARGV: id, worker, delivery, milliseconds until the heartbeat expires. Returns whether this worker holds it.
local priority, entry = held_by(ARGV[1], ARGV[2], ARGV[3])
if not priority then return 0 end
redis.call('set', heartbeat(priority, entry), ARGV[2], 'px', ARGV[4])
return 1
