. "$(dirname "$0")/common.sh"
if [ "$1" = dc ]; then
  show dc -e '2 100 ^ p 20 k 2 v p [la 1 + d sa 10 >x] sx 0 sa lx x la p 16 o 255 p i f'
  show dc -e '1 0 / p 3 5 ~ f z p [abc] P c z p'
  show dc -e '[unbalanced'
  show dc /none
  exit
fi
for test in array.b arrayp.b aryprm.b atan.b div.b exp.b fact.b ln.b mul.b raise.b sine.b sqrt.b sqrt1.b testfn.b; do
  printf '%s ' $test
  timeout 60 bc -l "$SOURCE/Test/$test" </dev/null 2>&1 | cksum
done
echo 'scale=30; 4*a(1); ibase=16; FF; obase=2; 5; define f(n) { if (n < 2) return (1); return (n * f(n - 1)); }; obase=A; f(14)' | bc -l
echo '1/0; for (i = 0; i < 3; ++i) { if (i == 1) continue; print i, "\n" }; while (1) break; x = 3 +; 7' | bc
show bc --version
show bc /none
