/* The memory of x86 and of SPARC (TSO; PSO, in which the stores of a thread to different objects may overtake one another): each thread has
 * a buffer of stores that the others do not see yet (Owens, Sarkar and Sewell, TPHOLs 2009). A step of the memory, at any time, makes one of
 * them visible. Sequentially consistent stores and fences, exchanges, and what starts, ends and synchronises threads wait until the
 * buffer is empty. */
struct memmodel_delayed { unsigned char place; long value; };
static struct memmodel_delayed memmodel_buffer[MEMMODEL_T][MEMMODEL_N];
unsigned char memmodel_pending[MEMMODEL_T];

static void memmodel_take(unsigned t, unsigned i) {
  struct memmodel_delayed first = memmodel_buffer[t][i];
  memmodel_pending[t]--;
  for (; i < memmodel_pending[t]; i++) memmodel_buffer[t][i] = memmodel_buffer[t][i + 1];
  memmodel_buffer[t][i].place = 0;
  memmodel_buffer[t][i].value = 0;
  if (first.place < MEMMODEL_L) memmodel_set(first.place, first.value);
}

/* Whether a store may overtake those before it: there is none of the same object among them, and no fence. */
static _Bool memmodel_overtakes(unsigned t, unsigned i) {
  if (!MEMMODEL_PSO || memmodel_buffer[t][i].place == MEMMODEL_L) return 0;
  for (unsigned k = 0; k < i; k++)
    if (memmodel_buffer[t][k].place == memmodel_buffer[t][i].place || memmodel_buffer[t][k].place == MEMMODEL_L) return 0;
  return 1;
}

static void memmodel_flush(unsigned t) {
  if (memmodel_pending[t] == 0) return;
  unsigned chosen = 0;
  for (unsigned i = 1; i < memmodel_pending[t]; i++)
    if (memmodel_overtakes(t, i) && nondet_memory()) {
      chosen = i;
      break;
    }
  memmodel_take(t, chosen);
  while (memmodel_pending[t] > 0 && memmodel_buffer[t][0].place == MEMMODEL_L) memmodel_take(t, 0);
}

#if MEMMODEL_BRIEF
/* Where a thread accesses an object of which others have delayed stores, any stores may become visible, also its own before theirs.
 * Elsewhere none does: nobody would see it. */
static void memmodel_observe(unsigned me, unsigned l) {
  for (unsigned k = 0; k < MEMMODEL_T * MEMMODEL_N; k++) {
    _Bool delayed = 0;
    unsigned chosen = MEMMODEL_T, last = MEMMODEL_T;
    for (unsigned t = 0; t < MEMMODEL_T; t++)
      if (memmodel_pending[t] > 0) {
        last = t;
        for (unsigned i = 0; i < MEMMODEL_N; i++)
          if (t != me && i < memmodel_pending[t] && memmodel_buffer[t][i].place == l) delayed = 1;
      }
    if (!delayed || !nondet_memory()) return;
    for (unsigned t = 0; t < MEMMODEL_T; t++)
      if (t < last && memmodel_pending[t] > 0 && nondet_memory()) {
        chosen = t;
        break;
      }
    memmodel_flush(chosen < last ? chosen : last);
  }
}

/* The stores of a thread become visible; those of others may between them. */
static void memmodel_drain(unsigned t) {
  for (unsigned k = 0; k < MEMMODEL_N; k++) {
    if (memmodel_pending[t] == 0) return;
    for (unsigned l = 0; l < MEMMODEL_L; l++) {
      _Bool here = 0;
      for (unsigned i = 0; i < MEMMODEL_N; i++)
        if (i < memmodel_pending[t] && memmodel_buffer[t][i].place == l && (i == 0 || MEMMODEL_PSO)) here = 1;
      if (here) memmodel_observe(t, l);
    }
    memmodel_flush(t);
  }
}

void __VERIFIER_atomic_memmodel_drained(unsigned long t) { memmodel_drain((unsigned)t); }
#else
static void memmodel_observe(unsigned me, unsigned l) {}

static void memmodel_drain(unsigned t) {
  while (memmodel_pending[t] > 0) memmodel_take(t, 0);
}

void __VERIFIER_atomic_memmodel_flush(unsigned long t) { memmodel_flush((unsigned)t); }

/* Makes the stores of a thread visible, one after the other. */
static void *memmodel_memory(void *of) {
  for (;;) {
    while (memmodel_pending[(unsigned long)of] == 0)
      ;
    __VERIFIER_atomic_memmodel_flush((unsigned long)of);
  }
  return 0;
}

static void memmodel_serve(unsigned long t) {
  static MEMMODEL_HANDLE memmodel_server;
  MEMMODEL_CREATE
}
#endif

static void memmodel_delay(unsigned t, unsigned place, long value) {
  if (memmodel_pending[t] == MEMMODEL_N) {
    /* The buffer is full: real ones may be larger. */
    memmodel_lost = 1;
    memmodel_take(t, 0);
  }
  memmodel_buffer[t][memmodel_pending[t]].place = place;
  memmodel_buffer[t][memmodel_pending[t]].value = value;
  memmodel_pending[t]++;
}

long __VERIFIER_atomic_memmodel_load(const volatile void *p, int order) {
  unsigned l = memmodel_place(p), me = MEMMODEL_ME;
  memmodel_observe(me, l);
  for (unsigned i = memmodel_pending[me]; i > 0; i--)
    if (memmodel_buffer[me][i - 1].place == l) return memmodel_buffer[me][i - 1].value;
  return memmodel_get(l);
}

void __VERIFIER_atomic_memmodel_store(const volatile void *p, long value, int order) {
  unsigned l = memmodel_place(p), me = MEMMODEL_ME;
  if (order == 5) {
    memmodel_drain(me);
    memmodel_observe(me, l);
    memmodel_set(l, memmodel_as(l, value));
  } else
    memmodel_delay(me, l, memmodel_as(l, value));
}

long __VERIFIER_atomic_memmodel_change(const volatile void *p, int operation, long by, long expected, int order, int failing) {
  unsigned l = memmodel_place(p), me = MEMMODEL_ME;
  memmodel_drain(me);
  memmodel_observe(me, l);
  long old = memmodel_get(l);
  if (operation != 'c' || old == memmodel_as(l, expected)) memmodel_set(l, memmodel_as(l, memmodel_result(operation, old, by)));
  return old;
}

void __VERIFIER_atomic_memmodel_fence(int order) {
  unsigned me = MEMMODEL_ME;
  if (order == 5) memmodel_drain(me);
  else if (MEMMODEL_PSO && order >= 3 && memmodel_pending[me] > 0) memmodel_delay(me, MEMMODEL_L, 0);
}
