/* A ring buffer between a receiver and a sender. */
#include <stdio.h>
#define SIZE 8
extern int byte_received(void);
extern unsigned char read_register(void);
extern int line_free(void);
unsigned char data[SIZE];
unsigned int head, tail, count;
int idle = 1;
static int put(unsigned char c) {
#ifdef BROKEN
    if (count > SIZE) return 0;
#else
    if (count == SIZE) return 0;
#endif
    data[head] = c;
    head = (head + 1) % SIZE;
    count++;
    return 1;
}
static int get(void) {
    if (count == 0) return -1;
    int c = data[tail];
    tail = (tail + 1) % SIZE;
    count--;
    return c;
}
int main(void) {
    for (;;) {
        idle = 0;
        if (byte_received()) put(read_register());
        if (line_free()) { int c = get(); if (c >= 0) putchar(c); }
        idle = 1;
    }
}
