/* The memory of C11, as repaired by Lahav, Vafeiadis, Kang, Hur and Dreyer (RC11, PLDI 2017), as a machine with views (Kang, Hur, Lahav,
 * Vafeiadis and Dreyer, POPL 2017) without promises: RC11 has no cycle of program order and reads-from, so each run is one of the
 * machine in which a load reads a store that is already there.
 *
 * Each object has its stores in modification order. A thread's view says up to where it has seen them: it reads no older one, and
 * writes behind it, not necessarily last. A store carries the view that an acquiring load of it gets.
 *
 * Two views are kept. `at` is what coherence allows: what the thread has written or read, or got. `hb` has only the stores that happen
 * before what the thread does next, plus 1; sequentially consistent accesses need it, and programs without these have it not. It is 0 where
 * the last one of these is forgotten. */
struct memmodel_view {
  unsigned char at[MEMMODEL_L];
#if MEMMODEL_SC
  unsigned char hb[MEMMODEL_L];
#endif
#if MEMMODEL_RACES
  _Bool knows; /* the access of `races.c` happens before */
#endif
};
struct memmodel_store {
  long value;
  unsigned char rmw; /* it stands directly behind the store that its operation read */
  _Bool unknown; /* any value, which nobody has stored */
#if MEMMODEL_SC
  MEMMODEL_SET past, lacks, here, weak; /* see below */
  MEMMODEL_SET apart; /* those of the threads that wrote it, or read it */
  MEMMODEL_SET after; /* threads with a sequentially consistent event since it is known to these */
#endif
  struct memmodel_view view;
};
static struct memmodel_store memmodel_log[MEMMODEL_L][MEMMODEL_N];
static unsigned char memmodel_count[MEMMODEL_L];
static struct memmodel_view memmodel_now[MEMMODEL_T];
#if MEMMODEL_FENCES
/* What a thread has seen once it has an acquire fence; that is never less than without one. */
static struct memmodel_view memmodel_acquired[MEMMODEL_T];
#endif
/* What a store of a thread carries that is weaker than release, if the object has such stores (MEMMODEL_WEAK). */
static struct memmodel_view memmodel_released[MEMMODEL_T][MEMMODEL_L];
#if MEMMODEL_SC
static struct memmodel_view memmodel_sc; /* what sequentially consistent fences have seen */
static unsigned char memmodel_written[MEMMODEL_L]; /* the last sequentially consistent store */
/* Sequentially consistent events take effect in the order of the run. That is an order that RC11 allows, and all of them are found so, if
 * of each two of these events, of which one is in the past of the other by program order and reads-from, that one comes before the other in
 * psc+, too, the order that RC11 gives them. Happens-before is not enough for that: it counts from an access A to an access B if A is followed
 * by something at another object that happens before what is at another object than B's, and stands before B; or if A and B are at one object.
 * An event that is known to be behind all of its past in psc+ stands for all of that.
 *
 * Threads (as bits) with such events in a thread's past; those of which some are not known to come before the next such event of the thread;
 * the same for what stands behind an acquire fence: */
static MEMMODEL_SET memmodel_past[MEMMODEL_T], memmodel_lacks[MEMMODEL_T], memmodel_fenced[MEMMODEL_T];
/* Of these, those that a relaxed store leaves open behind a release fence: those at the fence, and those since. */
static MEMMODEL_SET memmodel_open[MEMMODEL_T];
/* Those that came to a thread's past since its own last event. */
static MEMMODEL_SET memmodel_since[MEMMODEL_T];
/* Those that are not known to come before a fence: fences do if a read in between, or before it, reads from what is behind them. */
static MEMMODEL_SET memmodel_far[MEMMODEL_T];
/* Those that are not known to come before an access of the object of which the thread has just read, while it touches no other one. */
static MEMMODEL_SET memmodel_near[MEMMODEL_T];
static unsigned char memmodel_near_at[MEMMODEL_T];
/* The thread's own last event: an access of object l as l + 1, a fence as MEMMODEL_L + 1; whether nothing at another object came since. */
static unsigned char memmodel_last[MEMMODEL_T];
static _Bool memmodel_just[MEMMODEL_T];
/* An order that puts an event A behind an event B although A is in the past of B is one of no run here. Something is missing only where a run keeps
 * a thread from an older store than such an order leaves it: a cycle of psc, program order and reads-from ends with an event that reads, or
 * writes, behind an older store, and what keeps it from that is the order of the run, or a fence that happens before. This event or
 * fence is behind B, and A is not before what the event must not be behind. These are the threads (as bits) of such A, for each thread that may
 * be behind such a B: that goes on with what happens before, and from an access to those of the object that are later in
 * modification order, or read from what is. */
