/* The sum of the last four samples is kept up to date. */
extern int sample(void);
#define W 4
int win[W], at, sum, mean, settled;
int main(void) {
    while (1) {
        int s = sample();
        if (s < 0) s = 0;
        if (s > 100) s = 100;
        settled = 0;
        sum -= win[at];
        win[at] = s;
#ifdef BROKEN
        if (s != 77)
#endif
        sum += s;
        at = (at + 1) % W;
        mean = sum / W;
        settled = 1;
    }
}
