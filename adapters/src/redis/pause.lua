-- KEYS[1]: a host, as in pace.lua. ARGV: how long it is to be left alone, in milliseconds.
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local pause = tonumber(ARGV[1])
if pause > 0 and now + pause > tonumber(redis.call('get', KEYS[1]) or 0) then
  redis.call('set', KEYS[1], string.format('%.0f', now + pause), 'px', ARGV[1])
end