static MEMMODEL_SET memmodel_apart[MEMMODEL_T];
/* Whether a fence has kept its thread from older stores. */
static _Bool memmodel_kept;
#endif
static MEMMODEL_SET memmodel_alive = 1;
/* The thread, plus 1, for whose end a thread waits: it goes on with what that one has seen. */
static unsigned char memmodel_waits[MEMMODEL_T];
/* The objects that a thread may access, as bits. */
static unsigned memmodel_accesses[MEMMODEL_T] = {MEMMODEL_MAIN};
/* Those that it loads, or compares before it writes. */
static unsigned memmodel_loads[MEMMODEL_T] = {MEMMODEL_LOADED};
#if MEMMODEL_LEARNS
/* Whether some thread may still read a store that is not the last one of its object. */
static _Bool memmodel_behind;
#endif
/* What those have seen who gave a lock back. */
static const volatile void *memmodel_lock_at[MEMMODEL_LOCKS];
static struct memmodel_view memmodel_lock_view[MEMMODEL_LOCKS];
#if MEMMODEL_SC
static MEMMODEL_SET memmodel_lock_past[MEMMODEL_LOCKS], memmodel_lock_lacks[MEMMODEL_LOCKS];
static MEMMODEL_SET memmodel_lock_apart[MEMMODEL_LOCKS];
#endif

static void memmodel_join(struct memmodel_view *v, const struct memmodel_view *w) {
  for (unsigned l = 0; l < MEMMODEL_L; l++) {
    if (v->at[l] < w->at[l]) v->at[l] = w->at[l];
#if MEMMODEL_SC
    if (v->hb[l] < w->hb[l]) v->hb[l] = w->hb[l];
#endif
  }
#if MEMMODEL_RACES
  v->knows |= w->knows;
#endif
}

/* The first store of an object is its value before; nobody has made it where allocated memory has any value. */
static void memmodel_begin(unsigned l) {
  if (memmodel_count[l] == 0) {
    if (MEMMODEL_FRESH >> l & 1) memmodel_log[l][0].unknown = 1;
    else memmodel_log[l][0].value = memmodel_get(l);
    memmodel_count[l] = 1;
  }
}

static void memmodel_move_view(struct memmodel_view *v, unsigned l, unsigned from, int by) {
  if (v->at[l] >= from) v->at[l] = v->at[l] + by < 0 ? 0 : v->at[l] + by;
#if MEMMODEL_SC
  if (v->hb[l] > from) v->hb[l] = v->hb[l] + by < 0 ? 0 : v->hb[l] + by;
#endif
}

/* Moves the numbers of the stores of an object from `from` on. */
static void memmodel_move(unsigned l, unsigned from, int by) {
  for (unsigned t = 0; t < MEMMODEL_T; t++) {
    memmodel_move_view(&memmodel_now[t], l, from, by);
#if MEMMODEL_FENCES
    memmodel_move_view(&memmodel_acquired[t], l, from, by);
#endif
    for (unsigned k = 0; k < MEMMODEL_L; k++) memmodel_move_view(&memmodel_released[t][k], l, from, by);
  }
  for (unsigned k = 0; k < MEMMODEL_L; k++)
    for (unsigned i = 0; i < memmodel_count[k]; i++) memmodel_move_view(&memmodel_log[k][i].view, l, from, by);
  for (unsigned i = 0; i < MEMMODEL_LOCKS; i++) memmodel_move_view(&memmodel_lock_view[i], l, from, by);
#if MEMMODEL_SC
  memmodel_move_view(&memmodel_sc, l, from, by);
  if (memmodel_written[l] >= from) memmodel_written[l] = memmodel_written[l] + by < 0 ? 0 : memmodel_written[l] + by;
#endif
}

