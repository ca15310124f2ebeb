/* Events wait in a queue, each kind has its handler. */
#include <stdio.h>
enum { NONE, KEY, TIMER, NET, KINDS };
#define MAXEV 8
int queue[MAXEV];
int head = 0, tail = 0;
int current = NONE;
int keys, timers, nets;
int push(int ev) {
    int next = (tail + 1) % MAXEV;
    if (next == head) return 0;
    queue[tail] = ev;
    tail = next;
    return 1;
}
int pop(void) {
    if (head == tail) return NONE;
    int ev = queue[head];
    head = (head + 1) % MAXEV;
    return ev;
}
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        if (c == 'k') push(KEY);
        else if (c == 't') push(TIMER);
        else if (c == 'n') push(NET);
#ifdef BROKEN
        else if (c == 'x') push(c);
#endif
        current = pop();
        switch (current) {
        case KEY: keys = 1; break;
        case TIMER: timers = 1; break;
        case NET: nets = 1; break;
        }
    }
    return 0;
}
