/* Five accounts; transfers between any two of them keep the sum, which is checked at times. */
extern int command(void);
extern int from_account(void);
extern int to_account(void);
extern int amount(void);
#define N 5
int account[N] = { 10, 20, 30, 40, 50 };
int total = 150, failures, ok = 1;
static int sum(void) {
  int s = 0;
  for (int i = 0; i < N; i++) s += account[i];
  return s;
}
static int transfer(int from, int to, int x) {
  if (from < 0 || from >= N || to < 0 || to >= N) return -1;
  if (x <= 0 || account[from] < x) return -1;
  account[from] -= x;
#ifdef BROKEN
  account[to] += x - (x > 40);
#else
  account[to] += x;
#endif
  return 0;
}
int main(void) {
  while (1) {
    int c = command();
    if (c == 1) {
      if (transfer(from_account(), to_account(), amount()) < 0) failures++;
    } else if (c == 2) {
      ok = sum() == total;
    }
  }
}
