-- Sends the requests of a file in turn. In the file, each stands after a line with its length in bytes.
local requests, turn = {}, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for length in function() return file:read('*l') end do
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('\n{"answers":%d,"micros":%d,"failed":%d}\n', summary.requests, summary.duration, failed))
end
