#include <stdio.h>
#include <stdbool.h>
int g;
[[nodiscard]] static int f([[maybe_unused]] int a) { g++; return 1; }
[[deprecated("x")]] int unused_fn(void);
struct [[gnu::packed]] pk { char c; int i; };
typedef _Float128 quad; _Float128 q = 1.5f128; _Float32 h32 = 1.0f32;
static _Thread_local int tls = 3;
_Alignas(16) static char al[3];
_Noreturn static void die(int c);
#include <stdlib.h>
static void die(int c) { g = c; printf("die %d\n", g); exit(c); }
static int loops(void) { int n = 0; for (g = 0; g < 3; g++) { switch (g) { case 1: [[fallthrough]]; case 2: n += 10; break; default: n++; } } return n; }
static inline int dflt(void) { static int count; return ++count + (g = count); }
int nul(void) { void *p = 0; return p == ((void*)0); }
int main(void) {
  _Bool b = 5; bool c = !b;
  int *p = &(int){ 3 };
  const volatile int cv = 4;
  restrict_test: ;
  printf("%d %d %d %d %d %d\n", f(1), b, c, *p, cv, loops());
  printf("%g %g %d %d %d %d\n", (double)q, (double)h32, tls++, al[1], dflt(), dflt());
  printf("%d %d\n", nul(), (int)sizeof(struct pk));
  int x = 5; int *px = &x; int **ppx = &px; **ppx = g += 4; px[0]++, ++*px;
  printf("%d %d %s\n", x, g, __extension__ "ext");
  if (({ int t = g; t > 2; })) die(3);
  goto restrict_test;
}
