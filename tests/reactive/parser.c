/* Messages: a start byte, a length, that many bytes, a sum. */
#include <stdio.h>
#define MAXLEN 32
enum { WAIT, LEN, BODY, CHECK } state = WAIT;
unsigned char body[MAXLEN];
int len, pos, ok, bad;
unsigned char sum;
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        ok = 0;
        switch (state) {
        case WAIT: if (c == 0x7e) state = LEN; break;
        case LEN:
#ifdef BROKEN
            if (c > MAXLEN + 1) state = WAIT;
#else
            if (c == 0 || c > MAXLEN) state = WAIT;
#endif
            else { len = c; pos = 0; sum = 0; state = BODY; }
            break;
        case BODY:
            if (pos < MAXLEN) body[pos] = (unsigned char)c;
            pos++;
            sum += (unsigned char)c;
            if (pos == len) state = CHECK;
            break;
        case CHECK:
            if (sum == c) ok = 1; else bad = 1;
            state = WAIT;
            break;
        }
    }
    return 0;
}
