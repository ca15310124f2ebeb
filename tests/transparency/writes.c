#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int g; unsigned char uc = 250; short sh; struct { unsigned f : 5; signed s : 4; long long w : 40; } bf; union { int i; char c[4]; float f; } un;
volatile int vol; int arr[5], mat[3][4]; double dbl; _Bool bo; long double ld; char *str; enum { X, Y, Z } en; struct N { int v; struct N *n; int a[3]; } node, *np = &node;
static int order(int n) { printf("[%d]", n); g += n; return n; }
static int *where(int n) { printf("<%d>", n); return &arr[n]; }
unsigned ret_narrow(void) { return uc += 10; }
char narrow(void) { int x = 300; return g = x; }
float fl(void) { return dbl = 0.1; }
_Bool bl(void) { return g = 256; }
const char *cs(void) { return str = "abc"; }
void nothing(void) { g++; return; }
int recur(int n) { if (n <= 0) return g; g += n; return recur(n - 1) + recur(n - 2); }
int main(void) {
  arr[order(1)] = order(2); *where(order(0)) += order(3); mat[order(1)][order(2)] -= order(4);
  uc++; uc += 300; uc = uc << 1; sh = 70000; sh -= 1; bo = 5; bo += 0; bo--; bf.f = 33; bf.f++; bf.s = 9; bf.s--; bf.w = 1ll << 39; bf.w >>= 3; un.f = 1.5f; un.c[1] ^= 7; dbl = 7; dbl /= 2; ld = dbl; ld *= 3; dbl++; en = Z; en--; vol = vol + 1; vol++;
  int r = (g = 3, g++) + (g ? g-- : ++g); r += uc++ + --sh; r ^= (bf.f += 7) | bf.f++;
  np->a[np->v++] = g; np->n = &node; np->n->n->a[2] = np->v ? (np->v = 4) : 5; *np = (struct N){ g, np, { 1, 2 } };
  str = "hello"; str++; str += *str == 'e' ? 1 : 2; char buf[8] = "xy"; char *p = buf; *p++ = 'a'; *p++ = 'b'; *++p = 'c'; memset(arr + 3, 1, 4); strcpy(buf + 4, str);
  for (int i = 0, j = 9; i < j; i += 2, j--) { if (i == 2) continue; g += i * j; if (g > 30) break; }
  while (g-- > 20) { if (g == 25) goto mid; } 
mid: switch (g & 3) { default: g++; case 1: { int q = g; g = q * 2; break; } case 2: g = -1; }
  printf("\n%d %d %d %d %d %d %d %d %lld %d %g %Lg %d %d\n", g, r, uc, sh, bo, bf.f, bf.s, en, (long long)bf.w, un.i, dbl, ld, vol, node.a[2]);
  printf("%s %s %d %d %u %d %g %d %s %d\n", buf, str, arr[3], mat[1][2], ret_narrow(), narrow(), fl(), bl(), cs(), recur(5)); nothing();
  int *dyn = malloc(4 * sizeof *dyn); for (int i = 0; i < 4; dyn[i] = g += i, i++) ; printf("%d %d\n", dyn[3], g); free(dyn);
  g = g > 3 && (g = 0, 1) || (g = 9); int t = g == 0 ? ({ int z = g = 5; z + 1; }) : 0; printf("%d %d %d\n", g, t, sizeof(g++) == 4);
  if (g == 5) if (t == 5) g = 1; else g = 2; else g = 3;
  do if (g > 5) break; else g++; while (g < 9 && (g += 2));
  atexit(nothing); printf("%d\n", g); exit(g);
}
