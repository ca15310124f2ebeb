/* The part of the runtime that replays a recorded run (`baproduct replay`); the driver appends it to native.c.
 *
 * The program runs with one thread at a time. gcc's -fsanitize=thread makes every memory access call a function defined here
 * (its library is not linked); at each access, atomic block and call that may block, the scheduler may switch threads. The
 * letters have to be the recorded ones, in their order. The recorded run does not say which threads ran between two letters:
 * the scheduler chooses them from a seed, gives up a run that leaves the recorded word, and the driver tries the next seed.
 *
 * Lines of the record: `N followed k`: all k letters came; `N short k`: the run ended after k letters; `N diverged k`: letter k
 * is another one; `N endless k`: k letters came, and then none for very long (or a table here is full); `N deadlock 0`: at the
 * end no thread could go on; `N spinning 0`: behind the last letter threads went on for very long; `N asked k`: the run chose k
 * times whether to follow an activation; `N turns k`: it took k of the recorded turns (turns.c); `N rounds k`: its threads went k
 * times round the loop of an infinite run, each in its turns.
 */
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>

struct scheduled { unsigned thread; const char *values; };
extern const struct scheduled BA_NATIVE_NAME(schedule)[];
extern const unsigned BA_NATIVE_NAME(scheduled);    /* letters; the first one is that of the start, if the word has it */
extern const unsigned BA_NATIVE_NAME(watched)[];    /* the propositions of the property, by index */
extern const unsigned BA_NATIVE_NAME(watches);
extern const int BA_NATIVE_NAME(every_event), BA_NATIVE_NAME(first_letter), BA_NATIVE_NAME(prefix);

struct event { unsigned thread; long site; };
extern const struct event BA_NATIVE_NAME(event)[];  /* all events, also those without a letter; empty if not known */
extern const unsigned BA_NATIVE_NAME(events);

struct choice { unsigned thread, site; long long value; };
extern const struct choice BA_NATIVE_NAME(choices)[]; /* values of the environment, in order */
extern const unsigned BA_NATIVE_NAME(chosen);
/* For an infinite run: how often to take its loop, the save point at which the loop begins, and how many letters and choices
 * come before it. */
extern const unsigned BA_NATIVE_NAME(rounds), BA_NATIVE_NAME(begins), BA_NATIVE_NAME(letters_before), BA_NATIVE_NAME(choices_before);
static unsigned choices_taken, came_back;
/* For an infinite run of threads: the threads that take no step in its loop, and whether each stands at a wait. */
extern const unsigned BA_NATIVE_NAME(still)[], BA_NATIVE_NAME(still_waits)[], BA_NATIVE_NAME(stills);

static unsigned followed, happened;

/* Whether an infinite run of threads has reached its loop. The loop's letters come once in each round; a loop may have none. */
static int in_loop(void) { return BA_NATIVE_NAME(rounds) && followed >= BA_NATIVE_NAME(letters_before); }
static unsigned loop_letters(void) {
  return BA_NATIVE_NAME(rounds) ? (BA_NATIVE_NAME(scheduled) - BA_NATIVE_NAME(letters_before)) / BA_NATIVE_NAME(rounds) : 0;
}
/* A number for the place in the recorded run: the same in each round of the loop. */
static unsigned place(void) {
  unsigned before = BA_NATIVE_NAME(letters_before), n = loop_letters();
  return in_loop() && n ? before + (followed - before) % n : happened + followed;
}
static char last_values[4096];
static void replay_end(void);

static unsigned asked_to_follow; /* how often the run chose whether to follow an activation */

static void note(const char *what, unsigned number) {
  put("N ");
  put(what);
  put_number(" %llu\n", number);
}

static void give_up(const char *what, unsigned number) {
  note(what, number);
  if (asked_to_follow) note("asked", asked_to_follow);
  close_record();
  _exit(0);
}

static unsigned long gates; /* since the last letter */

static int known_threads(void);

