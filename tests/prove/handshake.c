/* A sender and a receiver take turns; data is acknowledged. */
extern int __VERIFIER_nondet_int(void);
int data, ack, side;
static void sender(void) { if (!data && !ack) data = 1; else if (data && ack) data = 0; }
static void receiver(void) {
#ifdef BROKEN
  if (data && !ack && __VERIFIER_nondet_int() > 0) ack = 1; else if (!data && ack) ack = 0;
#else
  if (data && !ack) ack = 1; else if (!data && ack) ack = 0;
#endif
}
int main(void) {
  data = 0; ack = 0; side = 0;
  while (1) {
    if (side == 0) { sender(); side = 1; }
    else { receiver(); side = 0; }
  }
}
