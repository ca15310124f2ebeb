#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
int g, (par) = 3, fdecl(), arr2[] = { 1, 2, 3, };
int tent; int tent; int tent = 4; extern int ext; int ext = 5;
static void cl(int *p) { g += *p; }
int cleanup(void) { int x __attribute__((cleanup(cl))) = 5; { int y __attribute__((cleanup(cl))) = 7; g++; } return g; }
int fdecl() { return 9; }
static int (*(*getter(int a))(int))(void);
static int three(void) { return g = 3; }
static int (*mid(int x))(void) { g = x; return three; }
static int (*(*getter(int a))(int))(void) { g = a; return mid; }
typedef int (*fp)(void); fp fps[2] = { three, &three };
enum big { BIG = 0x80000000u, NEG = -1 };
struct withenum { enum { IN1, IN2 } e : 4; int : 0; unsigned rest; };
union __attribute__((aligned(16))) ua { int a; char b[20]; };
#define LOOP(n, body) do { int n = 0; for (; n < 3; n++) { body; } } while (0)
#define EMPTY
#define STMT(x) EMPTY if (x) { g++; } else
int macros(void) { LOOP(k, g += k); STMT(g > 100) g--; LOOP(k, if (k == 1) continue; if (k == 2) break; g *= 2); return g; }
int pragma_odd(int n) {
#pragma GCC unroll 4
  for (int i = 0; i < n; i++)
#pragma GCC ivdep
    for (int j = 0; j < 2; j++) g += j;
  if (n)
    _Pragma("GCC diagnostic push") g++; _Pragma("GCC diagnostic pop")
  return g;
}
int nobrace_switch(int x) { switch (x) case 1: g = 10; switch (x) { g = 99; case 2: g = 20; } return g; }
int stmt_labels(int x) { switch (x) { case 1: case 2: default: lbl: ; int y = x; g += y; if (g++ < 300) goto lbl; } end_label: return g; goto end_label; }
int vlas(int n, int m[n][n]) { typedef int row[n]; row r; row *pr = &r; int (*q)[n] = m; for (int i = 0; i < n; i++) r[i] = q[0][i]; g = (*pr)[n-1]; return sizeof(row) + sizeof(*q) + sizeof(int[g++]); }
int ternaries(int a) { return a > 3 ? g++ : a > 2 ? g-- : a > 1 ? (g += 5) : g, g; }
int lots(void) { register int i; int s = 0; for (i = 0; ; ) { if (i++ == 5) return s; s += i; g = s; } }
inline int inl(int x) { return x + 1; } extern int inl(int);
int deref(void) { int x = 1, *p = &x, **pp = &p; (*p)++; ++**pp; *&x += 2; (&x)[0] -= 1; 0[p] *= 3; g = x; return *p; }
int commas(void) { int a = (g = 1, g = 2, 3), b; b = a, a = 5; g += a, g += b; return g; }
int strs(void) { const char s[] = "a\0b" "c" /* c */ "\x41" "\101"; g = sizeof s; return s[4] + '\'' + L'x' + u'y' + U'z' + '"'; }
int goto_into(int x) { if (x) goto inside; { int q; if (0) { inside: q = 3; g = q; } } return g; }
struct big_s { int a[10]; } mk(int x) { struct big_s s = { { [9] = x } }; g = x; return s; }
int chain(void) { return mk(4).a[9] + (g = mk(5).a[9]); }
int builtin(void) { int r; if (__builtin_expect(!!(g > 0), 1)) r = __builtin_constant_p(3) + __builtin_types_compatible_p(int, int) + __builtin_offsetof(struct withenum, rest); else __builtin_unreachable(); if (__builtin_add_overflow(g, 3, &g)) r = 0; return r; }
void noret(void) __attribute__((noreturn)); void noret(void) { printf("g %d\n", g); exit(g & 63); }
int main(void) {
  printf("%d %d %d %d\n", cleanup(), g, par + tent + ext, fdecl(1, 2));
  printf("%d %d\n", getter(7)(8)(), g);
  printf("%d %d %d\n", fps[1](), (*fps[0])(), macros());
  printf("%d %d %d\n", pragma_odd(3), nobrace_switch(1), nobrace_switch(2));
  printf("%d\n", stmt_labels(1)); int m[2][2] = { { 1, 2 }, { 3, 4 } };
  printf("%d %d\n", vlas(2, m), ternaries(2));
  printf("%d %d %d %d %d\n", lots(), inl(3), deref(), commas(), strs());
  printf("%d %d %d %d\n", goto_into(1), goto_into(0), chain(), builtin());
  int i; for (i = 0; i < 2; i++) for (int j = 0; j < 2; j++) if (i) if (j) g++; else g += 2; else { g += 3; }
  while (1) { do { if (g & 1) goto done; g++; } while (1); }
done:;
  noret();
}
