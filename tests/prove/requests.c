/* A ring of requests in a structure that functions reach through pointers; what comes out is what may come in. */
extern int operation(void);
extern int number(void);
#define N 6
struct ring {
  int data[N];
  int head, tail, count;
} r;
int out, got;
static void push(struct ring *q, int v) {
  if (q->count == N) return;
  q->data[q->head] = v;
  q->head = (q->head + 1) % N;
  q->count++;
}
static int pop(struct ring *q, int *v) {
  if (q->count == 0) return 0;
  *v = q->data[q->tail];
  q->tail = (q->tail + 1) % N;
  q->count--;
  return 1;
}
int main(void) {
  while (1) {
    int op = operation();
    got = 0;
    if (op == 1) {
      int v = number();
#ifdef BROKEN
      if (v >= 1)
#else
      if (v >= 1 && v <= 100)
#endif
        push(&r, v);
    } else if (op == 2) {
      int x;
      if (pop(&r, &x)) { got = 1; out = x; }
    }
  }
}
