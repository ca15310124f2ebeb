. "$(dirname "$0")/common.sh"
mkdir -p d/e; cp words d; cp numbers d/e; ln -s words d/link; ln d/words d/hard; head -c 30000 "$SOURCE/src/copyin.c" >d/big
find . -exec touch -h -d 2001-02-03 '{}' +
for format in bin odc newc crc tar ustar hpbin hpodc; do
  find d | sort | cpio --quiet -o -H $format -R 0:0 --reproducible >$format.cpio 2>messages; echo $?; cat messages
  show cpio -itF $format.cpio; wc -c <$format.cpio
done
find d | sort | show cpio -ov -C 128 -O o.cpio; sums o.cpio | cut -d' ' -f1,3
mkdir x; cd x; show cpio -idv <../newc.cpio; find . | sort; show cpio -iu --only-verify-crc <../crc.cpio; show cpio -i -n 'd/w*' -t -v <../ustar.cpio | cut -c1-10; cd ..
find d | sort | show cpio -pdlm y; find y | sort; find d | show cpio -p y
head -c 3000 newc.cpio >cut; show cpio -it <cut; show cpio -i <words; show cpio -o; show cpio -it -F /none; show cpio --no-such; show cpio -ibs -t <odc.cpio
echo words | cpio -oA -H ustar -F ustar.cpio; show cpio -it -H tar -F ustar.cpio; show cpio -i --to-stdout d/words <newc.cpio; show cpio -itv -E words <newc.cpio
