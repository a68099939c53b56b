for _, priority in ipairs(priorities) do
  each_held(priority, function(entry)
    redis.call('del', heartbeat(priority, entry))
    local fields = redis.call('xrange', stream(priority), entry, entry)[1]
    if fields then redis.call('hdel', order(fields[2][2]), 'worker') end
  end)
end
return 1
