. "$(dirname "$0")/common.sh"
cd "$SOURCE/examples" || exit 1
for file in *.m4; do
  case $file in file.m4 | sysv-args.m4) continue ;; esac
  printf '%s ' $file; timeout 30 m4 -I . $file </dev/null 2>&1 | cksum
done
cd "$OLDPWD"
cat >input <<'INPUT'
define(`fact', `ifelse($1, 0, 1, `eval($1 * fact(decr($1)))')')dnl
fact(8) len(`four') index(`abcdef', `cd') substr(`abcdef', 2, 3) translit(`abc', `a-c', `A-C')
regexp(`GNUs not Unix', `\<[a-z]\w+') patsubst(`a b', `\w', `<\&>') format(`%05d %s', 42, `x')
divert(1)later
divert(0)now eval(2 ** 10 + (7 % 4), 16) changequote([, ])[quoted]
undivert esyscmd([echo out]) sysval ifdef([none], yes, no) shift(a, b, c) dumpdef([fact])
errprint([to stderr
]) m4exit(3)
INPUT
show m4 input
show m4 -DX=1 -d -s input
show m4 -P input
echo 'define(`a' | show m4
show m4 /none
show m4 --version