/* The recorded turns (turns.c). */
static void comes_to(const void *after);
static void event_in_turn(void);
static void enters(const void *after);
static void leaves(void);
static int ends_turn(const void *after);
static int in_order(void);
static int before_loop(void);
static int next_waiter(const void *condition);
static void note_turns(void);

/* Compares a letter (the values of all propositions) with the recorded one; whether the property's word has it. */
static int replay_letter(unsigned thread, long at, const char *values) {
  char mine[sizeof last_values];
  unsigned n = 0;
  for (; n < BA_NATIVE_NAME(watches) && n + 1 < sizeof mine; n++) mine[n] = values[BA_NATIVE_NAME(watched)[n]];
  mine[n] = 0;
  if (at < 0 && !BA_NATIVE_NAME(first_letter)) return 0;
  if (at >= 0 && !BA_NATIVE_NAME(every_event) && strcmp(mine, last_values) == 0) return 0;
  gates = 0;
  strcpy(last_values, mine);
  if (followed >= BA_NATIVE_NAME(scheduled)) give_up("diverged", followed);
  const struct scheduled *expected = &BA_NATIVE_NAME(schedule)[followed];
  if ((at >= 0 && expected->thread != thread) || strcmp(expected->values, mine) != 0) give_up("diverged", followed);
  followed++;
  if (followed == BA_NATIVE_NAME(scheduled) && BA_NATIVE_NAME(prefix) && (!BA_NATIVE_NAME(rounds) || (known_threads() && loop_letters()))) {
    /* The recorded run was cut here, or its loop was taken often enough. */
    depth++;
    finish();
    replay_end();
    close_record();
    _exit(0);
  }
  return 1;
}

/* An event, with or without a letter. The recorded order is exact only for events that access shared data, so an event is also
 * accepted before its turn; only the letters decide whether the run is the recorded one. */
static void replay_event(unsigned thread, long at) {
  static unsigned char done[65536];
  event_in_turn();
  unsigned all_events = BA_NATIVE_NAME(events) < sizeof done ? BA_NATIVE_NAME(events) : sizeof done;
  for (unsigned i = happened; i < all_events; i++) {
    const struct event *expected = &BA_NATIVE_NAME(event)[i];
    if (done[i] || expected->thread != thread || expected->site != at) continue;
    done[i] = 1;
    gates = 0;
    break;
  }
  while (happened < all_events && done[happened]) happened++;
}

/* Takes letter 0, which comes before everything that is counted. No other thread may go on while the propositions are read. */
static void letter_of_the_start(void) {
  if (started) return;
  lock();
  depth++;
  start();
  depth--;
  unlock();
}

/* Takes the verdict of the word up to here: the recorded run ends. */
static void over_as_recorded(void) {
  lock();
  depth++;
  finish();
  replay_end();
  close_record();
  _exit(0);
}

/* The value that the environment gave at a site in the recorded run. A request behind the last value ends the run: the recorded
 * run ended there. */
long long BA_NATIVE_NAME(choice)(unsigned at) {
  static unsigned char *taken;
  static unsigned first; /* not taken yet */
  letter_of_the_start();
  unsigned count = BA_NATIVE_NAME(chosen);
  const struct choice *all_choices = BA_NATIVE_NAME(choices);
  if (!taken) taken = calloc(count + 1, 1);
  if (!taken) abort();
  while (first < count && taken[first]) first++;
  for (unsigned i = first; i < count; i++) {
    if (taken[i] || all_choices[i].thread != self || all_choices[i].site != at) continue;
    taken[i] = 1;
    choices_taken++;
    return all_choices[i].value;
  }
  if (BA_NATIVE_NAME(rounds)) give_up("diverged", followed);
  over_as_recorded();
  return 0;
}

/* Whether to follow an activation that enters its area. The recorded run does not say which one it followed: attempts without
 * threads try one after the other; from attempt 64 on, and with threads, the choice is random. */
int BA_NATIVE_NAME(follows)(unsigned asked) {
  asked_to_follow++;
  if (threads == 0 && attempt < 64) return asked == attempt;
  return attempt % 2 ? (int)(random_number() & 1) : asked == 0;
}

