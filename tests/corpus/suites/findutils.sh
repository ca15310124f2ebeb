. "$(dirname "$0")/common.sh"
mkdir -p d/e/f g
cp words d/e; cp numbers d/e/f/n.txt; ln -s ../words d/link; touch -d 2001-02-03 d/old; chmod 700 g
found() { show find "$@" | sort; }
found . -name '*o*' -o -type d
found . -type f -size -2 -printf '%p %s %d %m %y\n'
found d -newer d/old -print0 | tr '\0' '\n'
found . -path ./d -prune -o -print
found d -depth -mindepth 1 -maxdepth 2 '!' -empty
found d -type f -exec cksum '{}' ';'
found d -type f -exec echo '{}' +
found d -regex '.*/[a-n]\(\.txt\)?' -printf '%f|%h|%P|%TY-%Tm\n'
found -L d -xtype l -o -lname '*words'
found d -perm -700 -o -iname OLD -ls | cut -c1-3
found g -delete -print
found . -type q
found /none
found . -samefile words -o -links +1
found -D tree . -name x 2>&1 | cksum
found . -quit
found . -execdir false '{}' +
show xargs -n 2 echo <words
show xargs -I@ echo '<@>' <words
show xargs -0 -t -P 2 -n 1 echo <words
printf 'a b\\ c "d e" '"'f g'" | show xargs -n 1 echo
echo '"x' | show xargs
show xargs -a words -L 1 -r sh -c 'echo $#; exit 255'
yes x | head -n 50000 | xargs echo | wc -l
show xargs -s 40 echo <words
show xargs --show-limits -x -d '\n' true <words | tail -n 1
show xargs /none <words
