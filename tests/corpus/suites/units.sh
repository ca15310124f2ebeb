. "$(dirname "$0")/common.sh"
u="units -f $SOURCE/definitions.units"
show $u "3 miles" km
show $u -t "1 acre" "m^2"
show $u -v "tempF(70)" tempC
show $u "2 hours + 3 minutes" "hr;min;sec"
show $u "kg" "m"
show $u -1 --exponential --digits 12 c "furlong/fortnight"
show $u "sqrt(9 m^2)" cm
show $u "gauge(8)" mm
show $u "5 furlogn" m
show $u -c 2>&1 | tail -n 5
printf '1|2 inch\nmm\njoule\n?\n\n' | $u -q --silent | cksum
show units -f /none 1 1
show $u "(3" m
show $u --version | head -n 1
