#include <complex.h>
#include <math.h>
#include <wchar.h>

int wrong = 0, checks = 0;
#define CHECK(holds) do { checks++; if (!(holds)) wrong = __LINE__; } while (0)

struct wide {
  unsigned long a : 40, b : 33;
  long s : 40;
} w;

struct apart {
  char c;
  int : 0;
  char d;
};

static int side;
static double next(void) { return ++side; }

static void fields(void) {
  int minus = -1;
  long below = -1;
  w.a = 0xffffffffff;
  w.b = 5;
  w.s = -3;
  CHECK(w.a + 1 == 0);
  CHECK((unsigned long)(w.a << 8) == 0xffffffff00);
  CHECK(w.a == minus);
  CHECK(-w.b == 0x1fffffffb);
  CHECK(~w.b == 0x1fffffffa);
  CHECK(w.b - 6 > 0);
  CHECK(w.b + below > below);
  CHECK(w.b * below < 0);
  CHECK(w.a / minus == 1);
  CHECK((minus ? w.b : minus) == 5);
  CHECK((minus ? minus : w.b) == 0x1ffffffff);
  CHECK(w.s + w.a > 0);
  CHECK(w.s + w.b == 2);
  CHECK(w.s + 1 < 0);
  CHECK((w.b = 7) - 8 > 0);
  w.a /= minus;
  CHECK(w.a == 1);
}

static void complex_numbers(void) {
  double complex z = 1 + 2 * I, one = 1;
  float complex f = 1 + 2 * I;
  CHECK(z != 1);
  CHECK(one == 1);
  CHECK(z == f);
  CHECK(__real__ ~z == 1 && __imag__ ~z == -2);
  CHECK(cimag(conj(z)) == -2 && creal(conj(z)) == 1);
  CHECK(cimagf(conjf(f)) == -2);
  CHECK(z && one);
  CHECK(!(one - 1));
  CHECK((2 * I ? 1 : 0) == 1);
  CHECK((_Bool)(2 * I));
  _Bool truth = 2 * I, truths[2] = {0, 3 * I};
  CHECK(truth && truths[1]);
  double complex zero = 0.0, below = -0.0, none = NAN;
  CHECK(zero == below && !(zero != below) && !below);
  CHECK(none != none && !(none == none));
}

static void literals(void) {
  wchar_t s[] = L"aé1€f";
  unsigned short t[] = u"😀é" "é";
  const char *u = u8"é";
  CHECK(sizeof s == 24 && s[1] == 0xe9 && s[3] == 0x20ac && s[4] == 'f');
  CHECK(sizeof t == 10 && t[0] == 0xd83d && t[2] == 0xe9 && t[3] == 0xe9);
  CHECK(L'é' == 0xe9 && u'é' == 0xe9 && U'€' == 0x20ac);
  CHECK(u[0] == (char)0xc3 && u[1] == (char)0xa9 && !u[2]);
  const char *ended = "1\0002", *more = "\1289\e1";
  CHECK(!ended[1] && ended[2] == '2' && sizeof "1\0002" == 4 && sizeof L"\0001" == 12);
  CHECK(more[0] == 10 && more[1] == '8' && more[3] == '\033' && more[4] == '1');
}

typedef int pair __attribute__((vector_size(8)));
typedef float floats __attribute__((vector_size(8)));
typedef short halves __attribute__((vector_size(4)));

static void vectors(void) {
  pair both = {1, 2};
  halves parts = (halves)0x40003;
  CHECK((long long)both == 0x200000001);
  CHECK(((int)(long long)(pair){3, 4}) == 3);
  CHECK(parts[0] == 3 && parts[1] == 4);
  floats numbers = {1, 2};
  CHECK(((pair)numbers)[0] == 0x3f800000);
  CHECK(((floats)(pair){0x40000000, 0})[0] == 2);
  CHECK((long long)(both == (pair){1, 5}) == 0xffffffff && (int)both[1] == 2);
}

