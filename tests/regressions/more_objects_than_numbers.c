/* 300 objects whose addresses are taken. */
#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define HUNDRED(m, n) TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
#define ALL(m) HUNDRED(m, o1) HUNDRED(m, o2) HUNDRED(m, o3)
#define DEFINED(name) static int name;
#define ADDRESS(name) &name,
ALL(DEFINED)
static int *const table[] = { ALL(ADDRESS) };
extern unsigned nondet_uint(void);
int stored;
int main(void) {
  unsigned n = nondet_uint() % 300;
  *table[n] = 7;
  stored = *table[299] + *table[0];
  return 0;
}
