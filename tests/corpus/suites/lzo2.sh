. "$(dirname "$0")/common.sh"
case $1 in
  simple) show simple ;;
  *) for method in 1 2 11 12 15 41 61 71 81 91 902 921 942 962 972; do show lzotest -m$method -n1 -q -v "$SOURCE/COPYING" | sed 's/[0-9.]* [KM]*B.s//g; s/[0-9]*\.[0-9]*//g' | tr -s ' '; done; show lzotest -mlzo words | sed 's/[0-9.]*\.[0-9]*//g'; show lzotest -@ ;;
esac
