. "$(dirname "$0")/common.sh"
cd "$SOURCE/tests" || exit 1
for test in *.test; do
  case $test in socket* | ssl* | aio* | event* | exec* | signal* | lock* | interactive* | tty* | clock* | pid* | load* | posix* | perf* | file* | jimsh* | coverage*) continue ;; esac
  show jimsh $test | sed "s,$SOURCE,SOURCE,g; s/[0-9.]* *ms//"
done
cd "$OLDPWD"
printf 'puts [expr {3 + 4 * 2}]; proc f {n} {if {$n < 2} {return $n}; expr {[f [expr {$n - 1}]] + [f [expr {$n - 2}]]}}; puts [f 15]\nset d [dict create a 1 b {2 3}]; puts [lsort -decreasing [dict keys $d]]; puts [string map {a b} banana]; puts [regsub -all {[aeiou]} "a line of text" <&>]\ncatch {error x y} m; puts $m; exit 7\n' >s.tcl
show jimsh s.tcl
show jimsh /none
show jimsh -e 'nonsense'
echo 'puts a; foreach x {1 2 3} {puts $x}' | show jimsh -
