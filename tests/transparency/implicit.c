#include <stdio.h>
int g;
main() { int a[3], *p; static x; auto int y = 3; const z = 4; p = a; p[0] = x + y + z; g = p[0]; printf("%d\n", g); return f2(g); }
f2(n) { return n + 1; }
