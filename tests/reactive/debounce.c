/* A key counts as pressed after ten equal samples. */
extern int read_pin(void);
#define STABLE 10
int raw, pressed, same, events;
int main(void) {
    int last = 0;
    while (1) {
        raw = read_pin() & 1;
        if (raw == last) {
            if (same < STABLE) same++;
        } else {
            same = 0;
            last = raw;
        }
#ifdef BROKEN
        if (same >= STABLE || raw)
#else
        if (same >= STABLE)
#endif
        {
            if (raw != pressed) { pressed = raw; events++; }
        }
    }
}