/* Whether this visit of a save point saves the state of an infinite run. */
int BA_NATIVE_NAME(saves)(unsigned at) {
  letter_of_the_start();
  return BA_NATIVE_NAME(rounds) && at == BA_NATIVE_NAME(begins) && followed == BA_NATIVE_NAME(letters_before)
    && choices_taken == BA_NATIVE_NAME(choices_before);
}

/* The saved state has recurred. */
void BA_NATIVE_NAME(round)(void) {
  came_back++;
  gates = 0;
  if (came_back >= BA_NATIVE_NAME(rounds) && followed == BA_NATIVE_NAME(scheduled) && choices_taken == BA_NATIVE_NAME(chosen))
    over_as_recorded();
}

/* The end of the process. */
static void replay_end(void) {
  if (asked_to_follow) note("asked", asked_to_follow);
  note_turns();
  note(followed == BA_NATIVE_NAME(scheduled) ? "followed" : "short", followed);
}

/* Threads: one runs at a time. */
enum { READY, AT_BLOCK, WAITING, SIGNALLED, ENDED };
#define MOST_THREADS 256
static struct thread {
  int state;
  unsigned long tried;   /* `progress` when a waiting thread last tried */
  const void *condition; /* the condition variable on which it waits until it is signalled */
  pthread_t id;
} all[MOST_THREADS];
static unsigned known = 1, running;
static unsigned long progress = 1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed[MOST_THREADS];
static __thread int joined_in;

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_pthread_cond_signal(pthread_cond_t *);
int __real_pthread_join(pthread_t, void **);
int __real_sem_trywait(sem_t *);

static unsigned dice(unsigned sides) { return (unsigned)(random_number() % sides); }

static int known_threads(void) { return known > 1; }

/* A pseudorandom number of this attempt that is the same at each visit of a place of the recorded run. */
static unsigned long long at_place(unsigned t) {
  unsigned long long number = attempt * 0x9e3779b97f4a7c15ull + place() * 0xc2b2ae3d27d4eb4full + t * 0x165667b19e3779f9ull;
  number ^= number >> 29;
  return number * 0xbf58476d1ce4e5b9ull >> 40;
}

/* A random number below `sides`; an infinite run draws the same one in each round of its loop. */
static unsigned dice_of_run(unsigned sides) { return BA_NATIVE_NAME(rounds) ? (unsigned)(at_place(sides) % sides) : dice(sides); }

static int eligible(unsigned t) {
  if (in_loop() && !before_loop()) for (unsigned i = 0; i < BA_NATIVE_NAME(stills); i++) if (BA_NATIVE_NAME(still)[i] == t) return 0;
  switch (all[t].state) {
    case READY: case AT_BLOCK: case SIGNALLED: return 1;
    case WAITING: return !all[t].condition && all[t].tried != progress;
    default: return 0;
  }
}

/* The thread of the next event or letter; main behind the last one, so that the process ends. */
static unsigned wanted(void) {
  if (happened < BA_NATIVE_NAME(events)) return BA_NATIVE_NAME(event)[happened].thread;
  return followed < BA_NATIVE_NAME(scheduled) ? BA_NATIVE_NAME(schedule)[followed].thread : 0;
}

/* Whether another thread goes on as far as it can before the thread of the next event does. Attempt 0 answers no for all, attempt
 * 1 yes; later attempts choose at random for each thread and event. */
static int advances(unsigned t) {
  if (attempt < 2) return (int)attempt;
  return (int)(at_place(t) & 1);
}

/* After more places than this between two events, a thread is taken to wait in a loop. */
#define FAR 200

/* In a loop in which no thread takes a step, a thread that goes round a wait and reads; -1 if there is none. */
static int spinner(void) {
  unsigned list[MOST_THREADS], n = 0;
  for (unsigned i = 0; in_loop() && !before_loop() && i < BA_NATIVE_NAME(stills); i++) {
    unsigned t = BA_NATIVE_NAME(still)[i];
    if (t < known && all[t].state <= AT_BLOCK && BA_NATIVE_NAME(still_waits)[i]) list[n++] = t;
  }
  return n ? (int)list[attempt % n] : -1;
}