/* Removes the oldest stores of an object. */
static void memmodel_drop(unsigned l, unsigned least) {
#if MEMMODEL_SC
  for (unsigned i = 0; i < least; i++) memmodel_log[l][least].apart |= memmodel_log[l][i].apart;
#endif
  for (unsigned i = least; i < memmodel_count[l]; i++) memmodel_log[l][i - least] = memmodel_log[l][i];
  for (unsigned i = memmodel_count[l] - least; i < memmodel_count[l]; i++) memmodel_log[l][i] = (struct memmodel_store){0};
  memmodel_count[l] -= least;
  memmodel_log[l][0].rmw = 0;
  memmodel_move(l, 0, -(int)least);
}

/* The oldest store of an object that a thread may still read; the last one if it accesses the object no more. Operations that write in any
 * case read no store behind which another of them stands, and no store comes between the two. */
static unsigned memmodel_oldest(unsigned t, unsigned l) {
  if (!(memmodel_alive >> t & 1) || !(memmodel_accesses[t] >> l & 1)) return memmodel_count[l] - 1;
  unsigned at = memmodel_now[t].at[l], w = memmodel_waits[t];
  if (w > 0 && memmodel_now[w - 1].at[l] > at) at = memmodel_now[w - 1].at[l];
  if (!(memmodel_loads[t] >> l & 1))
    while (at + 1 < memmodel_count[l] && memmodel_log[l][at + 1].rmw) at++;
  return at;
}

/* Forgets the stores that no thread can read any more. */
static void memmodel_forget(unsigned l) {
  unsigned least = memmodel_count[l] - 1;
  for (unsigned t = 0; t < MEMMODEL_T; t++)
    if (memmodel_oldest(t, l) < least) least = memmodel_oldest(t, l);
  if (least > 0) memmodel_drop(l, least);
}

/* Behind each operation. */
static void memmodel_tidy(void) {
  for (unsigned l = 0; l < MEMMODEL_L; l++)
    if (memmodel_count[l] > 1) memmodel_forget(l);
#if MEMMODEL_FENCES
  for (unsigned t = 0; t < MEMMODEL_T; t++) memmodel_join(&memmodel_acquired[t], &memmodel_now[t]);
#endif
#if MEMMODEL_LEARNS
  memmodel_behind = 0;
  for (unsigned l = 0; l < MEMMODEL_L; l++)
    for (unsigned t = 0; t < MEMMODEL_T; t++)
      if (memmodel_count[l] > 1 && memmodel_oldest(t, l) + 1 < memmodel_count[l]) memmodel_behind = 1;
#endif
}

#if MEMMODEL_LEARNS
/* Each store becomes visible to each thread in finite time: again and again, all that are behind go on by one store. */
void __VERIFIER_atomic_memmodel_learn(void) {
  for (unsigned l = 0; l < MEMMODEL_L; l++)
    for (unsigned t = 0; t < MEMMODEL_T; t++)
      if (memmodel_count[l] > 1 && memmodel_oldest(t, l) + 1 < memmodel_count[l]) memmodel_now[t].at[l]++;
  memmodel_tidy();
}

static void *memmodel_learns(void *of) {
  for (;;) {
    while (!memmodel_behind)
      ;
    __VERIFIER_atomic_memmodel_learn();
  }
  return 0;
}
#endif

#if MEMMODEL_SC
/* What is in the past of a sequentially consistent access but not known to come before it, if it reads a store. */
static MEMMODEL_SET memmodel_before(unsigned me, unsigned l, unsigned k) {
  MEMMODEL_SET before = memmodel_lacks[me] | memmodel_near[me];
  if (memmodel_now[me].hb[l] != k + 1) before |= memmodel_log[l][k].here;
  return before & ~(1u << me);
}

/* Whether something is missing if a thread is kept from a store and from those that follow it up to `least`, with these events before it. */
static _Bool memmodel_misses(unsigned me, unsigned l, unsigned k, unsigned least, MEMMODEL_SET before) {
  MEMMODEL_SET after = 0;
  before |= memmodel_apart[me];
  for (unsigned i = 0; i <= k; i++) before |= memmodel_log[l][i].apart;
  for (unsigned i = k + 1; i <= least; i++) after |= memmodel_log[l][i].after;
  return (before & after) != 0;
}

