-- KEYS[1]: the bucket, which lives until it is full again: so nobody's clock is asked but this server's. ARGV: what one use costs, what
-- the bucket holds; in milliseconds. Returns whether there was enough left.
local cost, full = tonumber(ARGV[1]), tonumber(ARGV[2])
local until_full = math.max(redis.call('pttl', KEYS[1]), 0) + cost
if until_full > full then return 0 end
redis.call('set', KEYS[1], '', 'px', string.format('%.0f', until_full))
return 1