/* The thread that runs next; -1 if none can. */
static int choose(void) {
  unsigned list[MOST_THREADS], n = 0, apart[MOST_THREADS], others = 0, next = wanted();
  for (unsigned t = 0; t < known; t++) if (eligible(t)) list[n++] = t;
  if (n == 0) return spinner();
  /* The atomic block of a thread other than `next` often has an event, which would come too early. */
  for (unsigned i = 0; i < n; i++) if (list[i] != next && all[list[i]].state != AT_BLOCK) apart[others++] = list[i];
  int ordered = in_order();
  if (ordered >= 0) return ordered;
  int can = next < known && eligible(next);
  int steady = BA_NATIVE_NAME(rounds) && gates < FAR; /* one wrong choice in a thousand rounds is one too many */
  if (!steady && others + (can ? 1 : 0) < n && dice(BA_NATIVE_NAME(events) ? 64 : 4) == 0) return (int)list[dice(n)];
  if (!BA_NATIVE_NAME(rounds) && attempt > 1 && attempt % 4 == 1) { /* some attempts choose at random at every place */
    if (others && dice(attempt % 8 == 1 ? 4 : 16) == 0) return (int)apart[dice(others)];
  } else if (gates < FAR) {
    for (unsigned i = 0; i < others; i++) if (advances(apart[i])) return (int)apart[i];
  }
  if (can && (gates < FAR || !others || dice(4))) return (int)next;
  if (others) return (int)apart[dice(others)];
  return (int)list[dice(n)];
}

/* No thread can go on: the run ends, as the recorded one did. The caller holds `turn`. */
static void blocked_for_good(void) {
  if (BA_NATIVE_NAME(rounds)) give_up("diverged", followed); /* an infinite run goes on */
  lock();
  depth++;
  finish();
  put("N deadlock 0\n");
  replay_end();
  close_record();
  _exit(0);
}

/* Lets the chosen thread run and waits until this thread is chosen again. The caller holds `turn`. */
static void pass(void) {
  int next = choose();
  if (next < 0) blocked_for_good();
  running = (unsigned)next;
  if (running != self) {
    __real_pthread_cond_signal(&changed[running]);
    while (running != self) __real_pthread_cond_wait(&changed[self], &turn);
  }
}

/* After so many places without a letter, the run is taken for endless. */
#define MOST_GATES (attempt < 64 && !in_loop() ? 20000ul : 400000ul)

/* The run is taken for endless. Behind the last letter a thread spins in a wait: the word is complete. */
static void endless(void) {
  letter_of_the_start(); /* without any event, this letter has not been taken yet */
  if (followed < BA_NATIVE_NAME(scheduled) || before_loop()) give_up("endless", followed);
  lock();
  depth++;
  finish();
  put("N spinning 0\n");
  replay_end();
  close_record();
  _exit(0);
}

/* The thread is in an atomic section of the program's own. */
static __thread unsigned in_section;

/* Blocks of code since the thread's last access that other threads can see. */
static __thread unsigned blocks;
#define OWN_LOOP 1000

/* A place at which another thread may go on instead. */
static void gate_at(int state, const void *after) {
  blocks = 0;
  if (depth || over || known == 1 || joined_in || in_section) return;
  if (BA_NATIVE_NAME(rounds)) letter_of_the_start(); /* the loop begins behind letter 0, even without an event before it */
  joined_in = 1;
  __real_pthread_mutex_lock(&turn);
  comes_to(after);
  if (++gates > MOST_GATES) endless();
  all[self].state = state;
  pass();
  all[self].state = READY;
  progress++;
  __real_pthread_mutex_unlock(&turn);
  joined_in = 0;
}

