/* The stepper: runs a woven program from one head of a loop to the next.
 *
 * The program runs on a stack of its own. A state is a copy of that stack and of the program's data segment; its key, which
 * identifies it, has only the variables that the woven program puts at a head, and the callers' frames. A step ends at a head
 * if the environment chose something before, at the end of the run, or where the run is discarded. The stepper takes a step
 * again for each next combination of its choices. */
#define _GNU_SOURCE
#include "stepper.h"
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef BA_X_STACK
#define BA_X_STACK (8u << 20)
#endif
/* The most heads that one step passes without a choice. It ends at the next one all the same: the run may never choose. */
#define BA_X_PATIENCE 4096
#define BA_X_LETTERS 512

/* The woven program's functions. */
int ba_x_main(void);
void ba_x_statics(unsigned head); /* puts the part of the key that is no local: what runs may read from that head on */
void ba_x_letter(void);         /* reports the values of the propositions with ba_x_value */
extern const int ba_x_sampled;  /* letters are taken at labels only: there is no letter 0 */
int ba_x_passes(unsigned at);   /* whether the loop of a head asks the environment for nothing */
void ba_x_tells_violation(void); /* asserts what the verdict of the run so far excludes */

/* A state: the program's data and what it uses of its stack. */
struct image {
  size_t size; /* in bytes, a multiple of those of a word */
  jmp_buf resume;
  int starts; /* the state before the program's first instruction */
  int begun;
  unsigned letter;
  size_t data, stack;
  unsigned char bytes[];
};

/* A state that is kept: states differ in few words, so only those are kept in which it differs from the first one of its size,
 * or from zeros where there are too many sizes. First come the bits of all words that tell which these are. */
struct ba_x_memory {
  size_t size;
  const struct image *base;
  unsigned char bytes[];
};

size_t ba_x_bytes;
static jmp_buf driver, resume;
static volatile size_t resume_size = sizeof(jmp_buf); /* no constant: compilers copy so few bytes word by word, which takes longer */
static ucontext_t driver_context, program_context, first_context;
static unsigned char *stack, *data, *first_data;
static size_t data_size;
static unsigned char *low; /* end of the stack that the state at the last head uses */

/* The step. */
static struct ba_x_step *now;
static struct ba_x_action *actions;
static size_t action_room;
static unsigned *chosen, *offered; /* for each choice of the step: which of how many */
static size_t choice_count, prescribed, choice_room;
static unsigned heads;
static long site, given_site;
static int asks; /* an input's site was announced, its value not yet chosen */
static unsigned depth;
static int begun; /* letter 0 was taken, or the first sample */
static unsigned last_letter;

static unsigned char *key;
static size_t key_used, key_room;

void *ba_x_grown(void *old, size_t size) {
  void *p = realloc(old, size);
  if (!p) {
    static const char text[] = "M\n";
    (void)!write(1, text, sizeof text - 1);
    _exit(3);
  }
  return p;
}

/* Interned strings of bytes: states, and valuations. */
struct table {
  unsigned char *arena;
  size_t used, room;
  size_t *start; /* by number; start[count] is the end */
  struct slot {
    unsigned number, hash; /* ~0u if empty; the hash's upper half */
  } *slots;
  size_t slot_count, count, number_room;
};

/* Eight bytes at a time, each multiplied into 128 bits and folded. */
uint64_t ba_x_hash(const unsigned char *p, size_t n) {
  uint64_t h = n * 0x9e3779b97f4a7c15u, word;
  for (; n >= 8; p += 8, n -= 8) {
    memcpy(&word, p, 8);
    unsigned __int128 m = (unsigned __int128)(h ^ word ^ 0xa0761d6478bd642fu) * 0xe7037ed1a0b428dbu;
    h = (uint64_t)m ^ (uint64_t)(m >> 64);
  }
  word = 0;
  memcpy(&word, p, n);
  unsigned __int128 m = (unsigned __int128)(h ^ word ^ 0x8ebc6af09c88c6e3u) * 0x589965cc75374cc3u;
  h = (uint64_t)m ^ (uint64_t)(m >> 64);
  return h * 0x9e3779b97f4a7c15u;
}

