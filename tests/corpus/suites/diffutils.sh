. "$(dirname "$0")/common.sh"
one=$SOURCE/src/diff3.c two=$SOURCE/src/sdiff.c
sed 's/int/long/; 40,50d' "$one" >mine
sed '20i\
new line
  300,310s/e/E/' "$one" >yours
mkdir d1 d2; cp words d1; cp numbers d2; cp mine d1/x; cp yours d2/x
case $1 in
  diff)
    diff "$one" "$two" | cksum
    for option in -u -c -y -e -n -w -B --side-by-side --minimal --ifdef=X; do diff $option --label a --label b mine yours 2>&1 | cksum; done
    diff -p -U2 --label a --label b mine yours | head -40
    show diff -r d1 d2; show diff -q mine yours; show diff mine mine; show diff /none mine; show diff --color=always words numbers; show diff -I '^o' words numbers ;;
  cmp) show cmp mine yours; cmp -l mine yours | cksum; show cmp -s mine mine; show cmp -n 10 mine yours; show cmp -b words numbers; show cmp /none words ;;
  diff3) diff3 mine "$one" yours | cksum; show diff3 -m words numbers words; diff3 -m -L a -L b -L c mine "$one" yours | cksum; show diff3 -e words numbers words; show diff3 x ;;
  sdiff) sdiff -w 100 mine yours | cksum; show sdiff -s words numbers; printf 'l\nr\n' | sdiff -o out words numbers; echo $?; sums out; show sdiff /none words ;;
esac