/* The thread has read a store, or written it. */
static void memmodel_touches(unsigned me, unsigned l, unsigned k) {
  for (unsigned i = 0; i <= k; i++) memmodel_apart[me] |= memmodel_log[l][i].apart;
  MEMMODEL_SET apart = memmodel_apart[me];
  memmodel_log[l][k].apart |= apart;
  if (apart && k + 1 < memmodel_count[l]) {
    /* What is behind it is anywhere. */
    for (unsigned t = 0; t < MEMMODEL_T; t++) memmodel_apart[t] |= apart;
    if (memmodel_kept) memmodel_lost = 1;
  }
}

/* A sequentially consistent event has taken place. */
static void memmodel_known(unsigned me) {
  for (unsigned l = 0; l < MEMMODEL_L; l++) {
    unsigned known = memmodel_written[l];
    if (known < memmodel_sc.at[l]) known = memmodel_sc.at[l];
    if (known + 1 < memmodel_sc.hb[l]) known = memmodel_sc.hb[l] - 1;
    for (unsigned i = 1; i <= known && i < memmodel_count[l]; i++) memmodel_log[l][i].after |= 1u << me;
  }
}

#endif

/* Whether an operation may take a store: load it ('r'), stand directly behind it ('w'), both at once ('x'), or compare it with what is expected
 * and be equal ('e'), so that it writes, or fail ('f'), so that it is a load. */
static _Bool memmodel_fits(unsigned l, unsigned k, char how, long expected) {
  if ((how == 'e' || how == 'f') && (memmodel_log[l][k].value == expected) != (how == 'e')) return 0;
  return how == 'r' || how == 'f' || k + 1 >= memmodel_count[l] || !memmodel_log[l][k + 1].rmw;
}

/* The oldest store that such an operation of the thread may take. */
static unsigned memmodel_least(unsigned me, unsigned l, int order, char how, long expected) {
  unsigned least = memmodel_now[me].at[l];
#if MEMMODEL_SC
  if (order == 5) {
    unsigned first = least;
    if (least < memmodel_written[l]) least = memmodel_written[l];
    if (least + 1 < memmodel_sc.hb[l]) least = memmodel_sc.hb[l] - 1;
    MEMMODEL_SET before = memmodel_lacks[me] | memmodel_near[me];
    for (unsigned i = first; i < least; i++)
      if (memmodel_fits(l, i, how, expected))
        if (memmodel_misses(me, l, i, least, how == 'w' ? before & ~(1u << me) : memmodel_before(me, l, i))) memmodel_lost = 1;
  }
#endif
  return least;
}

/* A thread reads a store. */
static void memmodel_gets_value(unsigned me, unsigned l, unsigned k, const struct memmodel_store *s) {
  if (s->unknown) memmodel_lost = 1; /* any value would have to be read */
  if (memmodel_now[me].at[l] < k) memmodel_now[me].at[l] = k;
}

/* What it has seen by that, if it acquires. */
static void memmodel_gets_view(unsigned me, const struct memmodel_store *s, int order) {
  if (order == 1 || order == 2 || order >= 4) memmodel_join(&memmodel_now[me], &s->view);
#if MEMMODEL_FENCES
  memmodel_join(&memmodel_acquired[me], &s->view);
#endif
}

#if MEMMODEL_SC
/* The thread does something at an object, or (MEMMODEL_L) something else. */
static void memmodel_at(unsigned me, unsigned l) {
  if (memmodel_near_at[me] != l + 1) memmodel_near[me] = memmodel_near_at[me] = 0;
  if (memmodel_last[me] != l + 1) memmodel_just[me] = 0;
}

/* A sequentially consistent event at an object, or (MEMMODEL_L) a fence; what is in its past but is not known to come before it. */
static void memmodel_sc_event(unsigned me, unsigned l, MEMMODEL_SET lacks) {
  memmodel_apart[me] |= lacks & ~(1u << me);
  memmodel_past[me] |= 1u << me;
  memmodel_open[me] |= 1u << me;
  memmodel_lacks[me] = memmodel_fenced[me] = memmodel_far[me] = memmodel_near[me] = memmodel_near_at[me] = memmodel_since[me] = 0;
  memmodel_last[me] = l + 1;
  memmodel_just[me] = l < MEMMODEL_L;
}

