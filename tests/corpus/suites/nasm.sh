. "$(dirname "$0")/common.sh"
cd "$SOURCE/test"
for file in [a-n]*.asm; do
  case $file in perf*) continue ;; esac
  for format in bin elf64 obj; do
    echo "$file $format"
    timeout 20 nasm -f $format -O1 -l "$OLDPWD/list" -o "$OLDPWD/out" $file 2>&1 | head -n 20
    [ -f "$OLDPWD/out" ] && [ $format = bin ] && head -c 2000 "$OLDPWD/out" >"$OLDPWD/code" && ndisasm -b 32 "$OLDPWD/code" | cksum
    (cd "$OLDPWD" && sums out list 2>&1)
    rm -f "$OLDPWD/out" "$OLDPWD/list"
  done
done
cd "$OLDPWD"
show nasm -E "$SOURCE/test/xcrypt.asm"
show nasm -f none x
show nasm -hf
show ndisasm -b 64 -k 3,2 -s 5 words
show ndisasm -b 16 -e 2 -o 256h -a numbers
