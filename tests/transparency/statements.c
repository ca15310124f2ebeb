#include <stdio.h>
#include <stdarg.h>
#include <complex.h>
#include <string.h>
int g, h;
typedef union { int *i; float *f; } tu __attribute__((transparent_union));
static int take(tu t) { g = *t.i; return g; }
static int sum(int n, ...) { va_list ap, c; int s = 0; va_start(ap, n); va_copy(c, ap); while (n--) s += va_arg(ap, int); g = va_arg(c, int); va_end(c); va_end(ap); return s; }
static int (*table[3])(int, ...) = { sum, [2] = sum };
static int (*pick(int i))(int, ...) { g = i; return table[i]; }
typedef struct { unsigned a : 3, : 2, b : 4; signed c : 5; } bits;
enum e { A, B = 5, C = B + A, D = sizeof(int) } __attribute__((packed));
static const char *const names[] = { [A] = "a", [B] = "b" };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
static _Complex double z = 1.0 + 2.0i;
#pragma GCC diagnostic pop
int fall(int x) {
  switch (x) {
  case 1: g = 1; __attribute__((fallthrough));
  case 2: g += 2; /* fall through */
  case 3: g += 3; break;
  case 4: { int y = x; case 5: y = 5; g = y; } break;
  if (0) { default: g = 42; }
  }
  return g;
}
int duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) { case 0: do { *to++ = *from++; case 7: *to++ = *from++; case 6: *to++ = *from++; case 5: *to++ = *from++; case 4: *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; g++; } while (--n > 0); }
  return g;
}
int lab(int x) { if (x) L: g = x, x--; if (x > 0) goto L; M: N: ; return x; }
%:define DIG <: 3 :>
int dig DIG = <% 1, 2, 3 %>;
int line_a = \
 __LINE__;
// comment with continuation \
   int hidden = 1;
#line 500 "other.c"
int line_b = __LINE__;
_Pragma("GCC poison never_used_name") int after;
typedef int T;
int shadow(int T) { return (T)+1; }
int shadow2(void) { int T = 4; { typedef char T; return sizeof(T) + g; } return T; }
int cond(int a, int b) { return a ? b ? g = 1 : (g = 2) : b ? g = 3, 4 : 5; }
struct S { int v; struct S *next; } s1 = { 1, &s1 };
struct S ret(void) { struct S s = s1; s.v = 77; g = s.v; return s; }
int main(int argc, char **argv) {
  (void)argv;
  int i = 7; float f;
  printf("%d %d %d\n", take(&i), sum(3, 1, 2, 3), pick(2)(2, 8, 9));
  bits b = { 1, 2, -3 }; b.a += 9; b.c--; b.b ^= 15;
  printf("%d %d %d %g %g\n", b.a, b.b, b.c, creal(z), cimag(z));
  for (int k = 0; k < 8; k++) printf("%d ", fall(k));
  char buf[20] = { 0 }; printf("%d %s\n", duff(buf, "hello, world!", 13), buf);
  printf("%d %d %d %d %d\n", lab(3), dig[1], line_a, line_b, shadow(3));
  printf("%d %d %d %d\n", shadow2(), cond(1, 1), cond(0, 1), cond(0, 0));
  printf("%d %d %s %d\n", ret().v, ret().next->v, names[B], (int)sizeof(enum e));
  f = ({ float t = 2; t * 2; }); g = f; h = g++ + (g = 5, 1);
  struct S local = (struct S){ .v = g, .next = &(struct S){ 5, 0 } };
  *(&local.v) += 1; local = *local.next; memcpy(&g, &local, sizeof g);
  printf("%d %d %g %d\n", g, h, f, local.v);
  while (g --> 0) { if (g == 3) continue; if (g == 1) break; h += g; }
  for (;;) { if (h++ > 20) break; }
  printf("%d %d %d\n", g, h, argc > 5 ? 1 : 0);
  return h;
}
