/* Instructions say how many bytes of memory they work on; the type of the operand only says where they begin. */
void *slot, *got;
unsigned long word = 0x1234567890ul, read, narrow = 5;
int object[4], bad;

static void *exchanged(void *target, void *v) {
  __asm__ __volatile__("xchgq %0, %1" : "+m"(*(char *)target), "+q"(v) : : "memory");
  return v;
}
static unsigned long loaded(const void *target) {
  unsigned long r;
  __asm__ __volatile__("movq %1, %0" : "=q"(r) : "m"(*(const char *)target) : "memory");
  return r;
}
static void stored(void *target, unsigned long v) {
  __asm__ __volatile__("movq %1, %0" : "=m"(*(char *)target) : "q"(v) : "memory");
}
static unsigned long added(void *target, unsigned long v) {
  __asm__ __volatile__("lock; xaddq %1, %0" : "+m"(*(int *)target), "+q"(v) : : "memory");
  return v;
}
int main(void) {
  slot = &object[1];
  got = exchanged(&slot, &object[2]);
  if (slot != &object[2] || got != &object[1]) bad = 1;
  read = loaded(&word);
  if (read != 0x1234567890ul) bad = 2;
  stored(&word, 0x567890123ul);
  if (word != 0x567890123ul) bad = 3;
  read = added(&word, 0x100000001ul);
  if (read != 0x567890123ul || word != 0x667890124ul) bad = 4;
  return bad;
}
