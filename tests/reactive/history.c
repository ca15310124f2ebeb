/* Undo and redo over a list of eight values. */
extern int command(void);
extern int new_value(void);
#define DEEP 8
int values[DEEP];
int at, top;
int value;
int main(void) {
    while (1) {
        int c = command();
        if (c == 1) {
            int v = new_value();
            if (v < 0 || v > 9) continue;
            if (at == DEEP - 1) {
                for (int i = 0; i < DEEP - 1; i++) values[i] = values[i + 1];
                at--;
            }
            at++;
            values[at] = v;
            top = at;
        } else if (c == 2) {
            if (at > 0) at--;
        } else if (c == 3) {
#ifdef BROKEN
            if (at <= top) at++;
#else
            if (at < top) at++;
#endif
        }
        value = values[at];
    }
}
