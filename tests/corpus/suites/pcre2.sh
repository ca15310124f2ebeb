. "$(dirname "$0")/common.sh"
data=$SOURCE/testdata
case $1 in
  pcre2test)
    for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 15 17 18 19 20 21 22 23 24 25 26; do
      pcre2test -q "$data/testinput$number" out >messages 2>&1; echo "$number $? $(cksum <out) $(cksum <messages)"
    done
    pcre2test -q -dfa "$data/testinput1" out; sums out; show pcre2test -C; printf '/(a)(b|c)+\\d{2,}?/i,info\n  xAbc123\n/(/\n' | show pcre2test - ;;
  *)
    f=$data/grepinput
    for a in "-n the" "-c ^pattern" "-i -o PATTERN" "-v e" "-A2 -B1 complete" "-M first.\nsecond" "-l the" "-L the" "--color=always -n pat.ern" "--only-matching=1 (p)attern" "-e a -e z -w"; do show pcre2grep $a "$f" | cksum; done
    show pcre2grep 'o+(?=n)' words numbers; show pcre2grep '(' words; show pcre2grep -f numbers words; show pcre2grep -r one .; show pcre2grep x /none; show pcre2grep --om-separator=: -o1 -o2 '(o)(n)' words ;;
esac
