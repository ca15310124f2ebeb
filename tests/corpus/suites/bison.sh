. "$(dirname "$0")/common.sh"
export BISON_PKGDATADIR=$SOURCE/data
for grammar in "$SOURCE"/examples/c/*/*.y "$SOURCE/src/parse-gram.y" "$SOURCE"/examples/c++/*/*.yy; do
  cp "$grammar" g.y
  for flags in "" "-d -v" "-Lc++ --defines=g.hh -g" "--html=none -Wall -Wcounterexamples" "-Dlr.type=ielr -y"; do
    show bison $flags -o p.c g.y
    sed 's,/[^ ]*/,,g' p.c 2>/dev/null | cksum
    sums p.output p.dot p.gv g.hh p.h 2>&1
    rm -f p.* g.hh
  done
done
printf '%%%%\na: a | b;\n' >g.y; show bison g.y
printf '%%token T\n%%%%\na: T a | ;\nb: T; c: %%prec X;\n' >g.y; show bison -Wall -fcaret g.y
printf '%%%%\na: "x" { $5; } ;\n%%%%' >g.y; show bison g.y
printf '%%%%\ne: e "+" e | "n";\n' >g.y; show bison -Wcex --color=always -r all g.y; sums g.output
show bison /none.y; show bison --print-datadir | wc -l; show bison -V | head -n 1; printf '%%define api.pure maybe\n%%union {int a;}\n%%%%' >g.y; show bison g.y
