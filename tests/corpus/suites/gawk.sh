. "$(dirname "$0")/common.sh"
cd "$SOURCE/test" || exit 1
export AWKPATH=. LC_ALL=C
for script in *.awk; do
  # Of these the outcome depends on the time, the machine, a library or another user.
  case ${script%.awk} in
    api* | *time* | pipeio* | inet* | strftime* | poundbang | pid | devfd* | ignrcas3 | nofile | fork* | readdir* | procin* | rand* | *mpfr* | *ext* | arynocls | \
    fts* | filefuncs* | genpot | testext | dbg* | arrdbg | mtchi18n | printf-corners | ordchr* | *loop* | getfile | rwarray | revout* | revtwo* | xfer* | double* | fnmatch | iolint* | profile* | nsprof* | pro*) continue ;;
  esac
  name=${script%.awk}
  if [ -f $name.in ]; then input=$name.in; else input=/dev/null; fi
  echo "== $script"
  timeout 20 gawk -f $script <$input >"$OLDPWD/out" 2>&1
  echo "-> $?"
  cksum <"$OLDPWD/out"
done
cd "$OLDPWD"
show gawk 'BEGIN { n = split("c b a", x); asort(x); for (i = 1; i <= n; i++) print x[i]; print gensub(/(b)(c)/, "\\2\\1", "g", "abcbc"), strtonum("0x1F"), and(12, 10) }'
show gawk -f /none
show gawk -o- '{ n[$1]++ } END { PROCINFO["sorted_in"] = "@ind_str_asc"; for (w in n) print w, n[w]; exit 3 }' words
show gawk --lint 'BEGIN { x = y; print x + substr("a", 0) }'
show gawk -F '' -v OFS=- '{ $1 = $1 } NR % 2' words
show gawk 'BEGIN { FIELDWIDTHS = "2 3 *" } { print $3, $1 } END { "echo a; exit 4" | getline z; print z, close("echo a; exit 4") }' words
show gawk 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { g = "f"; print @g(15); a[1][2] = 3; print a[1][2], isarray(a[1]); c = "cat"; print "x" |& c; close(c, "to"); c |& getline y; print y }'
show gawk 'BEGIN { print 1 +* 2 }'
show gawk 'BEGIN { print substr("hello", 2) > "out"; close("out"); while ((getline l < "out") > 0) print "<" l ">"; printf "%5.2f|%-5d|%x|%c|%e\n", 3.14159, 42, 255, 65, 12345.678 }'
