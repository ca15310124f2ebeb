. "$(dirname "$0")/common.sh"
for grammar in "$SOURCE"/test/*.y; do
  for flags in "" "-dtv" "-B -i"; do
    show yacc $flags -o parser.c "$grammar" | sed "s,$SOURCE,SOURCE,g"
    sums parser.* y.* 2>&1
    rm -f parser.* y.*
  done
done
show yacc -V
show yacc /none.y
show yacc -Z
