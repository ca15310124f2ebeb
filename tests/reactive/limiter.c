/* At most 5 requests in each period of 60 ticks. */
extern int wants(void);
#define LIMIT 5
#define PERIOD 60
unsigned tick;
unsigned start;
int used, granted, refused;
int main(void) {
    while (1) {
        tick++;
        granted = refused = 0;
        if (tick - start >= PERIOD) { start = tick; used = 0; }
        if (wants()) {
#ifdef BROKEN
            if (used <= LIMIT) { used++; granted = 1; }
#else
            if (used < LIMIT) { used++; granted = 1; }
#endif
            else refused = 1;
        }
    }
}