/* A call that blocks until another thread has made progress or signals the condition. */
static void wait_for(const void *condition) {
  joined_in = 1;
  __real_pthread_mutex_lock(&turn);
  if (++gates > MOST_GATES) endless();
  all[self].state = WAITING;
  all[self].condition = condition;
  all[self].tried = progress;
  pass();
  all[self].state = READY;
  all[self].condition = 0;
  __real_pthread_mutex_unlock(&turn);
  joined_in = 0;
}

static void thread_begins(void) {
  joined_in = 1;
  __real_pthread_mutex_lock(&turn);
  while (running != self) __real_pthread_cond_wait(&changed[self], &turn);
  __real_pthread_mutex_unlock(&turn);
  joined_in = 0;
}

static void thread_ends(void *unused) {
  (void)unused;
  joined_in = 1;
  __real_pthread_mutex_lock(&turn);
  all[self].state = ENDED;
  progress++;
  int next = choose();
  if (next < 0) {
    int alive = 0;
    for (unsigned t = 0; t < known; t++) alive |= all[t].state != ENDED;
    if (alive) blocked_for_good();
  } else {
    running = (unsigned)next;
    __real_pthread_cond_signal(&changed[running]);
  }
  __real_pthread_mutex_unlock(&turn);
}

static void thread_is_known(unsigned number) {
  if (number >= MOST_THREADS) give_up("endless", followed);
  pthread_cond_init(&changed[number], 0);
  all[number].state = READY;
  known = number + 1;
}

/* The system could not start the thread, so it never gets a turn. */
static void thread_never_begins(unsigned number) { all[number].state = ENDED; }

static void thread_has_id(unsigned number, pthread_t id) { all[number].id = id; }

