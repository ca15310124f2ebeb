. "$(dirname "$0")/common.sh"
case $1 in
  lessecho) show lessecho 'a b' c\*d; show lessecho -pX -a "it's" x; exit ;;
  lesskey) printf '#command\nq quit\n\\kd forw-line\nx noaction g\n#env\nLESS = -i\n' >keys; show lesskey -o out keys; sums out; printf 'q nothing\n' >bad; show lesskey -o out2 bad; show lesskey -V; exit ;;
esac
show less words numbers
less -N words | cat -v
less -X -e -s <words | cksum
show less /none
show less -Z words
printf '\001\002\000\377 binary\n' >binary
show less -f binary | cat -v
show less -V
show less -? | cksum
show less -p three words
show less +2 -S words