/* The place of a slot: the upper half of the hash, shifted down. */
static size_t home(unsigned hash, size_t slots) { return (size_t)(((uint64_t)hash * slots) >> 32); }

static unsigned interned_by(uint64_t whole, struct table *t, const unsigned char *p, size_t n, int *known) {
  if (t->slot_count < 2 * (t->count + 1)) {
    size_t size = t->slot_count ? 2 * t->slot_count : 1024;
    struct slot *old = t->slots;
    t->slots = ba_x_grown(0, size * sizeof *t->slots);
    memset(t->slots, 0xff, size * sizeof *t->slots);
    for (size_t i = 0; i < t->slot_count; i++) {
      if (old[i].number == ~0u) continue;
      size_t at = home(old[i].hash, size);
      while (t->slots[at].number != ~0u) at = (at + 1) & (size - 1);
      t->slots[at] = old[i];
    }
    t->slot_count = size;
    free(old);
  }
  unsigned hash = (unsigned)(whole >> 32);
  size_t at = home(hash, t->slot_count);
  for (; t->slots[at].number != ~0u; at = (at + 1) & (t->slot_count - 1)) {
    size_t i = t->slots[at].number;
    if (t->slots[at].hash != hash) continue;
    if (t->start[i + 1] - t->start[i] == n && memcmp(t->arena + t->start[i], p, n) == 0) {
      *known = 1;
      return (unsigned)i;
    }
  }
  if (t->used + n > t->room) t->arena = ba_x_grown(t->arena, t->room = 2 * (t->used + n) + 4096);
  if (t->count + 2 > t->number_room) t->start = ba_x_grown(t->start, (t->number_room = 2 * t->count + 1024) * sizeof *t->start);
  memcpy(t->arena + t->used, p, n);
  t->start[t->count] = t->used;
  t->used += n;
  t->start[t->count + 1] = t->used;
  t->slots[at] = (struct slot){ (unsigned)t->count, hash };
  *known = 0;
  ba_x_bytes += n + sizeof *t->start + 2 * sizeof *t->slots;
  return (unsigned)t->count++;
}

static unsigned interned(struct table *t, const unsigned char *p, size_t n, int *known) { return interned_by(ba_x_hash(p, n), t, p, n, known); }

static struct table states, valuations, sequences;

/* The slot where the key of a state is sought is seldom in the cache: it comes while the step's letters are looked at. */
static uint64_t expected(const unsigned char *p, size_t n) {
  uint64_t hash = ba_x_hash(p, n);
  if (states.slot_count) __builtin_prefetch(&states.slots[home((unsigned)(hash >> 32), states.slot_count)]);
  return hash;
}

unsigned ba_x_number(const unsigned char *p, size_t n, int *known) { return interned(&states, p, n, known); }
unsigned ba_x_number_of(const struct ba_x_step *step, int *known) {
  return interned_by(step->hash, &states, step->key, step->key_size, known);
}
unsigned ba_x_sequence(const unsigned char *p, size_t n, int *known) { return interned(&sequences, p, n, known); }
size_t ba_x_states(void) { return states.count; }
unsigned ba_x_valuations(void) { return (unsigned)valuations.count; }
const char *ba_x_valuation(unsigned number) { return (const char *)valuations.arena + valuations.start[number]; }

/* Ends the step: back to the search. */
static void leave(enum ba_x_end end) {
  now->end = end;
  _longjmp(driver, 1);
}

static void act(char kind, long at, long long value) {
  if (now->count == action_room) actions = ba_x_grown(actions, (action_room = 2 * action_room + 64) * sizeof *actions);
  actions[now->count++] = (struct ba_x_action){ kind, at, value };
}

