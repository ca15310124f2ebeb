/* Money moves between accounts; the sum stays. */
extern int from_account(void);
extern int to_account(void);
extern int amount(void);
int balance[4] = { 100, 50, 25, 25 };
int busy;
int main(void) {
    while (1) {
        int a = from_account(), b = to_account(), x = amount();
        if (a < 0 || a > 3 || b < 0 || b > 3) continue;
        if (x <= 0 || x > balance[a]) continue;
        busy = 1;
        balance[a] -= x;
#ifdef BROKEN
        if (a != b)
#endif
        balance[b] += x;
        busy = 0;
    }
}
