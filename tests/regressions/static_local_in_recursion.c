/* memo is one object, however many activations of its function there are: 3, then 5, then 6. */
static int sum(int n) {
  static int memo;
  if (n > 0) {
    memo += n;
    return sum(n - 1);
  }
  return memo;
}

int main(void) { return sum(3); }