void ba_x_act(char kind, long at, long long value) { act(kind, at, value); }

/* Letters. */
static char values[4096];
static unsigned valued;

void ba_x_value(unsigned value) {
  if (valued + 1 < sizeof values) values[valued++] = value ? '1' : '0';
}

static unsigned valuation(void) {
  int known;
  valued = 0;
  ba_x_letter();
  values[valued++] = 0;
  return interned(&valuations, (unsigned char *)values, valued, &known);
}

int ba_x_walks;
static size_t asides; /* actions of a walk that are none of the search, which a step does not end for */

static void aside(char kind, long at, long long value) {
  if (!ba_x_walks) return;
  act(kind, at, value);
  asides++;
}

static void letter(long at) {
  last_letter = valuation();
  act('l', at, last_letter);
  if (ba_x_has_now) aside('t', at, (long long)ba_x_now());
}

void ba_x_tells(unsigned long number, const volatile void *object) {
  aside('n', (long)number, (long long)(intptr_t)object);
}

/* Letter 0 is the valuation before the first event. */
static void start(void) {
  if (begun || ba_x_sampled) return;
  begun = 1;
  letter(-1);
}

void ba_x_begin(void) {
  if (depth++) return;
  site = -1;
  start();
}

void ba_x_at(unsigned at) { site = at; }

void ba_x_end(void) {
  if (--depth || site < 0) return;
  begun = 1;
  letter(site);
  site = -1;
}

static int has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* The formulas that were found violated, by the texts of their assertions, and those that are settled. */
static struct table violated;
static unsigned char settled[256];
static int asking, shows;
unsigned long long ba_x_random, ba_x_few;

/* An assertion fails while the program is asked for its verdicts. */
static void verdict(const char *text) {
  static const char falsity[] = ":false";
  size_t n = strlen(text), end = sizeof falsity - 1;
  int known;
  if (shows || n < end || strcmp(text + n - end, falsity) != 0) return;
  unsigned number = interned(&violated, (const unsigned char *)text, n, &known);
  if (number < sizeof settled && !settled[number]) shows = (int)number + 1;
}

int ba_x_violates(void) {
  asking = 1;
  shows = 0;
  ba_x_tells_violation();
  asking = 0;
  return shows;
}
void ba_x_settle(int formula) { settled[formula - 1] = 1; }

/* An assertion of the woven program fails. */
void ba_x_assert(const char *text) {
  if (asking) {
    verdict(text);
    return;
  }
  if (strcmp(text, "baproduct:end") != 0) {
    if (has_prefix(text, "baproduct:internal")) leave(BA_X_WRONG);
    return;
  }
  start();
  key_used = 0;
  leave(BA_X_END);
}

void ba_x_assume(int holds) {
  if (!holds) leave(BA_X_DISCARDED);
}
void __VERIFIER_assume(int holds) { ba_x_assume(holds); }
void __CPROVER_assume(_Bool holds) { ba_x_assume(holds); }
void __ESBMC_assume(_Bool holds) { ba_x_assume(holds); }

/* The functions that end a process: the woven program ends its run before them. */
void ba_x_gone(void) { leave(BA_X_WRONG); }

/* Whether only some runs are visited. */
extern const unsigned ba_x_some;
void ba_x_unset(void) {
  if (ba_x_some && !asking) leave(BA_X_DISCARDED);
  ba_x_undefined();
}

/* Functions without an effect on the program. */
int ba_x_quiet(void) { return 0; }

/* Only names of this length come here; it is called for each byte of a line. */
void ba_x_show(const char *name, long value) {
  if (memcmp(name, "ba_site", sizeof "ba_site") == 0) given_site = value, asks = 1;
}

