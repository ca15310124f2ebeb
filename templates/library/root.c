/* The square root of a number as IEC 60559 rounds it. With m * 2^e for the number, m of 53 digits, it is the root of m * 2^52 (or
   m * 2^53, where e is odd) by digits, each from two more of these: `rest` is what the square of the digits so far leaves. */
BA_UNUSED static double ba_root(double ba_x) {
  union { double value; unsigned long long bits; } ba_r;
  unsigned long long ba_digits, ba_root = 0, ba_rest = 0;
  int ba_e, ba_odd;
  _Bool ba_tiny = ba_x < 0x1p-1022, ba_one;
  if (!(ba_x > 0) || ba_x - ba_x != 0) return ba_x == 0 || ba_x > 0 ? ba_x : 0.0 / 0.0;
  ba_r.value = ba_tiny ? ba_x * 0x1p+54 : ba_x;
  ba_e = (int)(ba_r.bits >> 52) - 1075;
  ba_odd = ba_e & 1;
  ba_digits = ((ba_r.bits & 0xfffffffffffffull) + (1ull << 52)) << ba_odd;
#define BA_DIGIT(two)                                            \
  ba_rest = ba_rest << 2 | (two);                                \
  ba_one = ba_rest >= (ba_root << 2) + 1;                        \
  if (ba_one) ba_rest -= (ba_root << 2) + 1;                     \
  ba_root = ba_root << 1 | ba_one;
#define BA_THREE(n) BA_DIGIT(ba_digits >> (n) & 3) BA_DIGIT(ba_digits >> ((n) - 2) & 3) BA_DIGIT(ba_digits >> ((n) - 4) & 3)
#define BA_ZEROS BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0)
  BA_THREE(52) BA_THREE(46) BA_THREE(40) BA_THREE(34) BA_THREE(28) BA_THREE(22) BA_THREE(16) BA_THREE(10) BA_THREE(4)
  BA_ZEROS BA_ZEROS BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0) BA_DIGIT(0)
#undef BA_DIGIT
#undef BA_THREE
#undef BA_ZEROS
  ba_root += ba_rest > ba_root;
  ba_r.bits = ba_root + ((unsigned long long)((ba_e - 52 - ba_odd) / 2 + 1074) << 52);
  return ba_tiny ? ba_r.value * 0x1p-27 : ba_r.value;
}
