. "$(dirname "$0")/common.sh"
show "$1" --help | cksum
show "$1" --version | head -1
show "$1" --no-such-option
text=$SOURCE/src/sort.c
case $1 in
  cat) show cat -A words; show cat -n words numbers; show cat -s -b words /none; cat <"$text" | cksum ;;
  tac) show tac words; tac "$text" | cksum; show tac -s o words; show tac -b -r -s '[aeiou]' words ;;
  sort) show sort words; show sort -n -k1,1 -u numbers; show sort -r -f -k2 words; sort -S 1M "$text" | cksum; show sort -c words; show sort -V -s numbers; show sort -m words numbers; show sort -g -t' ' -k1b,1 numbers; show sort --debug -n words; show sort --parallel=4 -R --random-source=words numbers; show sort -h -z numbers; show sort /none ;;
  uniq) show uniq -c words; show uniq -d -i words; show uniq -u -f1 words; show uniq --group numbers; show uniq -D -w2 words ;;
  wc) show wc words numbers; show wc -L words; wc <"$text" ;;
  cut) show cut -d' ' -f2 words; show cut -c2-4,7- words; show cut -b1 --complement words; show cut -f words ;;
  paste) show paste words numbers; show paste -s -d,: words; show paste - - <words ;;
  join) sort -k1,1 numbers >s; show join s s; show join -a1 -o 1.1,2.2 -e none s words; show join -v1 words s ;;
  comm) sort words >s; show comm s s; show comm -12 s words; show comm --total s numbers ;;
  tr) for a in "a-z A-Z" "-d aeiou" "-s o" "-cd a-z\n" "[:upper:] [:lower:]"; do echo "$a"; tr $a <words; done; show tr a ;;
  head | tail) show "$1" -n 2 words numbers; show "$1" -c 5 words; show "$1" -n -2 words; show "$1" -n +2 words; "$1" -c 1000 <"$text" | cksum; show "$1" /none ;;
  od) show od words; show od -c words; show od -A x -t x1z words; show od -t f4 -j 3 -N 16 words; show od -t d2u1 -w5 words; show od -S 3 words ;;
  base64) base64 "$text" | cksum; show base64 -w 20 words; base64 words | base64 -d; echo '*' | show base64 -d; show base64 -i -d words ;;
  *sum) show "$1" words numbers; "$1" "$text" | sed 's, .*/, ,'; "$1" words >s; show "$1" -c s; echo 0 >words; show "$1" -c s; show "$1" --tag words; show "$1" -r words ;;
  nl) show nl words; show nl -ba -nrz -w3 -s: words; show nl -bp^o words ;;
  fmt) fmt "$text" | cksum; show fmt -w 10 words; show fmt -u -s words ;;
  fold) fold -w 30 "$text" | cksum; show fold -s -w 6 words; show fold -b -w 3 words ;;
  pr) pr -h x "$text" | sed 1,4d | wc; pr -t -2 -l 20 "$text" | cksum; show pr -t -n -m words numbers ;;
  expand | unexpand) show "$1" -t 4 words; "$1" "$text" | cksum; show "$1" -i -t 2,6,/8 words; show "$1" -a words ;;
  split) split -l 100 "$text" part; sums part*; show split -b 1K -d -a 3 "$text" x; sums x*; show split -n l/4 "$text" y; sums y*; show split -n r/2/3 words; show split --filter='cat; echo $FILE' -l 3 words ;;
  csplit) show csplit -z "$text" '/^main/' '%}%' 2000 '{0}'; sums xx*; show csplit words 3 /none/ ;;
  shuf) show shuf --random-source="$text" -i 1-20; show shuf --random-source="$text" -n 2 words; show shuf -e --random-source="$text" a b c; show shuf -i 3-1 ;;
  seq) show seq 10; show seq -w 8 2 14; show seq -f %.3f -s, 0 .25 1; show seq 5 -1 1; show seq x; seq 20000 | cksum ;;
  factor) show factor 1 2 97 1000000 18446744073709551615 340282366920938463463374607431768211455; seq 1000 3000 | factor | cksum; show factor -- -3 x ;;
  expr) show expr 3 + 4 \* 2; show expr abc : 'a\(.\)'; show expr length abcd; show expr 1 / 0; show expr 2 '<' 10 '&' x; show expr substr abcdef 2 3; show expr 99999999999999999999 + 1; show expr 1 + ;;
  test) for e in "-f words" "-d words" "1 -lt 2" "a = b" "-n x -a -z x" "! -e none" "words -nt none" "1 -eq x" "( a )"; do show test $e; done ;;
  printf) show printf '%s|%5d|%-5x|%e|%c|%b\n' a 42 255 1.5 x 'a\tb' ; show printf '%d\n' 1 2 0x1F "'a" x; show printf '%q\n' "a b'c"; show printf '\x41\101\u20ac %%\n'; show printf %z ;;
  echo) show echo -e 'a\tb\x41\0101\c' x; show echo -n a b; show echo -E '\n' ;;
  ls) mkdir d; cp words d; touch -d 2020-02-03 d/old .hidden; ln -s words link; show ls; show ls -a -F; show ls -R -1 -p; show ls -x -w 20; show ls -m -Q --color=always; ls -l -d --time-style=long-iso --no-group d/old | cut -c1-10; show ls -S -r; show ls -t d; show ls /none; show ls --sort=version -I 'w*'; show ls -Z --zero ;;
  cp) mkdir d; show cp -v words d; show cp -r d e; show cp -a -b -v words e; show cp --sparse=always words s; show cp -u -n words numbers; show cp -l words hard; show cp -s words soft; show cp d f; show cp words words; show cp --parents d/words e; show cp -t e words numbers; find . | sort; sums s e/* 2>&1 ;;
  mv) mkdir d; show mv -v words d; show mv -b numbers d/words; show mv d e; show mv -n e/words x; show mv none y; show mv x x; find . | sort ;;
  rm) mkdir -p d/e; touch d/f a; show rm -v a; show rm d; show rm -r -v d; show rm -f none; show rm none; show rm -rf /; show rm -i words </dev/null; find . | sort ;;
  mkdir) show mkdir -p -v a/b/c; show mkdir a; show mkdir -m 700 x; ls -ld x | cut -c1-10; show mkdir none/x; find . | sort ;;
  ln) show ln -v words hard; show ln -s words soft; show ln -s words soft; show ln -sf -r words soft; show ln none x; show ln -b words hard; find . | sort ;;
  du) mkdir -p d/e; cp "$text" d; show du -a --apparent-size -b d; show du -s -h --apparent-size d; show du -c --max-depth=0 --apparent-size d words; show du --inodes d; show du /none; show du -t 100 --exclude='*.c' -ab d ;;
  date) show date -u -d '2020-02-03 04:05:06 +2 days'; show date -d @86400 +%F,%T,%j,%U,%s,%N,%a,%-d; show date -u -R -d '1 Jan 2001 12pm'; show date -d 'next monday 2022-01-01' --iso-8601; show date -d nonsense; show date -d 'TZ="America/New_York" 2021-07-01 00:00'; printf '2000-01-01\nx\n' >f; show date -f f +%s; show date -r /none ;;
  numfmt) show numfmt --to=iec 1024 5000000; show numfmt --from=si 1K 2.5M; show numfmt --field 1 --header=1 --format=%08.2f 5 7; show numfmt --to=si --round=up --suffix=B 1999; show numfmt x; show numfmt --grouping 1234567 ;;
  tsort) printf 'a b\nb c\na d\nd c\n' | tsort; printf 'a b\nb a\n' | tsort 2>&1; printf 'a b c' | tsort 2>&1 ;;
  ptx) show ptx words; show ptx -A -r -w 40 -g 3 words; show ptx -G -O words; show ptx -S o -f words ;;
  basename | dirname) show "$1" /a/b/c.txt; show "$1" / a/ b; show "$1" -z a/b; show basename -s .c -a x.c y.c; show "$1" ;;
  realpath | readlink) mkdir -p d; ln -s ../words d/l; show "$1" -f d/l; show "$1" d/l; show "$1" -m none/x; show "$1" -e none; show realpath --relative-to=d words; show realpath -s d/../d/l ;;
  env) show env -i A=1 B=2; show env -u HOME sh -c 'echo ${HOME-unset}'; show env -S 'A=${TZ} B="x y" printf %s a\_b'; show env -C / pwd; show env none; show env -i --default-signal=INT true; show env -0 -i X=1; show env -v -i true ;;
  tee) tee a b <words | cksum; show tee -a a <numbers; sums a b; show tee /none/x <words; show tee -i -p c <words ;;
  touch) show touch -d '2001-02-03 04:05:06.5' a; stat -c %y a; show touch -r a b; stat -c %Y b; show touch -c none; show touch -t 202001020304.05 a; stat -c %Y a; show touch -a -d 'bad' a; show touch none/x ;;
  truncate) show truncate -s 10 words; show truncate -s +5 words; show truncate -s %8 words; show truncate -r numbers words; show truncate -s x words; ls -l words | wc -w; sums words ;;
  pathchk) show pathchk -p 'a:b'; show pathchk ok; show pathchk -P -- -x; show pathchk '' ;;
  df) show df --output=target /; show df /none; df -P / | wc -l; df -h --total / | wc -l ;;
  dd) show dd if=words of=o bs=4 count=3 status=none; show dd if=words conv=ucase,swab status=none; show dd if=words skip=1 bs=2 conv=block cbs=8 status=none; show dd if=/none; show dd bs=x; show dd if=words of=o seek=2 obs=3 ibs=5 conv=notrunc,sync status=none; sums o; dd if=/dev/zero of=big bs=1024 count=500 2>&1 | head -2 ;;
  timeout) show timeout 0.2 sleep 5; show timeout 5 sh -c 'exit 3'; show timeout -s KILL 0.2 sleep 5; show timeout --preserve-status 0.2 sleep 5; show timeout -k 0.1 0.1 sh -c 'trap "" TERM; sleep 2'; show timeout x true; show timeout 1 none; show timeout -v 0.1 sleep 3; show timeout --foreground 1 true ;;
  stty) show stty; show stty -a; show stty -F words ;;
esac
