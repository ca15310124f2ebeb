/* Visits all states of small tests: each step of a thread is one operation, and the memory may take steps in between.
 * The state is all static data of this program; what the search itself keeps is in memory of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct operation { char kind; int place, value, order, into, expected, failing; };
struct test { int threads; int length[4]; struct operation ops[4][8]; };

extern char __data_start, _end;
static struct search {
  unsigned char choices[64];
  unsigned chosen, used;
  unsigned long *seen, many, room;
  unsigned long outcomes[4096];
  unsigned found;
  _Bool lost, raced;
} *search_at(void) {
  static struct search *const at = (struct search *)0x600000000000ul;
  return at;
}
#define S (search_at())

static unsigned harness_me;
/* The places with a store that is weaker than release. */
static unsigned harness_weak;
static int v0, v1, v2;
static int harness_pc[6], harness_reads[8];
static _Bool nondet_memory(void) {
  if (S->used == S->chosen) S->choices[S->chosen++] = 0;
  return S->choices[S->used++];
}
static unsigned memmodel_place(const volatile void *p) { return p == &v0 ? 0 : p == &v1 ? 1 : 2; }
static long memmodel_get(unsigned l) { return l == 0 ? v0 : l == 1 ? v1 : v2; }
static void memmodel_set(unsigned l, long v) { *(l == 0 ? &v0 : l == 1 ? &v1 : &v2) = (int)v; }
static long memmodel_as(unsigned l, long v) { return (int)v; }
static long memmodel_result(int operation, long old, long by) { return operation == '+' ? old + by : by; }
static _Bool memmodel_lost;
static int harness_plain[3];
static int *const places[] = {&v0, &v1, &v2};

/*MODEL*/

static void perform(const struct operation *o) {
  const void *p = places[o->place];
  switch (o->kind) {
    case 'W': __VERIFIER_atomic_memmodel_store(p, o->value, o->order); break;
    case 'R': harness_reads[o->into] = (int)__VERIFIER_atomic_memmodel_load(p, o->order); break;
    case 'X': harness_reads[o->into] = (int)__VERIFIER_atomic_memmodel_change(p, 'x', o->value, 0, o->order, o->order); break;
    case 'C': harness_reads[o->into] = (int)__VERIFIER_atomic_memmodel_change(p, 'c', o->value, o->expected, o->order, o->failing); break;
#if HARNESS_FENCES
    case 'F': __VERIFIER_atomic_memmodel_fence(o->order); break;
#endif
    /* An atomic read that ends the thread if it reads 0; accesses that are not atomic. */
    case 'G': if (__VERIFIER_atomic_memmodel_load(p, o->order) == 0) harness_pc[harness_me - 1] = 8; break;
    case 'w': if (watched(&harness_plain[o->place], 3) == 2) S->raced = 1; break;
    case 'r': if (watched(&harness_plain[o->place], 2) == 2) S->raced = 1; break;
  }
}

static unsigned long hash(const unsigned char *p, size_t n) {
  unsigned long h = 1469598103934665603ul;
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211ul;
  return h ? h : 1;
}

static _Bool is_new(unsigned long h) {
  unsigned long i = h % S->room;
  while (S->seen[i]) {
    if (S->seen[i] == h) return 0;
    i = (i + 1) % S->room;
  }
  S->seen[i] = h;
  if (++S->many > S->room / 2) abort();
  return 1;
}

static _Bool step(const struct test *t, int who);

static void visit(const struct test *t) {
  size_t size = (size_t)(&_end - &__data_start);
  if (memmodel_lost) S->lost = 1;
  if (!is_new(hash((unsigned char *)&__data_start, size))) return;
  char *saved = malloc(size);
  memcpy(saved, &__data_start, size);
  for (int who = 0; who < 2 * t->threads + 1; who++) {
    unsigned char choices[64];
    unsigned chosen = 0;
    for (;;) {
      memcpy(S->choices, choices, sizeof choices);
      S->chosen = chosen;
      S->used = 0;
      _Bool moved = step(t, who);
      chosen = S->used;
      memcpy(choices, S->choices, sizeof choices);
      if (moved) visit(t);
      memcpy(&__data_start, saved, size);
      while (chosen > 0 && choices[chosen - 1]) chosen--;
      if (chosen == 0 || !moved) break;
      choices[chosen - 1] = 1;
    }
  }
  free(saved);
}

