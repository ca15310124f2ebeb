. "$(dirname "$0")/common.sh"
cp "$SOURCE/src/pch.c" old.c
sed 's/int/long/; 40,50d; 400i\
/* new */' old.c >new.c
diff -u old.c new.c >change.u; diff -c old.c new.c >change.c; diff -e old.c new.c >change.e; diff old.c new.c >change.n
for kind in u c n; do cp old.c x.c; show patch x.c change.$kind; sums x.c; show patch -R x.c change.$kind; sums x.c; done
cp old.c x.c; sed -i '1,15d' x.c; show patch --backup x.c change.u; sums x.c x.c.orig
show patch --dry-run new.c change.u </dev/null
cp words x.c; show patch -f x.c change.u; sed 1,2d x.c.rej | cksum
mkdir a b; cp words a/w; sed 's/o/0/g' words >b/w; diff -ruN a b >tree; show patch -p1 -d a -i ../tree; sums a/w
show patch x.c /none
show patch -o out -F 3 old.c change.u; sums out
printf 'garbage\n' | show patch x.c
show patch --merge=diff3 words change.u
