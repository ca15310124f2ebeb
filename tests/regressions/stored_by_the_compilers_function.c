/* `head` is 0, 1, 2, 0, 1, 2, … without end: it is 0 again and again. */
unsigned long head;
static void plus(unsigned long at, int *to) { *to = at + 1; }
int main(void) {
  while (1) {
    unsigned long at = head;
    int next;
    plus(at, &next);
    unsigned long stored = next % 3;
    __atomic_store(&head, &stored, 5);
  }
}
