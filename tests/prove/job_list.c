/* A queue of jobs in a free list: each job comes back. */
extern int __VERIFIER_nondet_int(void);
struct job { struct job *next; int left; } jobs[3], *ready, *unused;
int waiting;
int main(void) {
  jobs[0].next = &jobs[1];
  jobs[1].next = &jobs[2];
  unused = &jobs[0];
  while (1) {
    if (unused && __VERIFIER_nondet_int()) {
      struct job *j = unused;
      unused = j->next;
      j->left = 2;
      j->next = ready;
      ready = j;
    }
    waiting = ready != 0;
    if (ready) {
      struct job *j = ready;
#ifdef BROKEN
      if (__VERIFIER_nondet_int())
#endif
      j->left--;
      if (j->left <= 0) {
        ready = j->next;
        j->next = unused;
        unused = j;
      }
    }
    waiting = ready != 0;
  }
}
