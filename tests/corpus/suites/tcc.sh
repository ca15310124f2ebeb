. "$(dirname "$0")/common.sh"
cd "$SOURCE/tests/tests2" || exit 1
for file in *.c; do
  case $file in 60_* | 73_* | 96_* | 104* | 106* | 112* | 113* | 114* | 115* | 116* | 117* | 98_* | 99_* | 76_* | 83_* | 46_*) continue ;; esac
  echo "== $file"
  timeout 20 tcc -B"$SOURCE" -I"$SOURCE/include" -c -o "$OLDPWD/o" $file 2>&1 | head -n 20
  (cd "$OLDPWD" && sums o 2>&1; rm -f o)
  timeout 20 tcc -B"$SOURCE" -I"$SOURCE/include" -E $file 2>&1 | cksum
  timeout 20 tcc -B"$SOURCE" -I"$SOURCE/include" -b -g -c -o "$OLDPWD/o" $file 2>&1 | cksum
  timeout 20 tcc -B"$SOURCE" -I"$SOURCE/include" -run $file a b 2>&1 | head -n 200 | cksum
done
cd "$OLDPWD"
for file in "$SOURCE/tcc.c"; do tcc -B"$SOURCE" -I"$SOURCE/include" -I"$SOURCE" -DONE_SOURCE=1 -w -c -o o "$file"; echo $?; sums o; done
show tcc -B"$SOURCE" -I"$SOURCE/include" -run "$SOURCE/examples/ex2.c" </dev/null | head -n 5
show tcc -v | cut -c1-11; show tcc none.c; echo 'int main(void) { int x = "a" y; }' >e.c; show tcc e.c; echo 'int f(int a) { return a / 0 + z; }' >e.c; show tcc -Wall -c e.c
