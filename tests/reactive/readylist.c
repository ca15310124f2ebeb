/* Tasks with priorities; the ready ones are kept sorted. */
#define N 4
extern int wake(void);
extern int which(void);
int list[N];
int n;
int running = -1;
static int contains(int t) { for (int i = 0; i < n; i++) if (list[i] == t) return 1; return 0; }
static void insert(int t) {
    int i = n;
    while (i > 0 && list[i - 1] > t) { list[i] = list[i - 1]; i--; }
    list[i] = t;
    n++;
}
int main(void) {
    while (1) {
        running = -1;
        int t = which();
        if (wake() && t >= 0 && t < N) {
#ifdef BROKEN
            if (n < N)
#else
            if (!contains(t))
#endif
                insert(t);
        }
        if (n > 0) {
            running = list[0];
            for (int i = 1; i < n; i++) list[i - 1] = list[i];
            n--;
        }
    }
}
