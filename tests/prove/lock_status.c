/* A lock is held while packets are sent; a status says whether the lock was let go. */
extern int __VERIFIER_nondet_int(void);
int lock, packets, old_packets, status;
int main(void) {
  while (1) {
    do {
      lock = 1;
      old_packets = packets;
      status = __VERIFIER_nondet_int();
      if (status) {
        lock = 0;
        status = 0;
        packets++;
      }
    } while (packets != old_packets);
#ifndef BROKEN
    lock = 0;
#else
    if (old_packets != 1) lock = 0;
#endif
  }
}