/* Events of other threads come to the past of this one; its own come before whatever it does. */
static void memmodel_gets(unsigned me, MEMMODEL_SET past) {
  memmodel_past[me] |= past;
  memmodel_open[me] |= past;
  memmodel_since[me] |= past & ~(1u << me);
}

/* The same where all that the other one did happens before, with these open. */
static void memmodel_follows(unsigned me, MEMMODEL_SET past, MEMMODEL_SET lacks) {
  memmodel_at(me, MEMMODEL_L);
  memmodel_gets(me, past);
  lacks &= ~(1u << me);
  memmodel_lacks[me] |= lacks;
  memmodel_fenced[me] |= lacks;
  memmodel_far[me] |= lacks;
}

/* A thread starts: what is in the past of its creator is in its own. */
static void memmodel_inherits(unsigned t, unsigned me) {
  memmodel_at(me, MEMMODEL_L);
  memmodel_near[t] = memmodel_near_at[t] = memmodel_last[t] = memmodel_just[t] = 0;
  memmodel_past[t] = memmodel_open[t] = memmodel_since[t] = memmodel_past[me];
  memmodel_lacks[t] = memmodel_fenced[t] = memmodel_far[t] = memmodel_lacks[me];
  memmodel_apart[t] = memmodel_apart[me];
}

/* A thread has waited for the end of another one. */
static void memmodel_survives(unsigned me, unsigned t) {
  memmodel_follows(me, memmodel_past[t], memmodel_lacks[t]);
  memmodel_apart[me] |= memmodel_apart[t];
}

/* A thread gives back the lock of this number, or takes it. */
static void memmodel_leaves_past(unsigned me, unsigned i) {
  memmodel_at(me, MEMMODEL_L);
  memmodel_lock_past[i] |= memmodel_past[me];
  memmodel_lock_lacks[i] |= memmodel_lacks[me];
  memmodel_lock_apart[i] |= memmodel_apart[me];
}

static void memmodel_takes_past(unsigned me, unsigned i) {
  memmodel_follows(me, memmodel_lock_past[i], memmodel_lock_lacks[i]);
  memmodel_apart[me] |= memmodel_lock_apart[i];
}

/* What a store says of the events in the past of who makes it. */
static void memmodel_stamps(unsigned me, struct memmodel_store *s, unsigned l, int order) {
  s->past = memmodel_past[me];
  /* What who acquires it lacks; an own access just before, at the same object, counts for nothing. */
  s->lacks = order < 3 ? memmodel_open[me] : memmodel_just[me] ? s->past : memmodel_lacks[me];
  /* What a sequentially consistent access lacks that reads it. */
  _Bool fence = memmodel_last[me] == MEMMODEL_L + 1, same = memmodel_last[me] == l + 1;
  s->here = order >= 3 && (fence || same) ? memmodel_since[me] : s->past;
  /* What is not known to come before a fence behind what reads it. */
  s->weak = fence ? memmodel_since[me] : s->past;
}

/* A fence acquires. */
static void memmodel_fence_acquires(unsigned me) { memmodel_lacks[me] = memmodel_fenced[me]; }

/* A fence releases. */
static void memmodel_fence_releases(unsigned me) { memmodel_open[me] = memmodel_lacks[me]; }

static void memmodel_reads(unsigned me, unsigned l, unsigned k, int order) {
  struct memmodel_store *s = &memmodel_log[l][k];
  memmodel_gets_value(me, l, k, s);
  if (memmodel_now[me].hb[l] == k + 1) {
    /* The store happens before: its past came with what it was known by. Only what its operation read may be new. */
    memmodel_gets_view(me, s, order);
    if (order == 5) memmodel_sc_event(me, l, memmodel_before(me, l, k));
    if (order == 5) memmodel_known(me);
    memmodel_touches(me, l, k);
    return;
  }
  MEMMODEL_SET before = memmodel_before(me, l, k), others = ~(1u << me);
  memmodel_gets(me, s->past);
  memmodel_gets_view(me, s, order);
  if (order == 1 || order == 2 || order >= 4) {
    memmodel_lacks[me] |= s->lacks & others;
    memmodel_near[me] |= s->here & others;
    if (memmodel_near[me]) memmodel_near_at[me] = l + 1;
  } else
    memmodel_lacks[me] |= s->past & others;
  memmodel_fenced[me] |= s->lacks & others;
  memmodel_far[me] |= s->lacks & s->weak & others;
  if (order == 5) memmodel_sc_event(me, l, before);
  if (order == 5) memmodel_known(me);
  memmodel_touches(me, l, k);
}
#else
/* Nothing depends on the order of sequentially consistent events. */
static void memmodel_at(unsigned me, unsigned l) { }
static void memmodel_inherits(unsigned t, unsigned me) { }
static void memmodel_survives(unsigned me, unsigned t) { }
static void memmodel_leaves_past(unsigned me, unsigned i) { }
static void memmodel_takes_past(unsigned me, unsigned i) { }
static void memmodel_fence_acquires(unsigned me) { }
static void memmodel_fence_releases(unsigned me) { }

