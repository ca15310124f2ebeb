/* What the compiler computes with operands of enumerated types: `unsigned int` where no constant is negative, but `int`
   for bit-fields. Compiled, it ends with `bad` at 1023. */
enum value { A, B, C };
enum sign { M = -1, N };
struct { enum value narrow : 2, small : 2; enum value full; } s;
int bad, other;
enum value watched = -1;
enum value shared = -1;
int main(void) {
  if (s.narrow - 1 < 0) bad = 1;
  if ((s.narrow = C) - 3 < 0) bad += 2;
  if ((other ? s.narrow : s.small) - 1 < 0) bad += 4;
  if ((other ? s.narrow : s.full) - 1 > 0) bad += 8;
  enum value v = -1;
  if (v > C) bad += 16;
  v = A;
  if (-v - 1 > 0) bad += 32;
  long l = 0;
  l += v - 1;
  if ((v - 1) / 2 > 3 && l > 0) bad += 64;
  enum sign z = M;
  if (z < N) bad += 128;
  shared >>= 3;
  if (shared == 0x1fffffff) bad += 256;
  shared = -2;
  shared /= 2;
  if (shared == 0x7fffffff) bad += 512;
  watched >>= 3;
  return 0;
}
