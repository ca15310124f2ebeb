-- Closures, coroutines, metatables, patterns, errors, collection, integers and floats.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(20), 7 // 2, -7 % 3, 1 << 40, 3 / 2, 2 ^ 0.5, math.maxinteger + 1)
local t = setmetatable({}, { __index = function(_, k) return k .. "!" end, __len = function() return 42 end })
print(t.x, #t, rawlen(t))
local co = coroutine.wrap(function(a) for i = 1, 3 do a = coroutine.yield(a * i) end return "end" end)
print(co(2), co(3), co(4), co(0))
print(("hello world"):gsub("o", "0"), ("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
print(pcall(error, { code = 1 }), select(2, pcall(function() local x = nil; return x.y end)))
local words = {}
for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = w end
table.sort(words, function(a, b) return #a == #b and a < b or #a < #b end)
print(table.concat(words, ","))
local weak = setmetatable({}, { __mode = "k" })
for i = 1, 1000 do weak[{}] = i end
collectgarbage()
print(next(weak), string.format("%5.2f|%x|%q", math.pi, 255, "a\nb"))
goto done
print("never")
::done::
print(load("return 1 +")) print(load("local a <const> = 5; return a * 2")())
for i = 10, 1, -3 do io.write(i, " ") end
print(utf8.char(228, 8364), #utf8.char(8364), string.pack("<i4", 100):byte(1, -1))
