/* The runtime of a monitored program that is executed natively (`verify --backend native`).
 *
 * It is compiled beside the program and linked with it. The program calls it around every atomic block; the runtime records
 * each letter, numbers the threads in the order in which they are started, chooses the inputs that nobody supplies, and takes
 * the verdict of the word when the process ends or is asked to end. The record goes to standard output; the program's own
 * standard output goes to standard error.
 *
 * Lines of the record: `V names` of the propositions' variables, `M names` of the monitors' states; `L thread site values
 * state:level…` a letter (site `-` is the start; level is the bit of BA_CHECK, 8 for true); `I thread name value` an input;
 * `R text` an assertion that the run violates, at its end those of the verdict; `X` the specification discards the run; `P` the
 * process was asked to end; `E` the end of the record.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef BA_NATIVE_NAME
#define BA_NATIVE_NAME(name) ba_native_##name
#endif

/* The program's functions that sample a letter and take the verdict. */
static void (*take_letter)(void);
static void (*take_verdict)(void);

static char lock_word;
static __thread unsigned depth;   /* of this thread's atomic blocks; only the verdict is taken within another block */
static __thread unsigned self;    /* number of the thread; main is 0 */
static unsigned threads;          /* started so far */
static volatile sig_atomic_t asked_to_end;
static int started, finished, over;
static long site;                 /* of the event in the current block, -1 if there is none */

/* If replay.c follows in this file, its scheduler runs one thread at a time. */
#ifdef BA_REPLAY
static unsigned attempt; /* number of the scheduling strategy, from the seed */
static unsigned long long random_number(void);
static int replay_letter(unsigned thread, long at, const char *values);
static void replay_event(unsigned thread, long at);
static void replay_end(void);
static void gate_at(int state, const void *after);
/* A place at which the scheduler may switch threads; its address is that of the call. */
#define gate(state) gate_at(state, __builtin_return_address(0))
static unsigned attempt_of(unsigned number);
static void thread_is_known(unsigned number);
static void thread_has_id(unsigned number, pthread_t id);
static void thread_never_begins(unsigned number);
static void thread_begins(void);
static void thread_ends(void *unused);
#define AT_A_BLOCK 1
static char values[4096];
static unsigned valued;
#endif

static int record = -1;
static char buffer[1 << 16];
static size_t used;

static void flush(void) {
  size_t done = 0;
  while (done < used) {
    long n = syscall(SYS_write, record, buffer + done, used - done);
    if (n <= 0) break;
    done += (size_t)n;
  }
  used = 0;
}

static void put(const char *text) {
  size_t length = strlen(text);
  if (used + length > sizeof buffer) flush();
  if (length > sizeof buffer) return; /* no name is that long */
  memcpy(buffer + used, text, length);
  used += length;
}

static void put_number(const char *format, unsigned long long number) {
  char text[48];
  snprintf(text, sizeof text, format, number);
  put(text);
}