static void overflows(void) {
  unsigned long long to;
  unsigned short small;
  int number, four = 4, minus = -1;
  CHECK(!__builtin_mul_overflow(-2, -four, &to) && to == 8);
  CHECK(__builtin_mul_overflow(2, -four, &to) && to == -8ull);
  CHECK(__builtin_add_overflow(minus, 0, &to) && to == -1ull);
  CHECK(__builtin_add_overflow(8719476735l, minus, &number));
  CHECK(!__builtin_sub_overflow(1u, 2u * four, &number) && number == -7);
  CHECK(__builtin_add_overflow(minus, -65535, &small) && small == 0);
  CHECK(!__builtin_mul_overflow_p(-2, -four, to) && __builtin_sub_overflow_p(2, four, to));
  __int128 wide = (__int128)1 << 126;
  unsigned __int128 most;
  CHECK(!__builtin_add_overflow(wide, wide, &most) && most >> 126 == 2);
  CHECK(__builtin_mul_overflow((__int128)minus, 1u, &most) && most == -(unsigned __int128)1);
  CHECK(__builtin_sub_overflow(-wide, 3 * (unsigned __int128)wide, &wide) && wide == 0);
}

static void long_numbers(void) {
  long double one = 1, three = 3, most = 18446744073709551615.0L, sum = 1;
  CHECK(one + 1e-25L == one);
  CHECK(one + 1e-18L != one);
  CHECK((unsigned long)(most - one) == 18446744073709551614ul);
  CHECK(one / three * three == one);
  sum += 1e-25L;
  CHECK(sum == one);
  CHECK((double)0.1L == 0.1);
}

static struct {
  char c;
  union {
    long long a;
    char b[9];
  } v;
  union {
    int d;
    struct {
      short x, y, z;
    } e;
  };
} ends;

static void unions(void) {
  unsigned char *bytes = (unsigned char *)&ends;
  CHECK(sizeof ends == 32 && sizeof ends.v == 16);
  CHECK((unsigned char *)&ends.v - bytes == 8);
  ends.v.b[8] = 3;
  ends.e.z = 0x102;
  CHECK(bytes[16] == 3 && bytes[28] == 2 && bytes[29] == 1);
}

struct made {
  int n;
};

static void literals_again(void) {
  struct made *first = 0, *last;
  int n = 0, *kept = 0;
again:
  last = first;
  first = &(struct made){n++};
  if (n < 3)
    goto again;
  CHECK(first == last && first->n == 2);
  for (n = 0; n < 2 && *(kept = &(int){n}) < 2; n++)
    ;
  CHECK(!__builtin_constant_p(side) && __builtin_constant_p("a") && __builtin_constant_p(1.5));
}

int main(void) {
  double nan = NAN;
  fields();
  unions();
  complex_numbers();
  literals();
  vectors();
  overflows();
  long_numbers();
  literals_again();
  CHECK(sizeof(struct apart) == 5);
  CHECK(isgreater(2, 1.5) && !isgreater(nan, 1) && !isgreater(1, nan));
  CHECK(isgreaterequal(2.0f, 2.0f) && isless(1.0, 2) && islessequal(2, 2.0L));
  CHECK(islessgreater(next(), 0.5) && side == 1);
  CHECK(!islessgreater(nan, 1) && isunordered(nan, 1) && isunordered(1, nan) && !isunordered(1.0, 2));
  CHECK(w.a + 1 == 2);
  CHECK(_Generic("x", char *: 1, default: 2) == 1);
  CHECK(isfinite(nan) == 0 && isfinite(1.5f) && !isfinite(INFINITY));
  CHECK(__builtin_add_overflow((_Bool)side, 2147483647, &side));
  side = 1;
  CHECK((int)(nan == nan ? 2.5 : next() + 0.5) == 2);
  return 0;
}