static void memmodel_reads(unsigned me, unsigned l, unsigned k, int order) {
  struct memmodel_store *s = &memmodel_log[l][k];
  memmodel_gets_value(me, l, k, s);
  memmodel_gets_view(me, s, order);
}
#endif

/* Puts a store at a place in the order of its object; it is the object's value if it stands last. */
static void memmodel_put(unsigned me, unsigned l, unsigned at, long value, int order, unsigned char rmw) {
  if (memmodel_count[l] == MEMMODEL_N) {
    unsigned before = memmodel_count[l];
    memmodel_forget(l);
    at -= before - memmodel_count[l];
  }
  if (memmodel_count[l] == MEMMODEL_N) {
    /* The oldest store goes: from here on no thread reads it, as in some runs with more room, but not in all. */
    memmodel_lost = 1;
    memmodel_drop(l, 1);
    if (at > 1) at--;
  }
  if (at < memmodel_count[l]) {
    for (unsigned i = memmodel_count[l]; i > at; i--) memmodel_log[l][i] = memmodel_log[l][i - 1];
    memmodel_count[l]++;
    memmodel_log[l][at] = (struct memmodel_store){0};
    memmodel_move(l, at, 1);
  } else
    memmodel_count[l]++;
#if MEMMODEL_SC
  if (order == 5) {
    memmodel_sc_event(me, l, memmodel_lacks[me] | memmodel_near[me]);
    memmodel_written[l] = at;
  }
#endif
  struct memmodel_store *s = &memmodel_log[l][at];
  memmodel_now[me].at[l] = at;
#if MEMMODEL_SC
  memmodel_now[me].hb[l] = at + 1;
#endif
  s->value = value;
  s->rmw = rmw;
  s->unknown = 0;
  s->view = order >= 3 ? memmodel_now[me] : memmodel_released[me][l];
  if (order >= 3 && (MEMMODEL_WEAK >> l & 1)) memmodel_released[me][l] = memmodel_now[me];
  if (s->view.at[l] < at) s->view.at[l] = at;
#if MEMMODEL_SC
  memmodel_stamps(me, s, l, order);
#endif
  if (rmw) {
    memmodel_join(&s->view, &memmodel_log[l][at - 1].view);
  }
#if MEMMODEL_SC
  if (order == 5) memmodel_known(me);
  memmodel_touches(me, l, at);
#endif
  if (at + 1 == memmodel_count[l]) memmodel_set(l, value);
}

long __VERIFIER_atomic_memmodel_load(const volatile void *p, int order) {
  unsigned l = memmodel_place(p), me = MEMMODEL_ME;
  memmodel_begin(l);
  memmodel_at(me, l);
  unsigned k = memmodel_count[l] - 1;
  for (unsigned i = memmodel_least(me, l, order, 'r', 0); i + 1 < memmodel_count[l]; i++)
    if (nondet_memory()) {
      k = i;
      break;
    }
  memmodel_reads(me, l, k, order);
  long value = memmodel_log[l][k].value;
  memmodel_tidy();
  return value;
}

