. "$(dirname "$0")/common.sh"
cp "$SOURCE/gzip.c" big.c
for level in 1 6 9; do gzip -nc -$level big.c >big.$level.gz; done
sums big.*.gz
show gzip -l big.6.gz
show gzip -tv big.1.gz
gzip -dc big.9.gz | cksum
cp words copy
show gzip -nv copy
show gzip -d copy.gz
show gzip -d big.c
head -c 3000 big.6.gz >cut.gz
show gzip -t cut.gz
printf '\037\235\220\141\304\210' >lzw.Z
show gzip -dc lzw.Z
show gzip -d /none.gz
show gzip --help
show gzip --rsyncable -nc words
