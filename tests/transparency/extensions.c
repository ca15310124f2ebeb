#include <stdio.h>
#include <stddef.h>
int g;
struct P { int x, y; struct { int u, v; }; union { int a; float f; }; int arr[4]; };
struct P tab[] = { [0] = { .x = 1, .arr = { [1] = 5, [2 ... 3] = 7 } }, [2].y = 9, [1 ... 1] = { .u = 3 } };
static int classify(int c) { switch (c) { case 'a' ... 'z': g++; return 1; case '0' ... '9': g += 2; return 2; default: return 0; } }
#define MAX(a,b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
static inline __attribute__((always_inline, const)) int sq(int x) { return x * x; }
int __attribute__((noinline)) __attribute__((unused)) weird(int a __attribute__((unused)), int b) { g = b; return g; }
__attribute__((constructor)) static void ctor(void) { g = 1; }
struct __attribute__((packed, aligned(4))) pk { char c; int i; } __attribute__((aligned(8)));
typedef int v4 __attribute__((vector_size(16)));
static int __attribute__((pure)) gen(int x) { return _Generic(x, int: 1, default: 2) + _Generic((char)x, char: 10, int: 20); }
_Static_assert(sizeof(struct pk) == 8, "size");
extern int alias_of_g __attribute__((alias("g")));
int zero[0];
struct flex { int n; char d[]; };
int vla(int n) { int a[n][n + 1]; for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i * j; g = a[n-1][n]; return sizeof a; }
int kr(a, b, c) int a; char b; short c; { g = a; return a + b + c; }
int sarr(int a[static 3], const int b[restrict]) { return a[0] + b[1]; }
int main(void) {
  __label__ out, again;
  __auto_type q = 3.5;
  __int128 big = (__int128)1 << 100; unsigned __int128 ub = ~(unsigned __int128)0;
  v4 v = { 1, 2, 3, 4 }; v += v;
  int n = 0;
  void *targets[] = { &&again, &&out };
again:
  n++;
  g += MAX(n, 2);
  if (n < 4) goto *targets[0];
  if (n == 4) goto *targets[1];
  puts("never");
out:
  g = g ?: 5;
  printf("%d %d %d %d %d\n", g, classify('q'), classify('5'), sq(4), gen(1));
  printf("%d %d %d %g %d %d\n", tab[0].arr[3], tab[2].y, tab[1].u, q, v[2], (int)(big >> 98));
  printf("%d %d %zu %d %d\n", vla(4), kr(1, 2, 3), sizeof zero, sarr((int[]){1,2,3}, (const int[3]){4,5,6}), (int)(ub >> 127));
  printf("%zu %zu %d %a\n", offsetof(struct P, arr[2]), _Alignof(struct pk), 0b1011, 0x1.8p3);
  struct flex *f = __builtin_alloca(sizeof *f + 4); f->n = 3; f->d[0] = 'x'; f->d[1] = 0;
  printf("%s %d %ls %s %d\n", f->d, alias_of_g, L"wide" "r", u8"utf8", __builtin_choose_expr(1, 2, "x"));
  for (int i = 0, *p = &g; i < 3; i++, (*p)++) ;
  do g--; while (g > 4);
  printf("%s:%d %s %d\n", &__FILE__[sizeof(__FILE__) - 7], __LINE__, __func__, g);
  asm volatile ("" : "+r"(n) :: "memory");
  { int x asm("eax") ; (void)sizeof x; }
  return g & 127;
}
