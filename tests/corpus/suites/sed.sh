. "$(dirname "$0")/common.sh"
cd "$SOURCE/testsuite" || exit 1
for script in distrib mac-mf madding uniq; do
  [ -f $script.sed ] || continue
  sed -n -f $script.sed $script.inp | cksum
  sed -f $script.sed $script.inp | cksum
done
echo '1 2 + 3 * p 20k 2v p 16i AF 10o p' | sed -n -f dc.sed
cd "$OLDPWD"
show sed -E 's/(\w+) (\w+)/\2 \1/g; y/abc/xyz/' words
show sed -n '2,4{=;l;p};$!{h;d};G;p' words
show sed '/three/{N;N;s/\n/+/g};2i\
inserted' words
show sed -s -i.bak '1d;$a end' words numbers
sums words numbers words.bak
show sed ':a;s/^\(.*\)\(o\)/\1<>/;ta' words
show sed --debug -n '1p' words
show sed 's/a/b' words
show sed -f /none
show sed -z 's/\n/,/g' words
show sed '3q5' words.bak
show sed --posix 's/x\+/y/;w out' words.bak
sums out
