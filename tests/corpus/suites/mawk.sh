. "$(dirname "$0")/common.sh"
cd "$SOURCE/test" || exit 1
data=mawktest.dat
for number in 0 1 2 3 4 5 6 7; do show mawk -f reg$number.awk $data | cksum; done
show mawk -f wc.awk $data
mawk -f wfrq0.awk $data | sort | cksum
show mawk -f decl-awk.out $data | tail -3
mawk -f null-rs.awk null-rs.dat | cksum
show mawk 'BEGIN { for (i = 0; i < 20; i++) s = s sprintf("%d,%x,%5.2f;", i, i * i, i / 3); print s, length(s), substr(s, 3, 9), index(s, "12") }'
show mawk '{ n[$1]++ } END { for (w in n) c += n[w]; print c, NR, toupper("abc"), split("a:b:c", x, ":"), x[3]; exit 3 }' "$OLDPWD/words"
show mawk 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(17); while (("echo a; echo b" | getline l) > 0) print l }'
show mawk '{ gsub(/[aeiou]+/, "<&>"); print > "/dev/stderr" } /three/ { next } { print $NF }' "$OLDPWD/words"
show mawk 'BEGIN { print 1 +* 2 }'
show mawk -f /none