/* The functions that gcc and clang call where a check of -fsanitize fails. Their first argument begins with the place. */
struct place {
  const char *file;
  unsigned line, column;
};
static struct place places[64];
static unsigned placed;
static int overflowed; /* the step has a mark already */

unsigned ba_x_places(void) { return placed; }
const char *ba_x_place(unsigned number, unsigned *line) {
  *line = places[number].line;
  return places[number].file;
}

/* A signed integer overflows. The value wraps around, and the step is marked: no run of the program takes it. */
static void overflows(const struct place *at) {
  static const unsigned most = sizeof places / sizeof *places;
  unsigned n = 0;
  if (overflowed) return;
  overflowed = 1;
  while (n < placed && (places[n].file != at->file || places[n].line != at->line)) n++;
  if (n == most) n = most - 1;
  else if (n == placed) places[placed++] = *at;
  act('o', n, at->column);
}
void __ubsan_handle_add_overflow(void *at, void *a, void *b) { (void)a, (void)b, overflows(at); }
void __ubsan_handle_sub_overflow(void *at, void *a, void *b) { (void)a, (void)b, overflows(at); }
void __ubsan_handle_mul_overflow(void *at, void *a, void *b) { (void)a, (void)b, overflows(at); }
void __ubsan_handle_negate_overflow(void *at, void *a) { (void)a, overflows(at); }

/* No run of the program takes the step. A division overflows or is by zero. */
static void undefined(void) {
  if (!asking && ba_x_passes_over()) leave(BA_X_DISCARDED);
  ba_x_crashed(SIGILL);
}
void __ubsan_handle_divrem_overflow(void) { undefined(); }
void __ubsan_handle_out_of_bounds(void) { undefined(); }

/* The compiler's description of a type: the number of its bits is a power of 2. */
struct described {
  unsigned short kind, info;
};
struct shift {
  struct place at;
  const struct described *of, *by;
};
/* A shift that is too far has no value. One that loses bits of a signed number, or shifts a negative one, overflows. */
void __ubsan_handle_shift_out_of_bounds(const struct shift *shift, void *of, unsigned long by) {
  unsigned bits = 1u << (shift->by->info >> 1);
  (void)of;
  if (bits < 64) by &= (1ul << bits) - 1;
  if (bits > 64 || by >= 1ul << (shift->of->info >> 1)) undefined();
  else overflows(&shift->at);
}
void __ubsan_handle_type_mismatch_v1(void) { undefined(); }
void __ubsan_handle_builtin_unreachable(void) { undefined(); }
void __ubsan_handle_missing_return(void) { undefined(); }
void __ubsan_handle_vla_bound_not_positive(void) { undefined(); }

/* The first of n, or one of them at random (xorshift64*, Vigna 2016). */
static unsigned at_random(unsigned n) {
  if (!ba_x_random) return 0;
  ba_x_random ^= ba_x_random >> 12;
  ba_x_random ^= ba_x_random << 25;
  ba_x_random ^= ba_x_random >> 27;
  return (unsigned)((ba_x_random * 0x2545f4914f6cdd1du >> 32) % n);
}

/* One of at most so many values of a site. */
#define BA_X_FEW_VALUES 4

static unsigned mixed(unsigned long long number) {
  number = (number ^ number >> 31) * 0x7fb5d329728ea185u;
  number = (number ^ number >> 27) * 0x81dadef4bc2dd44du;
  return (unsigned)(number >> 33);
}

/* The same, or one of few that depend on the site. */
static unsigned at_random_here(unsigned n) {
  if (!ba_x_few || !ba_x_random) return at_random(n);
  unsigned long long here = ba_x_few + (unsigned long long)(given_site + 1) * 0x9e3779b97f4a7c15u;
  unsigned which = at_random(1 + mixed(here) % BA_X_FEW_VALUES);
  return mixed(here + which + 1) % n;
}

