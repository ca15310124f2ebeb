. "$(dirname "$0")/common.sh"
for grammar in "$SOURCE"/test/*.y; do
  for flags in "" "-dtvg" "-B -i"; do
    show yacc $flags -o parser.c "$grammar" | sed "s,$SOURCE,SOURCE,g"
    # Its first line has memory that is not in use any more.
    [ -f parser.dot ] && sed -i 1d parser.dot
    sums parser.* y.* 2>&1
    rm -f parser.* y.*
  done
done
show yacc -V
show yacc /none.y
show yacc -Z
