/* A lift with three floors. Each round somebody may press a button, then the lift opens its door or moves one floor. */
int pressed(void);

int at = 0;          /* the floor, 0 to 2 */
int up = 1;          /* the direction */
int door = 0;        /* whether it is open */
unsigned called = 0; /* one bit for each floor */
unsigned rounds = 0; /* for the statistics alone */

int main(void) {
    while (1) {
        int button = pressed() & 3; /* that of a floor, or 3: none */
        rounds++;
        if (button < 3 && button != at)
            called |= 1u << button;
        int above = called >> (at + 1) != 0;
        int below = (called & ((1u << at) - 1)) != 0;
        door = called >> at & 1;
        if (door)
            called &= ~(1u << at);
#ifdef HURRIED
        else if (above) /* upwards first: who waits below may wait for ever */
            at++;
        else if (below)
            at--;
#else
        else if (up ? above : below)
            at += up ? 1 : -1;
        else
            up = !up;
#endif
    step:;
    }
}