/* The environment chooses one of n. */
static unsigned choose(unsigned n) {
  start();
  if (choice_count == choice_room) {
    choice_room = 2 * choice_room + 16;
    chosen = ba_x_grown(chosen, choice_room * sizeof *chosen);
    offered = ba_x_grown(offered, choice_room * sizeof *offered);
  }
  if (choice_count >= prescribed) chosen[choice_count] = at_random_here(n);
  offered[choice_count] = n;
  return chosen[choice_count++];
}

unsigned ba_x_pick(unsigned n) { return choose(n); }
long long ba_x_choice(const long long *of, unsigned n) {
  return of[n > 1 ? choose(n) : 0];
}
long long ba_x_uninitialised(const long long *of, unsigned n, unsigned number) {
  long long value = ba_x_choice(of, n);
  act('u', number, value);
  return value;
}
/* The site that asks for a value; -1 if none does. */
long ba_x_given_site(void) { return asks ? given_site : -1; }
void ba_x_given(long long value) {
  asks = 0;
  act('c', given_site, ba_x_told_of(value));
}

/* Appends bytes to the key of the state at a head. */
void ba_x_put(const void *p, size_t n) {
  if (key_used + n > key_room) key = ba_x_grown(key, key_room = 2 * (key_used + n) + 256);
  unsigned char *to = key + key_used;
  key_used += n;
  /* Most are variables, for which a call of memcpy takes longer than the copy. */
  switch (n) {
  case 1: *to = *(const unsigned char *)p; break;
  case 4: memcpy(to, p, 4); break;
  case 8: memcpy(to, p, 8); break;
  default: memcpy(to, p, n);
  }
}

/* Puts a number that stands for bytes which most states have in common. */
static void put_common(const unsigned char *p, size_t n) {
  static struct table commons;
  static unsigned last;
  int known;
  if (!commons.count || commons.start[last + 1] - commons.start[last] != n || memcmp(commons.arena + commons.start[last], p, n) != 0)
    last = interned(&commons, p, n, &known);
  ba_x_put(&last, sizeof last);
}

/* Where in the key the values of variables begin, and the head. */
static size_t own_from;
static unsigned own_at;

void ba_x_put_again(void) {
  key_used = own_from;
  ba_x_statics(own_at);
  ba_x_ages_put();
}

/* Whether the step ends at this head: the environment chose something and may choose again in the loop, or the step is long
 * enough. Begins the key. */
int ba_x_arrives(unsigned at, const void *frame) {
  if ((choice_count == 0 || ba_x_passes(at)) && ++heads < BA_X_PATIENCE && now->count - asides < BA_X_LETTERS) return 0;
  start();
  ba_x_marks_arrive();
  ba_x_ages_arrive(at);
  key_used = 0;
  ba_x_put(&at, sizeof at);
  ba_x_put(&begun, sizeof begun);
  ba_x_put(&last_letter, sizeof last_letter);
  const unsigned char *callers = frame;
  if (callers < stack || callers > stack + BA_X_STACK) leave(BA_X_WRONG);
  put_common(callers, (size_t)(stack + BA_X_STACK - callers));
  own_from = key_used;
  own_at = at;
  ba_x_orders_arrive();
  ba_x_put_again();
  return 1;
}

__attribute__((noinline)) void ba_x_head(void) {
  unsigned char *frame = __builtin_frame_address(0);
  /* 1024 bytes below the frame address hold the rest of this function's frame. */
  low = frame - stack > 1024 ? frame - 1024 : stack;
  if (_setjmp(resume) == 0) leave(BA_X_HEAD);
}

/* The first state of each size. */
static struct image *bases[64];
static unsigned based;

/* The state from which steps are taken. */
static struct image *taken;
static size_t taken_room;

/* The parts of a state's image: its beginning, its data, and what it uses of its stack. */
struct part {
  const unsigned char *from;
  size_t size; /* a multiple of those of a word */
};

/* The bytes behind which a part is equal to another one, block by block. */
#define BLOCK 64

