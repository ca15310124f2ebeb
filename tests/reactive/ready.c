/* Five tasks; the ready ones are in an array, round robin. */
extern int event(void);
#define TASKS 5
int ready[TASKS], n, running = -1;
char state[TASKS]; /* 0 sleeps, 1 is ready, 2 runs */
static void make_ready(int t) {
#ifndef BROKEN
    if (state[t] != 0) return;
#endif
    if (n >= TASKS) return;
    state[t] = 1;
    ready[n++] = t;
}
static void dispatch(void) {
    if (n == 0) { running = -1; return; }
    running = ready[0];
    n--;
    for (int i = 0; i < n; i++) ready[i] = ready[i + 1];
    state[running] = 2;
}
int main(void) {
    while (1) {
        int e = event();
        if (running >= 0) { state[running] = 0; running = -1; }
        if (e >= 0 && e < TASKS) make_ready(e);
        dispatch();
    }
}
