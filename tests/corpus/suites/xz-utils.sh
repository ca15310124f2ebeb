. "$(dirname "$0")/common.sh"
files=$SOURCE/tests/files
if [ "$1" = lzmainfo ]; then for file in "$files"/*.lzma; do show lzmainfo "$file" | tail -8; done; exit; fi
for file in "$files"/good-* "$files"/bad-* "$files"/unsupported-*; do
  case $file in *lzma_raw*) continue ;; esac
  printf '%s ' "${file##*/}"
  timeout 20 "$1" -dc "$file" 2>message <"$file" | cksum
  sed "s,$files/,," message
done
[ "$1" = xz ] || exit 0
for option in -0 -6 -9e --format=lzma --check=sha256 --lzma2=preset=1,lc=4 --x86 --delta=dist=2; do
  set -- $option; case $option in --x86 | --delta*) set -- $option --lzma2 ;; esac
  xz -c -T1 "$@" "$SOURCE/src/xz/list.c" 2>&1 | tee packed | cksum
  xz -dc packed | cksum
done
show xz -lvv packed
show xz --robot -l "$files"/good-1-check-crc32.xz
cp words w; show xz -v0 w; show xz -t w.xz; show xz -d w.xz; show xz -d w; show xz /none; show xz --badoption; show xz -H | cksum