/* The first state of a size; one that is all zeros where there are too many sizes. */
static const struct image *base_of(const struct part *parts, size_t size) {
  for (unsigned i = 0; i < based; i++)
    if (bases[i]->size == size) return bases[i];
  if (based == sizeof bases / sizeof *bases) return 0;
  struct image *base = ba_x_grown(0, size);
  unsigned char *to = (unsigned char *)base;
  for (unsigned i = 0; i < 3; to += parts[i++].size) memcpy(to, parts[i].from, parts[i].size);
  return bases[based++] = base;
}

static struct ba_x_memory *packed(const struct part *parts, size_t *size) {
  static struct ba_x_memory *out;
  static size_t room;
  static const unsigned char zeros[BLOCK];
  size_t whole = parts[0].size + parts[1].size + parts[2].size, bits = (whole / 8 + 7) / 8, word = 0;
  const unsigned char *base = (const unsigned char *)base_of(parts, whole);
  if (room < sizeof *out + bits + whole) out = ba_x_grown(out, room = sizeof *out + bits + whole);
  unsigned char *words = out->bytes, *next = words + bits;
  memset(words, 0, bits);
  for (unsigned part = 0; part < 3; part++) {
    const unsigned char *own = parts[part].from, *end = own + parts[part].size;
    while (own < end) {
      size_t n = end - own < BLOCK ? (size_t)(end - own) : BLOCK;
      const unsigned char *other = base ? base + 8 * word : zeros;
      if (memcmp(own, other, n) == 0) {
        own += n, word += n / 8;
        continue;
      }
      for (size_t at = 0; at < n; at += 8, word++) {
        if (memcmp(own + at, other + at, 8) == 0) continue;
        words[word / 8] |= (unsigned char)(1 << word % 8);
        memcpy(next, own + at, 8);
        next += 8;
      }
      own += n;
    }
  }
  *size = (size_t)(next - (unsigned char *)out);
  out->size = whole;
  out->base = (const struct image *)base;
  return memcpy(ba_x_grown(0, *size), out, *size);
}

static void unpack(const struct ba_x_memory *m) {
  size_t bits = (m->size / 8 + 7) / 8;
  const unsigned char *next = m->bytes + bits;
  if (m->size > taken_room) taken = ba_x_grown(taken, taken_room = 2 * m->size);
  unsigned char *to = (unsigned char *)taken;
  if (m->base) memcpy(to, m->base, m->size);
  else memset(to, 0, m->size);
  for (size_t at = 0; at < bits; at++)
    for (unsigned left = m->bytes[at]; left; left &= left - 1, next += 8)
      memcpy(to + 8 * (8 * at + (size_t)__builtin_ctz(left)), next, 8);
}

static size_t in_words(size_t bytes) { return (bytes + 7) / 8 * 8; }

/* The memory of a state with so much of its stack. Its data is in whole words: pages have no others. */
static struct ba_x_memory *remembered(struct image *m, const unsigned char *of_data, size_t used, size_t *size) {
  m->data = in_words(data_size);
  m->stack = used;
  struct part parts[] = { { (unsigned char *)m, sizeof *m }, { of_data, m->data }, { stack + BA_X_STACK - used, used } };
  m->size = parts[0].size + parts[1].size + parts[2].size;
  return packed(parts, size);
}

struct ba_x_memory *ba_x_remember(size_t *size) {
  static struct image m; /* the same bytes between its members each time */
  memcpy(&m.resume, &resume, sizeof resume);
  m.begun = begun;
  m.letter = last_letter;
  return remembered(&m, data, in_words((size_t)(stack + BA_X_STACK - low)), size);
}

struct ba_x_memory *ba_x_initial(void) {
  static struct image m;
  size_t size;
  m.starts = 1;
  return remembered(&m, first_data, 0, &size);
}

static void program(void) {
  ba_x_main();
  leave(BA_X_WRONG); /* the woven program reports its end before main returns */
}

