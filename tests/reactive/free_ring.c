/* A ring buffer whose indices run freely and are masked where they are used. */
#define N 16
extern int got(void);
extern int value(void);
int buf[N];
unsigned head, tail;
int lost;
int full(void) { return head - tail == N; }
int empty(void) { return head == tail; }
int main(void) {
    int last = 0;
    while (1) {
        if (got()) {
#ifdef BROKEN
            if (head - tail > N) lost++;
#else
            if (full()) { if (lost < 1000) lost++; }
#endif
            else { buf[head & (N - 1)] = value(); head++; }
        } else if (!empty()) {
            last = buf[tail & (N - 1)];
            tail++;
        }
    }
    return last;
}
