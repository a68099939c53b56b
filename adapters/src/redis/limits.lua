-- KEYS[1]: the bucket, which holds when it will be full again. ARGV: now, what one use costs, what the bucket holds; in milliseconds.
-- Returns whether there was enough left.
local now, cost, full = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full_at = math.max(tonumber(redis.call('get', KEYS[1]) or 0), now) + cost
if full_at - now > full then return 0 end
redis.call('set', KEYS[1], string.format('%.0f', full_at), 'px', string.format('%.0f', full_at - now))
return 1
