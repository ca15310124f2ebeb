. "$(dirname "$0")/common.sh"
mkdir -p d/e; cp words d; cp numbers d/e; ln -s words d/link; ln d/words d/hard; head -c 30000 "$SOURCE/src/tar.c" >d/big
find . -exec touch -h -d 2001-02-03 '{}' +
fixed="--owner=0 --group=0 --numeric-owner --sort=name --mode=a+rX"
for format in v7 ustar oldgnu gnu pax; do show tar $fixed --format=$format --pax-option=delete=atime,delete=ctime,exthdr.name=x -cf $format.tar d; sums $format.tar; show tar -tvf $format.tar; done
mkdir x; show tar -C x -xvf gnu.tar; (cd x && find . | sort); show tar -df gnu.tar; echo more >>d/words; show tar -df gnu.tar
show tar $fixed -rvf ustar.tar words; show tar --delete -f ustar.tar d/big; show tar -tf ustar.tar; show tar -Oxf ustar.tar words
show tar $fixed -czf z.tar.gz d; gzip -dc z.tar.gz | tar -t; show tar -xf z.tar.gz -C x --strip-components=1 --transform 's,e/,E_,' -v
show tar --exclude='*.c' --exclude=big -cvf - d -b 1 | wc -c
head -c 20000 gnu.tar >cut.tar; show tar -tf cut.tar; show tar -xf /none; show tar -cf empty.tar; show tar --no-such
show tar -uvf ustar.tar words; show tar -Af v7.tar ustar.tar; show tar -tf v7.tar; show tar -cf s.tar -g snap --listed-incremental=snap d; show tar -tWf gnu.tar
dd if=/dev/zero of=sparse bs=1 count=1 seek=100000 2>/dev/null; show tar -Scf sp.tar sparse; show tar -xOf sp.tar | cksum; show tar -T words -cf n.tar; printf 'words\nd/e' >list; show tar -T list -cvf n.tar
show tar -tvf n.tar -R --utc --full-time -s; show tar -xvf gnu.tar -C x --overwrite --keep-newer-files d/e; show tar --to-command='cksum' -xf gnu.tar d/words; show tar -M -L 10 -cf m1.tar -F 'false' d
