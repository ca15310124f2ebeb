. "$(dirname "$0")/common.sh"
case $1 in redis-cli) cli=redis-cli server=$SOURCE/src/redis-server ;; *) cli=$SOURCE/src/redis-cli server=redis-server ;; esac
show redis-cli --version; show $server --no-such-option 2>&1 | grep -v '^[0-9]' | cksum
$server --port 0 --unixsocket "$PWD/s" --dir "$PWD" --save '' --appendonly yes --hz 10 >log 2>&1 &
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -S s ] && break; sleep 0.2; done
cat >commands <<'X'
SET a 1
INCRBY a 41
APPEND a x
GETRANGE a 0 -1
INCR a
RPUSH l 3 1 2
SORT l DESC
LRANGE l 0 -1
LPOP l
HSET h f 1 g 2
HINCRBYFLOAT h f 1.5
HGETALL h
SADD s 5 3 9 abc
SMEMBERS s
SADD t 3 4
SINTER s t
ZADD z 1 one 2 two 3.5 three
ZRANGEBYSCORE z (1 +inf WITHSCORES
ZINTERSTORE y 2 z z WEIGHTS 1 2
ZREVRANGE y 0 -1
SETBIT b 100 1
BITCOUNT b
PFADD p a b c d
PFCOUNT p
XADD st 1-1 k v
XADD st 2-1 k w
XRANGE st - +
GEOADD geo 13.361389 38.115556 Palermo 15.087269 37.502669 Catania
GEODIST geo Palermo Catania km
EVAL "local r = {} for i = 1, 5 do r[i] = redis.call('INCR', KEYS[1]) end return r" 1 n
EVAL "return cjson.encode({1, 2, {a = 3}})" 0
EVAL "return nosuch" 0
MULTI
SET q 1
GET q
EXEC
OBJECT ENCODING l
TYPE z
EXPIRE a 1000
PERSIST a
RENAME a a2
KEYS nosuch*
DBSIZE
DEBUG RELOAD
LCS a2 a2
FUNCTION LOAD "#!lua name=m\nredis.register_function('f', function(k, a) return 7 end)"
FCALL f 0
GET l
NOSUCH
OBJECT HELP
MEMORY DOCTOR
FLUSHALL ASYNC
DBSIZE
X
$cli -s s <commands 2>&1
$cli -s s --csv LRANGE none 0 -1; $cli -s s --raw ECHO "a b"; for i in 1 2 3; do echo "SET k$i v$i"; done | $cli -s s --pipe 2>&1; $cli -s s --scan --pattern 'k*' | sort; $cli -s s -x SET w <words; $cli -s s GET w
$cli -s s SHUTDOWN NOSAVE; wait; echo "-> $?"; show $cli -s s PING