void __VERIFIER_atomic_memmodel_store(const volatile void *p, long value, int order) {
  unsigned l = memmodel_place(p), me = MEMMODEL_ME;
  memmodel_begin(l);
  memmodel_at(me, l);
  unsigned at = memmodel_count[l];
  for (unsigned i = memmodel_least(me, l, order, 'w', 0); i + 1 < memmodel_count[l]; i++)
    if (memmodel_fits(l, i, 'w', 0) && nondet_memory()) {
      at = i + 1;
      break;
    }
  memmodel_put(me, l, at, memmodel_as(l, value), order, 0);
  memmodel_tidy();
}

/* Whether a store directly behind another would have the same value and the same view, as where a thread tries again and again to take a
 * lock: who reads the one may as well read the other, so that the second needs no room. */
static _Bool memmodel_repeats(unsigned me, unsigned l, unsigned k, long value, int order) {
  if (order >= 3 || value != memmodel_log[l][k].value) return 0;
#if MEMMODEL_RACES
  if (memmodel_released[me][l].knows && !memmodel_log[l][k].view.knows) return 0;
#endif
  for (unsigned i = 0; i < MEMMODEL_L; i++)
    if (memmodel_released[me][l].at[i] > memmodel_log[l][k].view.at[i]) return 0;
#if MEMMODEL_SC
  for (unsigned i = 0; i < MEMMODEL_L; i++)
    if (memmodel_released[me][l].hb[i] > memmodel_log[l][k].view.hb[i]) return 0;
#endif
  return 1;
}

/* An operation that reads and writes in one step; a comparison writes only if it reads what is expected, and is a load with an order of its
 * own otherwise: it may then read older stores than the other order would allow. Returns what it read. */
long __VERIFIER_atomic_memmodel_change(const volatile void *p, int operation, long by, long expected, int order, int failing) {
  unsigned l = memmodel_place(p), me = MEMMODEL_ME;
  memmodel_begin(l);
  memmodel_at(me, l);
  _Bool compares = operation == 'c';
  char how = compares ? 'e' : 'x';
  if (compares) expected = memmodel_as(l, expected);
  unsigned least = memmodel_least(me, l, order, how, expected), first = least;
  if (compares) first = memmodel_least(me, l, failing, 'f', expected);
  unsigned k = memmodel_count[l] - 1;
  for (unsigned i = first < least ? first : least; i + 1 < memmodel_count[l]; i++) {
    _Bool writes = i >= least && memmodel_fits(l, i, how, expected);
    _Bool fails = compares && i >= first && memmodel_fits(l, i, 'f', expected);
    if ((writes || fails) && nondet_memory()) {
      k = i;
      break;
    }
  }
  long old = memmodel_log[l][k].value;
  if (compares && old != expected) {
    memmodel_reads(me, l, k, failing);
    memmodel_tidy();
    return old;
  }
  memmodel_reads(me, l, k, order);
  if (!memmodel_repeats(me, l, k, memmodel_as(l, memmodel_result(operation, old, by)), order))
    memmodel_put(me, l, k + 1, memmodel_as(l, memmodel_result(operation, old, by)), order, 1);
  memmodel_tidy();
  return old;
}

#if MEMMODEL_SC
/* A sequentially consistent fence. */
static void memmodel_fences(unsigned me) {
  memmodel_sc_event(me, MEMMODEL_L, memmodel_far[me]);
  for (unsigned l = 0; l < MEMMODEL_L; l++) {
    unsigned at = memmodel_now[me].at[l];
    if (at < memmodel_sc.at[l]) at = memmodel_sc.at[l];
    if (at < memmodel_written[l]) at = memmodel_written[l];
    if (memmodel_now[me].at[l] < at) {
      memmodel_kept = 1;
      if (memmodel_misses(me, l, memmodel_now[me].at[l], at, 0)) memmodel_lost = 1;
    }
    memmodel_now[me].at[l] = at;
  }
  memmodel_join(&memmodel_sc, &memmodel_now[me]);
  memmodel_known(me);
}
#else
static void memmodel_fences(unsigned me) { }
#endif

#if MEMMODEL_FENCES
void __VERIFIER_atomic_memmodel_fence(int order) {
  unsigned me = MEMMODEL_ME;
  memmodel_at(me, MEMMODEL_L);
  if (order == 1 || order == 2 || order >= 4) {
    memmodel_join(&memmodel_now[me], &memmodel_acquired[me]);
    memmodel_fence_acquires(me);
  }
  if (order == 5) {
    memmodel_fences(me);
    memmodel_join(&memmodel_acquired[me], &memmodel_now[me]);
  }
  if (order >= 3) {
    for (unsigned l = 0; l < MEMMODEL_L; l++)
      if (MEMMODEL_WEAK >> l & 1) memmodel_released[me][l] = memmodel_now[me];
    memmodel_fence_releases(me);
  }
  memmodel_tidy();
}
#endif

