. "$(dirname "$0")/common.sh"
for scanner in "$SOURCE"/tests/*.l "$SOURCE"/src/scan.l "$SOURCE"/examples/fastwc/*.l "$SOURCE"/tests/*.ll; do
  cp "$scanner" s.l
  for flags in "" "-Cf -p -p" "-Cem -d -i" "-CFa -8 -R" "-+ -v" "-l -b"; do
    show flex $flags -o s.c --header-file=s.h s.l 2>&1 | sed 's/[0-9]* epsilon/epsilon/'
    sums s.c s.h s.backup lex.backup 2>&1
    rm -f s.c s.h lex.backup
  done
done
printf '%%%%\n[a' >s.l; show flex s.l
printf 'A [b-\n%%%%\n{B} x;\n' >s.l; show flex s.l
printf '%%option nounput stack\n%%x X\n%%%%\n<X>a{3,1} ;\na/b$ ;\n(?i:x)|y ;\n' >s.l; show flex -T -t s.l | cksum
show flex /none.l; show flex -V; show flex --no-such
