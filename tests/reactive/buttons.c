/* Two buttons, each debounced by a counter that goes up and down. */
extern int pin(int);
#define MAXC 5
int counter[2];
int down[2];
int both;
int main(void) {
    while (1) {
        for (int i = 0; i < 2; i++) {
            if (pin(i)) { if (counter[i] < MAXC) counter[i]++; }
            else { if (counter[i] > 0) counter[i]--; }
            if (counter[i] == MAXC) down[i] = 1;
#ifdef BROKEN
            if (counter[i] == 1) down[i] = 0;
#else
            if (counter[i] == 0) down[i] = 0;
#endif
        }
        both = down[0] && down[1];
    }
}
