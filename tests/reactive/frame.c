/* Frames: a length, then so many bytes, read by a reader that is passed around. */
#include <stdio.h>
#include <string.h>
#define MAX 16
struct reader { unsigned char data[MAX]; int want, have, frames; };
struct reader r;
int overflow;
static void reset(struct reader *p) { p->want = p->have = 0; }
static int feed(struct reader *p, unsigned char b) {
    if (p->want == 0) {
#ifdef BROKEN
        if (b > MAX + 1) return -1;
#else
        if (b > MAX) return -1;
#endif
        p->want = b;
        return 0;
    }
    if (p->have >= MAX) { overflow = 1; reset(p); return -1; }
    p->data[p->have++] = b;
    if (p->have == p->want) { reset(p); return 1; }
    return 0;
}
int main(void) {
    int c;
    reset(&r);
    for (;;) {
        c = getchar();
        if (c == EOF) { reset(&r); continue; }
        if (feed(&r, (unsigned char)c) == 1) puts("frame");
    }
}
