/* Packets: a length, then so many bytes into a buffer; 0 begins again. */
#include <stdio.h>
#define ROOM 16
static unsigned char buf[ROOM];
static int need, have;
static int complete, packets;
int main(void) {
    for (;;) {
        int c = getchar();
        if (c == EOF) break;
        complete = 0;
        if (need == 0) {
#ifdef BROKEN
            need = c;
#else
            if (c <= ROOM) need = c;
#endif
            have = 0;
        } else {
            buf[have++] = c;
            if (have == need) { complete = 1; need = 0; if (packets < 100) packets++; }
        }
    }
    return 0;
}
