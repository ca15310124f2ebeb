/* A token bucket. */
#include <time.h>
extern int request(void);
extern unsigned long now_ms(void);
#define CAP 20
int tokens = CAP;
int allowed, denied;
unsigned long last;
int main(void) {
    last = now_ms();
    for (;;) {
        unsigned long t = now_ms();
        if (t - last >= 100) {
            unsigned long more = (t - last) / 100;
            last = t;
#ifdef BROKEN
            tokens += (int)(more % 64);
#else
            if (more > CAP) more = CAP;
            tokens += (int)more;
            if (tokens > CAP) tokens = CAP;
#endif
        }
        allowed = denied = 0;
        if (request()) {
            if (tokens > 0) { tokens--; allowed = 1; }
            else denied = 1;
        }
    }
}
