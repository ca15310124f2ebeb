#include <stdbool.h>

int two(void) {
  static int calls;
  calls++;
  return 2;
}

struct flags {
  bool member;
  bool bit : 1;
};

int main(void) {
  bool taken = true, turned = true, lessened = true, divided = true, rest = true, gone = true;
  struct flags f = {true, true};
  struct flags *at = &f;
  int x = two();
  taken &= x;
  turned ^= x;
  lessened -= two();
  divided /= x;
  rest %= x;
  gone += -1;
  at->member ^= x;
  int right = !taken && turned && lessened && !divided && rest && !gone && f.member;
#ifdef BITS
  f.bit ^= x;
  right = right && f.bit;
  at->bit += 1;
  right = right && f.bit;
  f.bit <<= 1;
  right = right && f.bit;
  f.bit &= x;
  right = right && !f.bit;
#endif
  int done = right;
  return done;
}
