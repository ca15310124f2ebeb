/* Letters of several sizes wait in a circular mailbox. */
extern int arrives(void);
extern int size_of_letter(void);
extern int taken(void);
#define SLOTS 6
int box[SLOTS];
int first, used, weight;
int delivered;
static void deliver(int w) {
    if (used == SLOTS) return;
    box[(first + used) % SLOTS] = w;
    used++;
    weight += w;
}
static int collect(void) {
    int w = box[first];
    first++;
#ifdef BROKEN
    if (first > SLOTS) first = 0;
#else
    if (first == SLOTS) first = 0;
#endif
    used--;
    weight -= w;
    return w;
}
int main(void) {
    while (1) {
        delivered = 0;
        if (arrives()) {
            int w = size_of_letter();
            if (w >= 1 && w <= 3) deliver(w);
        }
        if (taken() && used > 0) delivered = collect();
    }
}
