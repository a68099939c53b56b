-- ARGV: id, worker, delivery, letter, how many are kept
if held_by(ARGV[1], ARGV[2], ARGV[3]) then
  redis.call('lpush', prefix .. 'deadletters', ARGV[4])
  redis.call('ltrim', prefix .. 'deadletters', 0, ARGV[5] - 1)
end