static void lock(void) {
  while (__atomic_test_and_set(&lock_word, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock(void) { __atomic_clear(&lock_word, __ATOMIC_RELEASE); }

static void letter(long at) {
  if (!take_letter) return;
#ifdef BA_REPLAY
  if (used > sizeof buffer / 2) flush();
  size_t before = used;
#endif
  put_number("L %llu ", self);
  if (at < 0) put("-");
  else put_number("%llu", (unsigned long long)at);
  put(" ");
#ifdef BA_REPLAY
  valued = 0;
#endif
  take_letter();
  put("\n");
#ifdef BA_REPLAY
  values[valued] = 0;
  if (!replay_letter(self, at, values)) used = before; /* the property's word has no such letter */
#endif
}

/* Letter 0 is the valuation before the first event. */
static void start(void) {
  if (started) return;
  started = 1;
  letter(-1);
}

/* Ends the record. The caller holds the lock or is the only thread that runs. */
static void close_record(void) {
  if (over) return;
  over = 1;
  put("E\n");
  flush();
}

/* Takes the verdict of the word up to here. The caller holds the lock. */
static void finish(void) {
  depth++;
  start();
  if (!finished && take_verdict) take_verdict();
  depth--;
  finished = 1;
}

static void end_as_asked(void) {
  if (!finished) {
    put("P\n");
    finish();
  }
  close_record();
  _exit(0);
}

void BA_NATIVE_NAME(begin)(void) {
#ifdef BA_REPLAY
  gate(AT_A_BLOCK);
#endif
  if (depth++) return;
  lock();
  site = -1;
  start();
}

void BA_NATIVE_NAME(end)(void) {
  if (depth > 1) {
    depth--;
    return;
  }
#ifdef BA_REPLAY
  if (site >= 0 && !finished) replay_event(self, site);
#endif
  if (site >= 0 && !finished) letter(site);
  if (asked_to_end) end_as_asked();
  unlock();
  depth = 0;
}

/* Leaves the block: a signal handler jumps out of it. */
void BA_NATIVE_NAME(give_up)(void) {
  if (depth == 0) return;
  depth = 0;
  unlock();
}

void BA_NATIVE_NAME(at)(unsigned at) { site = at; }

void BA_NATIVE_NAME(value)(unsigned value) {
  put(value ? "1" : "0");
#ifdef BA_REPLAY
  if (valued + 1 < sizeof values) values[valued++] = value ? '1' : '0';
#endif
}

void BA_NATIVE_NAME(state)(unsigned state, unsigned level) {
  put_number(" %llu", state);
  put_number(":%llu", level);
}

void BA_NATIVE_NAME(reached)(const char *text) {
  if (depth++ == 0) lock();
  if (!finished) {
    put("R ");
    put(text);
    put("\n");
    if (strcmp(text, "baproduct:end") == 0) finished = 1;
  }
  if (depth == 1) unlock();
  depth--;
}

/* The specification discards this run. */
void BA_NATIVE_NAME(discarded)(void) {
  if (finished) return;
  if (depth++ == 0) lock();
  finished = 1;
  put("X\n");
  close_record();
  _exit(0);
}

static void names(const char *kind, const char *const *list) {
  put(kind);
  for (; *list; list++) {
    put(" ");
    put(*list);
  }
  put("\n");
}

/* The program has ended. */
void BA_NATIVE_NAME(over)(void) {
  if (over) return;
  lock();
  if (!over) {
    finish();
#ifdef BA_REPLAY
    replay_end();
#endif
    close_record();
  }
  unlock();
}

/* The process ends. The program's own destructors have greater priorities and so have run before. */
__attribute__((destructor(101))) static void at_exit(void) {
  if (take_verdict) BA_NATIVE_NAME(over)();
}

static void on_end_signal(int number) {
  (void)number;
  asked_to_end = 1;
  /* A thread that is in an atomic block ends the process at the end of the block. */
  if (depth == 0 && !__atomic_test_and_set(&lock_word, __ATOMIC_ACQUIRE)) end_as_asked();
}

/* The run of a child process is not recorded. */
static void in_child(void) {
  struct sigaction old;
  if (sigaction(SIGTERM, 0, &old) == 0 && old.sa_handler == on_end_signal) signal(SIGTERM, SIG_DFL);
  used = 0;
  record = -1;
  finished = over = 1;
}

/* A crash: writes the record up to here and ends the process by the same signal. */
static void on_crash(int number) {
  flush();
  signal(number, SIG_DFL);
  raise(number);
}

void BA_NATIVE_NAME(program)(void (*letter_of)(void), void (*verdict_of)(void), const char *const *variables, const char *const *states) {
  static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
  take_letter = letter_of;
  take_verdict = verdict_of;
  record = fcntl(1, F_DUPFD_CLOEXEC, 100);
  dup2(2, 1);
  names("V", variables);
  names("M", states);
  for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], on_crash);
  signal(SIGTERM, on_end_signal);
  at_quick_exit(at_exit);
  pthread_atfork(0, 0, in_child);
#ifdef BA_REPLAY
  random_number(); /* reads the seed */
#endif
}

#ifndef BA_REPLAY
/* Follows the first of several activations. */
int BA_NATIVE_NAME(follows)(unsigned asked) { return asked == 0; }
#endif

/* A thread that is being started. */
struct beginning {
  void *(*routine)(void *);
  void *argument;
  unsigned number;
};

static void *begin_thread(void *data) {
  struct beginning beginning = *(struct beginning *)data;
  free(data);
  self = beginning.number;
#ifdef BA_REPLAY
  void *result;
  thread_begins();
  pthread_cleanup_push(thread_ends, 0);
  result = beginning.routine(beginning.argument);
  pthread_cleanup_pop(1);
  return result;
#else
  return beginning.routine(beginning.argument);
#endif
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  struct beginning *beginning = malloc(sizeof *beginning);
  if (!beginning) return 11 /* EAGAIN */;
  beginning->routine = routine;
  beginning->argument = argument;
  lock();
  unsigned number = ++threads;
  beginning->number = number;
#ifdef BA_REPLAY
  thread_is_known(number);
#endif
  unlock();
  int result = __real_pthread_create(thread, attributes, begin_thread, beginning);
  if (result) free(beginning);
#ifdef BA_REPLAY
  if (result) thread_never_begins(number);
  else thread_has_id(number, *thread);
  gate(0);
#endif
  return result;
}

/* The result of a function that the program calls and nobody defines, or that a replay replaces. Results that are not given
 * are chosen from a seed (`BA_NATIVE_SEED`). */
struct given { const char *name; long long value; };
extern const struct given BA_NATIVE_NAME(given)[];
extern const unsigned BA_NATIVE_NAME(gives);

static unsigned long long random_number(void) {
  static unsigned long long generator;
  if (!generator) {
    const char *seed = getenv("BA_NATIVE_SEED");
    unsigned long long number = seed ? strtoull(seed, 0, 10) : 1;
#ifdef BA_REPLAY
    attempt = attempt_of((unsigned)number);
#endif
    generator = number * 2862933555777941757ull + 3037000493ull;
  }
  /* xorshift64*, Vigna 2016 */
  generator ^= generator >> 12;
  generator ^= generator << 25;
  generator ^= generator >> 27;
  return generator * 2685821657736338717ull >> 32;
}

/* Prefers small numbers, because programs branch on them. */
static unsigned long long chosen(void) {
  unsigned long long number = random_number();
  switch (number & 3) {
    case 0: return number >> 2 & 1;
    case 1: return number >> 2 & 15;
    case 2: return number >> 2 & 255;
    default: return number >> 2;
  }
}

/* Finds the first result of this function that was not given yet. */
static int given(const char *name, unsigned long long *value) {
  static unsigned char used_up[65536];
  for (unsigned i = 0; i < BA_NATIVE_NAME(gives) && i < sizeof used_up; i++) {
    const struct given *input = &BA_NATIVE_NAME(given)[i];
    if (used_up[i] || strcmp(input->name, name) != 0) continue;
    used_up[i] = 1;
    *value = (unsigned long long)input->value;
    return 1;
  }
  return 0;
}

unsigned long long BA_NATIVE_NAME(input)(const char *name) {
  unsigned long long value;
  if (depth++ == 0) lock();
  if (!given(name, &value)) value = chosen();
  put_number("I %llu ", self);
  put(name);
  put_number(" %llu\n", value);
  if (depth == 1) unlock();
  depth--;
  return value;
}