static void step(const struct image *from) {
  now->count = asides = 0;
  choice_count = 0;
  heads = 0;
  depth = 0;
  site = given_site = -1;
  asks = 0;
  overflowed = 0;
  ba_x_marks_begin();
  ba_x_ages_begin();
  begun = from->begun;
  last_letter = from->letter;
  memcpy(data, from->bytes, from->data);
  if (_setjmp(driver) == 0) {
    if (from->starts) {
      memset(stack + BA_X_STACK - 65536, 0, 65536);
      program_context = first_context; /* the same registers each time: their values end up in frames */
      program_context.uc_stack.ss_sp = stack;
      program_context.uc_stack.ss_size = BA_X_STACK;
      program_context.uc_link = 0;
      makecontext(&program_context, program, 0);
      swapcontext(&driver_context, &program_context);
    } else {
      memcpy(stack + BA_X_STACK - from->stack, from->bytes + from->data, from->stack);
      memcpy(&resume, &from->resume, resume_size);
      _longjmp(resume, 1);
    }
  }
  if (now->end == BA_X_END) {
    static const unsigned end = ~0u;
    ba_x_put(&end, sizeof end);
    ba_x_put(&begun, sizeof begun);
    if (!begun) last_letter = valuation();
    ba_x_put(&last_letter, sizeof last_letter);
  }
  if (!begun) last_letter = valuation();
  now->letter = last_letter;
  now->key = key;
  now->key_size = key_used;
  now->hash = expected(key, key_used);
  now->actions = actions;
}

void ba_x_first(const struct ba_x_memory *from, struct ba_x_step *to) {
  now = to;
  prescribed = 0;
  unpack(from);
  step(taken);
}

int ba_x_next(const struct ba_x_memory *from, struct ba_x_step *to) {
  (void)from; /* it was taken up for the first one */
  now = to;
  size_t n = choice_count;
  while (n > 0 && chosen[n - 1] + 1 >= offered[n - 1]) n--;
  if (n == 0) return 0;
  chosen[n - 1]++;
  prescribed = n;
  step(taken);
  return 1;
}

int ba_x_chose(void) {
  for (size_t i = 0; i < choice_count; i++)
    if (offered[i] > 1) return 1;
  return 0;
}

unsigned ba_x_heads(void) { return heads; }

/* Finds the program's writable segment, without its part that is read-only after relocation. */
static int segment(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t from = 0, to = 0, fixed = 0;
  int ours = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + p->p_vaddr, end = at + p->p_memsz, main_at = (uintptr_t)ba_x_statics;
    if (p->p_type == PT_LOAD && at <= main_at && main_at < end) ours = 1;
    if (p->p_type == PT_LOAD && (p->p_flags & PF_W)) from = at, to = end;
    if (p->p_type == PT_GNU_RELRO) fixed = end;
  }
  if (!ours) return 0;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  fixed = fixed & ~(page - 1);
  if (fixed > from) from = fixed;
  data = (unsigned char *)from;
  data_size = to > from ? to - from : 0;
  return 1;
}

static void crash(int number) { ba_x_crashed(number); }

void ba_x_open(void) {
  static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
  size_t guard = 1u << 16;
  unsigned char *room = mmap(0, BA_X_STACK + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED || mprotect(room, guard, PROT_NONE) != 0) _exit(4);
  stack = room + guard;
  dl_iterate_phdr(segment, 0);
  getcontext(&first_context);
  first_data = ba_x_grown(0, in_words(data_size) + 1);
  memcpy(first_data, data, in_words(data_size));
  stack_t other = { .ss_sp = ba_x_grown(0, 1 << 16), .ss_size = 1 << 16 };
  sigaltstack(&other, 0);
  struct sigaction action = { .sa_handler = crash, .sa_flags = SA_ONSTACK };
  for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &action, 0);
}
