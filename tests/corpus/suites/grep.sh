. "$(dirname "$0")/common.sh"
tests=$SOURCE/tests
while IFS=@ read -r code pattern text; do
  printf '%s\n' "$text" | timeout 10 grep -E -e "$pattern" >out 2>&1
  echo "$code $? $(cksum <out)"
done <"$tests/spencer1.tests"
timeout 60 grep -E -f "$tests/khadafy.regexp" "$tests/khadafy.lines" | cksum
show grep -n -i -c o words numbers
show grep -rhoE '[a-z]{4,}' .
show grep -w -v -x three words
show grep -A1 -B1 --color=always three words
show grep -F -e one -e four -L words numbers
show grep -l b words numbers
show grep -q none words
show grep '\(o\).*\1' words
show grep '[' words
show grep -E 'a{1,2' words
show grep x /none
show grep -P x words
printf 'a\0b\n' >binary
show grep a binary
show grep -z -b o words
show grep -m1 --line-buffered -H o words
