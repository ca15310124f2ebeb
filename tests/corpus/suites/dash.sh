. "$(dirname "$0")/common.sh"
cat >script <<'SCRIPT'
fib() { if [ "$1" -lt 2 ]; then echo "$1"; else echo $(($(fib $(($1 - 1))) + $(fib $(($1 - 2))))); fi; }
fib 9
trap 'echo trapped' USR1
trap 'echo bye $?' EXIT
kill -USR1 $$
for word in "a b" c; do case $word in a*) echo "<$word>";; *) continue;; esac; done
i=0; while :; do i=$((i + 1)); [ $i -eq 5 ] && break; done; echo $i ${i%5}x ${none:-default} ${#word}
cat <<END
here $i $(echo sub; (exit 3) || echo $?)
END
set -- x y z; shift; echo $# "$@" "$*"; IFS=:; set -- a:b; echo $1
echo a b c | { read x y; echo "$y"; }
eval 'echo $((2 * (3 + 4) % 5)) $((1 << 4 | 3))'; printf '%s-%05d\n' s 42
ls /none 2>/dev/null || echo failed; (sleep 0.1; exit 4) & wait $!; echo $?
umask 022; umask; type cd fib if; test -d / -a ! -f /; echo $?; alias l=ls; alias l
unset word; echo ${word-unset}; f() { local i=7; return $i; }; f; echo $? $i
exit 6
SCRIPT
show dash script
show dash -c 'echo $0 $1; set -e; false; echo never' name one
show dash -c 'x=1; readonly x; x=2; echo after'
show dash -c 'if then'
show dash -x -c 'a=1; echo $a'
printf 'echo from stdin\nexit 2\n' | dash
echo $?
show dash -n "$SOURCE/configure"
show dash "$SOURCE/configure" --version
show dash -c 'ulimit -n 64; set -o noglob; echo *; getopts ab: o -b val; echo $o $OPTARG'
show dash -c 'trap "echo int; exit 5" INT; kill -INT $$; echo not here'
show dash -c 'kill -TERM $$'
