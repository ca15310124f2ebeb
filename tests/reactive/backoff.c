/* Sends with retries; the pause doubles each time. */
extern int send_packet(void);
extern void sleep_ms(int);
extern int have_packet(void);
int sending, done, failed, delay = 1;
unsigned tries;
#define MAXTRIES 6
int main(void) {
    while (1) {
        if (!have_packet()) continue;
        done = failed = 0;
        sending = 1;
        tries = 0;
        delay = 1;
#ifdef BROKEN
        while (tries <= MAXTRIES || delay > 1) {
#else
        while (tries < MAXTRIES) {
#endif
            tries++;
            if (send_packet()) { done = 1; break; }
            for (int i = 0; i < delay; i++) sleep_ms(1);
            delay *= 2;
#ifdef BROKEN
            if (delay > 32) delay = 32;
#endif
        }
        if (!done) failed = 1;
        sending = 0;
    }
}
