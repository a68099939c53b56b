-- KEYS[1]: the number of failures, KEYS[2]: the pause, which lives as long as it lasts: so nobody's clock is asked but this server's.
-- ARGV: the failure that the first pause follows, the first pause, the longest, and after how long failures are forgotten; in milliseconds.
-- Returns the pause that is left, 0 if there is none and the attempt is counted, and whether it is the first that this pause refuses.
local left = redis.call('pttl', KEYS[2])
if left > 0 then
  local is_first = redis.call('get', KEYS[2]) == ''
  if is_first then redis.call('set', KEYS[2], 'refused', 'px', string.format('%.0f', left)) end
  return {left, is_first and 1 or 0}
end
local failures = redis.call('incr', KEYS[1])
redis.call('pexpire', KEYS[1], ARGV[4])
local doublings = failures - math.max(tonumber(ARGV[1]), 1)
if doublings >= 0 then
  local pause = math.min(tonumber(ARGV[2]) * 2 ^ math.min(doublings, 40), tonumber(ARGV[3]))
  if pause >= 1 then redis.call('set', KEYS[2], '', 'px', string.format('%.0f', pause)) end
end
return {0, 0}
