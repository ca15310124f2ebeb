/* A table of keys with open addressing; 0 is no key. */
extern int key(void), wanted(void);
#define SIZE 8
int keys[SIZE], used, found, full;
static int place(int k) {
    for (int i = 0; i < SIZE; i++) {
        int at = (k + i) % SIZE;
        if (keys[at] == k || keys[at] == 0) return at;
    }
    return -1;
}
int main(void) {
    for (;;) {
        int k = key();
        if (k <= 0 || k > 1000) continue;
        int at = place(k);
        found = 0;
        if (at < 0) { full = 1; continue; }
#ifndef BROKEN
        if (keys[at] == k) { found = 1; continue; }
#endif
        if (wanted()) { keys[at] = k; used++; }
    }
}