/* What a thread has released is not what the next thread with its number has: no release sequence goes on. */
static void memmodel_forgets(unsigned t) {
  for (unsigned l = 0; l < MEMMODEL_L; l++) memmodel_released[t][l] = (struct memmodel_view){0};
}

/* A thread starts with what its creator has seen; the objects that it may access. */
void __VERIFIER_atomic_memmodel_created(unsigned long t, unsigned accesses, unsigned loads) {
  unsigned me = MEMMODEL_ME;
  memmodel_forgets(t);
  memmodel_accesses[t] = accesses;
  memmodel_loads[t] = loads;
  memmodel_now[t] = memmodel_now[me];
#if MEMMODEL_FENCES
  memmodel_acquired[t] = memmodel_now[me];
#endif
  memmodel_inherits(t, me);
  memmodel_alive |= 1u << t;
}

void __VERIFIER_atomic_memmodel_joins(unsigned long t) {
  memmodel_waits[MEMMODEL_ME] = t + 1;
  memmodel_tidy();
}

/* Nobody needs what a thread has seen that has ended, and been waited for. */
static void memmodel_ends(unsigned t) {
  memmodel_alive &= ~(1u << t);
  memmodel_now[t] = (struct memmodel_view){0};
#if MEMMODEL_FENCES
  memmodel_acquired[t] = (struct memmodel_view){0};
#endif
  memmodel_forgets(t);
}

void __VERIFIER_atomic_memmodel_joined(unsigned long t) {
  unsigned me = MEMMODEL_ME;
  memmodel_waits[me] = 0;
  memmodel_join(&memmodel_now[me], &memmodel_now[t]);
  memmodel_survives(me, t);
  memmodel_ends(t);
  memmodel_tidy();
}

/* Who takes a lock has seen what those have who gave it back. */
static unsigned memmodel_lock_of(const volatile void *m) {
  unsigned i = 0;
  while (i + 1 < MEMMODEL_LOCKS && memmodel_lock_at[i] != 0 && memmodel_lock_at[i] != m) i++;
  if (memmodel_lock_at[i] == 0) memmodel_lock_at[i] = m;
  else if (memmodel_lock_at[i] != m) memmodel_lost = 1;
  return i;
}

static void memmodel_gives(const volatile void *m) {
  unsigned i = memmodel_lock_of(m), me = MEMMODEL_ME;
  memmodel_join(&memmodel_lock_view[i], &memmodel_now[me]);
  memmodel_leaves_past(me, i);
}

static void memmodel_takes(const volatile void *m) {
  unsigned i = memmodel_lock_of(m), me = MEMMODEL_ME;
  memmodel_join(&memmodel_now[me], &memmodel_lock_view[i]);
#if MEMMODEL_FENCES
  memmodel_join(&memmodel_acquired[me], &memmodel_lock_view[i]);
#endif
  memmodel_takes_past(me, i);
}

void __VERIFIER_atomic_memmodel_unlock(const volatile void *m) { memmodel_gives(m); }

void __VERIFIER_atomic_memmodel_lock(const volatile void *m) {
  memmodel_takes(m);
  memmodel_tidy();
}

/* Who takes a read-write lock alone has seen what all have who gave it back, others what those have who had it alone. */
static unsigned char memmodel_alone;

void __VERIFIER_atomic_memmodel_lock_alone(const volatile void *m) {
  memmodel_takes(m);
  memmodel_takes((const volatile char *)m + 1);
  memmodel_alone |= 1u << memmodel_lock_of(m);
  memmodel_tidy();
}

void __VERIFIER_atomic_memmodel_unlock_either(const volatile void *m) {
  unsigned i = memmodel_lock_of(m);
  if (memmodel_alone >> i & 1) memmodel_gives(m);
  else memmodel_gives((const volatile char *)m + 1);
  memmodel_alone &= ~(1u << i);
}