/* Calls that may block. */
int __wrap_pthread_mutex_lock(pthread_mutex_t *m) {
  gate(READY);
  int result;
  while ((result = __real_pthread_mutex_trylock(m)) == EBUSY) wait_for(0);
  return result;
}
int __wrap_pthread_mutex_trylock(pthread_mutex_t *m) {
  gate(READY);
  return __real_pthread_mutex_trylock(m);
}
int __wrap_pthread_mutex_unlock(pthread_mutex_t *m) {
  gate(READY);
  int result = __real_pthread_mutex_unlock(m);
  progress++;
  return result;
}
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  __real_pthread_mutex_unlock(m);
  progress++;
  wait_for(c);
  int result;
  while ((result = __real_pthread_mutex_trylock(m)) == EBUSY) wait_for(0);
  return result;
}
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  (void)until;
  __real_pthread_mutex_unlock(m);
  progress++;
  /* Some attempts let the time of each wait be over. */
  int signalled = attempt % 4 == 0 ? 0 : (int)dice_of_run(2);
  if (signalled) wait_for(c);
  else gate(READY);
  int result;
  while ((result = __real_pthread_mutex_trylock(m)) == EBUSY) wait_for(0);
  return result ? result : signalled ? 0 : ETIMEDOUT;
}
static int wake(pthread_cond_t *c, int everyone) {
  unsigned n = 0;
  for (unsigned t = 0; t < known; t++) n += all[t].state == WAITING && all[t].condition == c;
  unsigned chosen_one = n ? dice_of_run(n) : 0;
  int next = next_waiter(c);
  for (unsigned t = 0, i = 0; t < known; t++) {
    if (all[t].state != WAITING || all[t].condition != c) continue;
    unsigned number = i++;
    if (everyone || (next < 0 ? number == chosen_one : t == (unsigned)next)) all[t].state = SIGNALLED;
  }
  progress++;
  return 0;
}
int __wrap_pthread_cond_signal(pthread_cond_t *c) { gate(READY); return wake(c, 0); }
int __wrap_pthread_cond_broadcast(pthread_cond_t *c) { gate(READY); return wake(c, 1); }
int __wrap_pthread_join(pthread_t thread, void **value) {
  gate(READY);
  for (unsigned t = 1; t < known; t++) {
    if (all[t].id && pthread_equal(all[t].id, thread)) while (all[t].state != ENDED) wait_for(0);
  }
  return __real_pthread_join(thread, value);
}
int __wrap_sem_wait(sem_t *s) {
  gate(READY);
  while (__real_sem_trywait(s) != 0) {
    if (errno != EAGAIN) return -1;
    wait_for(0);
  }
  return 0;
}
int __wrap_sem_trywait(sem_t *s) {
  gate(READY);
  return __real_sem_trywait(s);
}
int __real_sem_post(sem_t *);
int __wrap_sem_post(sem_t *s) {
  gate(READY);
  int result = __real_sem_post(s);
  progress++;
  return result;
}
#define POLLED(call, try, type) \
  int __real_##try(type *); \
  int __wrap_##call(type *object) { \
    gate(READY); \
    int result; \
    while ((result = __real_##try(object)) == EBUSY) wait_for(0); \
    return result; \
  }
POLLED(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
POLLED(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)
static int spin_try(pthread_spinlock_t *s) { return pthread_spin_trylock(s); }
int __wrap_pthread_spin_lock(pthread_spinlock_t *s) {
  gate(READY);
  int result;
  while ((result = spin_try(s)) == EBUSY) wait_for(0);
  return result;
}
/* Barriers are emulated: a real one would block the only thread that may run. */
static struct barrier { const void *at; unsigned count, arrived; unsigned long round; } barriers[256];
static unsigned barrier_count;
int __real_pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int __wrap_pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attributes, unsigned count) {
  int result = __real_pthread_barrier_init(b, attributes, count);
  if (result) return result;
  unsigned i = 0;
  while (i < barrier_count && barriers[i].at != b) i++;
  if (i == sizeof barriers / sizeof *barriers) give_up("endless", followed);
  if (i == barrier_count) barrier_count++;
  barriers[i] = (struct barrier){b, count, 0, 0};
  return 0;
}
int __wrap_pthread_barrier_wait(pthread_barrier_t *b) {
  gate(READY);
  struct barrier *known_one = barriers;
  while (known_one < barriers + barrier_count && known_one->at != b) known_one++;
  if (known_one == barriers + barrier_count) return EINVAL;
  unsigned long round = known_one->round;
  if (++known_one->arrived == known_one->count) {
    known_one->arrived = 0;
    known_one->round++;
    progress++;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (known_one->round == round) wait_for(0);
  return 0;
}

/* pthread_once is emulated: the real one would block the only thread that may run while another runs the routine. */
static struct first_call { const void *at; int done; } first_calls[256];
static unsigned first_call_count;
int __wrap_pthread_once(pthread_once_t *once, void (*routine)(void)) {
  gate(READY);
  unsigned i = 0;
  while (i < first_call_count && first_calls[i].at != once) i++;
  if (i < first_call_count) {
    while (!first_calls[i].done) wait_for(0);
    return 0;
  }
  if (i == sizeof first_calls / sizeof *first_calls) give_up("endless", followed);
  first_calls[first_call_count++].at = once;
  routine();
  first_calls[i].done = 1;
  progress++;
  return 0;
}

/* The model checkers' atomic sections, unless the program defines these functions. */
#define SECTION(name) \
  __attribute__((weak)) void name##_begin(void) { gate(AT_BLOCK); in_section++; } \
  __attribute__((weak)) void name##_end(void) { in_section--; }
SECTION(__VERIFIER_atomic)
SECTION(__CPROVER_atomic)
SECTION(__ESBMC_atomic)

void __real_pthread_exit(void *) __attribute__((noreturn));
void __wrap_pthread_exit(void *value) {
  if (self == 0) thread_ends(0); /* the cleanup handler of begin_thread does so for other threads */
  __real_pthread_exit(value);
}
/* Time does not pass: a thread that sleeps may go on at once, or later. */
unsigned __wrap_sleep(unsigned seconds) { (void)seconds; gate(READY); return 0; }
int __wrap_usleep(unsigned microseconds) { (void)microseconds; gate(READY); return 0; }
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) { (void)time; (void)left; gate(READY); return 0; }
int __wrap_sched_yield(void) { gate(READY); return 0; }

/* The functions that the compiler calls at memory accesses. An access near the thread's own frame is no place to switch. */
static inline __attribute__((always_inline)) void access_to(const void *address) {
  intptr_t distance = (const char *)__builtin_frame_address(0) - (const char *)address;
  if (distance > -262144 && distance < 262144) return;
  gate(READY);
}
/* The compiler calls this at each block of code if the run is infinite: a thread may go round a loop of its own for ever, such
 * as `while (1) n++;` or a wait for an object on its own stack. After OWN_LOOP blocks without an access, each block is a place to
 * switch. A block before which the recorded turn ends is one, too. */
void __sanitizer_cov_trace_pc(void) {
  if (depth || over || known == 1 || joined_in || in_section) return;
  int own_loop = ++blocks > OWN_LOOP;
  if (!ends_turn(__builtin_return_address(0)) && !own_loop) return;
  gate(READY);
  if (own_loop) blocks = OWN_LOOP;
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {
  (void)caller;
  enters(__builtin_return_address(0));
}
void __tsan_func_exit(void) { leaves(); }
void __tsan_vptr_update(void **object, void *value) { (void)object; (void)value; }
void __tsan_read_range(void *address, unsigned long size) { (void)size; access_to(address); }
void __tsan_write_range(void *address, unsigned long size) { (void)size; access_to(address); }
#define ACCESS(name) void name(void *address) { access_to(address); }
#define ACCESSES(size) \
  ACCESS(__tsan_read##size) ACCESS(__tsan_write##size) ACCESS(__tsan_unaligned_read##size) ACCESS(__tsan_unaligned_write##size) \
  ACCESS(__tsan_volatile_read##size) ACCESS(__tsan_volatile_write##size) \
  ACCESS(__tsan_unaligned_volatile_read##size) ACCESS(__tsan_unaligned_volatile_write##size)
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)
#define ORDER __ATOMIC_SEQ_CST
#define ATOMIC(bits, type) \
  type __tsan_atomic##bits##_load(const volatile type *a, int order) { (void)order; access_to((const void *)a); return __atomic_load_n(a, ORDER); } \
  void __tsan_atomic##bits##_store(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); __atomic_store_n(a, v, ORDER); } \
  type __tsan_atomic##bits##_exchange(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_exchange_n(a, v, ORDER); } \
  type __tsan_atomic##bits##_fetch_add(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_fetch_add(a, v, ORDER); } \
  type __tsan_atomic##bits##_fetch_sub(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_fetch_sub(a, v, ORDER); } \
  type __tsan_atomic##bits##_fetch_and(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_fetch_and(a, v, ORDER); } \
  type __tsan_atomic##bits##_fetch_or(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_fetch_or(a, v, ORDER); } \
  type __tsan_atomic##bits##_fetch_xor(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_fetch_xor(a, v, ORDER); } \
  type __tsan_atomic##bits##_fetch_nand(volatile type *a, type v, int order) { (void)order; access_to((const void *)a); return __atomic_fetch_nand(a, v, ORDER); } \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *e, type v, int order, int other) { (void)order; (void)other; access_to((const void *)a); return __atomic_compare_exchange_n(a, e, v, 0, ORDER, ORDER); } \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *e, type v, int order, int other) { (void)order; (void)other; access_to((const void *)a); return __atomic_compare_exchange_n(a, e, v, 0, ORDER, ORDER); } \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type e, type v, int order, int other) { (void)order; (void)other; access_to((const void *)a); __atomic_compare_exchange_n(a, &e, v, 0, ORDER, ORDER); return e; }
ATOMIC(8, unsigned char) ATOMIC(16, unsigned short) ATOMIC(32, unsigned) ATOMIC(64, unsigned long)
void __tsan_atomic_thread_fence(int order) { (void)order; gate(READY); }
void __tsan_atomic_signal_fence(int order) { (void)order; }
