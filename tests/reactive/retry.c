/* Connects; waits longer after each failure, gives up after five. */
#include <stdbool.h>
extern bool try_connect(void);
extern bool lost(void);
extern bool user_wants(void);
enum { OFF, CONNECTING, WAITING, ONLINE, FAILED } st = OFF;
int attempts, wait_left, pause_len;
int main(void) {
    while (1) {
        switch (st) {
        case OFF: if (user_wants()) { st = CONNECTING; attempts = 0; pause_len = 1; } break;
        case CONNECTING:
            attempts++;
            if (try_connect()) st = ONLINE;
            else if (attempts >= 5) st = FAILED;
            else { st = WAITING; wait_left = pause_len; pause_len = pause_len * 2; }
            break;
        case WAITING:
#ifdef BROKEN
            if (wait_left > 0) wait_left -= 2;
            if (wait_left == 0) st = CONNECTING;
#else
            if (--wait_left <= 0) st = CONNECTING;
#endif
            break;
        case ONLINE: if (lost()) st = OFF; break;
        case FAILED: st = OFF; break;
        }
    }
}
