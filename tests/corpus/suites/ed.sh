. "$(dirname "$0")/common.sh"
cp "$(command -v ed)" .
show sh "$SOURCE/testsuite/check.sh" "$SOURCE/testsuite" 0
show ls
printf 'a\nfirst\nsecond\nthird\n.\n1,2s/r/R/gp\n,n\n2m0\n,p\ng/R/d\nu\n,p\nx\nh\nw out\nQ\n' | ed
sums out
show ed /none
# An interrupt in the middle of work jumps to the main loop.
{ printf 'a\nx\n.\n'; sleep 1; kill -INT "$(cat pid)"; sleep 1; printf 'p\nQ\n'; } | sh -c 'echo $$ >pid; exec ed -s'
echo $?
