# Common to all suites: show COMMAND... prints a command's output and its exit status.
show() {
  echo "== $*"
  timeout 60 "$@" 2>&1
  echo "-> $?"
}
# Prints the checksums of the contents of files.
sums() {
  for file; do printf '%s ' "$file"; cksum <"$file"; done
}
printf 'one two\nthree\n\nfour five six\none two\nZebra 10\napple 9\n' >words
printf '3 c\n1 a\n2 b\n10 j\n2 b\n' >numbers