/* A step of a thread, of the memory of one, or the end. */
static _Bool step(const struct test *t, int who) {
  if (who < t->threads) {
    if (harness_pc[who] >= t->length[who]) return 0;
    harness_me = (unsigned)who + 1;
    perform(&t->ops[who][harness_pc[who]++]);
    return 1;
  }
  if (who < 2 * t->threads) return memory_step((unsigned)(who - t->threads + 1));
  for (int i = 0; i < t->threads; i++)
    if (harness_pc[i] < t->length[i] || memory_waits((unsigned)i + 1)) return 0;
  if (harness_pc[5]) return 0;
  harness_pc[5] = 1;
  harness_me = 0;
  for (int i = 0; i < t->threads; i++) joined((unsigned)i + 1);
  unsigned long outcome = 0;
  for (int i = 0; i < 6; i++) outcome = outcome * 8 + (unsigned long)harness_reads[i];
  for (int i = 0; i < 3; i++) outcome = outcome * 8 + (unsigned long)__VERIFIER_atomic_memmodel_load(places[i], 0);
  for (unsigned i = 0; i < S->found; i++)
    if (S->outcomes[i] == outcome) return 1;
  S->outcomes[S->found++] = outcome;
  return 1;
}

/* The places that a thread accesses, as bits. */
static unsigned accessed(const struct test *t, int thread) {
  unsigned places = 0;
  for (int k = 0; k < t->length[thread]; k++) places |= 1u << t->ops[thread][k].place;
  return places;
}

/* The objects that a thread loads. */
static unsigned loaded(const struct test *t, int thread) {
  unsigned all = 0;
  for (int i = 0; i < t->length[thread]; i++) {
    const struct operation *o = &t->ops[thread][i];
    if (o->kind == 'R' || o->kind == 'G' || o->kind == 'C') all |= 1u << o->place;
  }
  return all;
}

int main(void) {
  mmap((void *)0x600000000000ul, sizeof(struct search), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  size_t size = (size_t)(&_end - &__data_start);
  S->room = 1 << 20;
  S->seen = calloc(S->room, sizeof *S->seen);
  char *fresh = malloc(size);
  memcpy(fresh, &__data_start, size);
  struct test t;
  /* threads, then for each its length and operations. */
  while (scanf("%d", &t.threads) == 1) {
    for (int i = 0; i < t.threads; i++) {
      if (scanf("%d", &t.length[i]) != 1) return 1;
      for (int k = 0; k < t.length[i]; k++) {
        struct operation *o = &t.ops[i][k];
        if (scanf(" %c %d %d %d %d %d %d", &o->kind, &o->place, &o->value, &o->order, &o->into, &o->expected, &o->failing) != 7) return 1;
      }
    }
    memcpy(&__data_start, fresh, size);
    memset(S->seen, 0, S->room * sizeof *S->seen);
    S->many = S->found = S->lost = S->raced = 0;
    harness_me = 0;
    for (int i = 0; i < t.threads; i++)
      for (int k = 0; k < t.length[i]; k++)
        if (strchr("WXC", t.ops[i][k].kind) && t.ops[i][k].order < 3) harness_weak |= 1u << t.ops[i][k].place;
    for (int i = 0; i < t.threads; i++) created((unsigned)i + 1, accessed(&t, i), loaded(&t, i));
    visit(&t);
    printf("%d", S->lost + 2 * S->raced);
    for (unsigned i = 0; i < S->found; i++) printf(" %lu", S->outcomes[i]);
    printf("\n");
  }
  return 0;
}
