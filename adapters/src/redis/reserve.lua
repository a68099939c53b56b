-- KEYS[1]: a host, which holds when its burst is whole again, in milliseconds of the clock of Redis.
-- ARGV: time between two requests, how much of it a burst may be ahead, the longest wait; all in milliseconds.
-- Returns whether a turn was reserved, and how long it is until then, or would have been.
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local interval, ahead, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local whole = math.max(tonumber(redis.call('get', KEYS[1]) or 0), now)
local wait = math.max(whole - now - ahead, 0)
if wait > longest then return {0, wait} end
whole = whole + interval
if whole > now then redis.call('set', KEYS[1], string.format('%.0f', whole), 'px', string.format('%.0f', whole - now)) end
return {1, wait}
