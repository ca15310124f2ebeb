/* Takes runs of a woven program with inputs chosen at random, and writes down those whose beginning violates a formula: the program
 * tells so itself (`ba_x_tells_violation`). A run that was found is sought again with fewer steps for as long again as that took.
 *
 * Arguments: the most steps of all runs, the number of formulas. The lines are those of a search that ends early. */
#include "written.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most steps of one run, and of the shortest kind; and the least number for which a shorter one is sought. */
#define BA_X_LONG 1600
#define BA_X_SHORT 100
#define BA_X_FEW 20000
/* A run that ends at a step goes on by another one if there is one among so many tries. */
#define BA_X_TRIES 16
/* As many heads that a step passes take as long as another step. */
#define BA_X_PASSED 64

struct taken {
  struct ba_x_action *actions;
  size_t count, room;
  unsigned letter;
  int site, is_end;
};

static struct taken run[BA_X_LONG], best[BA_X_LONG];
static size_t best_length, nodes;
static int best_formula;
static unsigned long long runs;
/* Whether the last run chose anything: if not, every run is the same. */
static int chose;

static void *resized(void *old, size_t size) {
  void *p = realloc(old, size + 1);
  if (!p) ba_x_give_up("memory");
  return p;
}

static void copy(struct taken *to, const struct ba_x_action *actions, size_t count) {
  if (count > to->room) to->actions = resized(to->actions, (to->room = 2 * count) * sizeof *actions);
  memcpy(to->actions, actions, count * sizeof *actions);
  to->count = count;
}

static void keep(size_t length) {
  best_length = length;
  for (size_t i = 0; i < length; i++) {
    copy(&best[i], run[i].actions, run[i].count);
    best[i].letter = run[i].letter;
    best[i].site = run[i].site;
    best[i].is_end = run[i].is_end;
  }
}

static void tell(void) {
  unsigned from = 0;
  for (size_t i = 0; i < best_length; i++) {
    unsigned to = (unsigned)++nodes;
    ba_x_tell_state(best[i].is_end ? 'e' : 'h', best[i].letter, best[i].site);
    ba_x_tell_step(from, to, best[i].actions, best[i].count);
    from = to;
  }
}

/* Takes one run; the number of its steps if it violates a formula that is not settled, or the one that is sought, else 0. */
static size_t violating(size_t most, unsigned long long *taken) {
  struct ba_x_memory *memory = ba_x_initial();
  struct ba_x_step step = { 0 };
  size_t found = 0, size;
  unsigned tries = 0;
  chose = 0;
  for (size_t n = 0; n < most; n++) {
    ba_x_first(memory, &step);
    *taken += 1 + ba_x_heads() / BA_X_PASSED;
    chose |= ba_x_chose();
    if (step.end == BA_X_WRONG) ba_x_give_up("internal");
    int goes_on = step.end == BA_X_HEAD;
    if (step.end == BA_X_DISCARDED) {
      if (++tries > BA_X_TRIES) break;
      n--;
      continue;
    }
    copy(&run[n], step.actions, step.count);
    run[n].letter = step.letter;
    run[n].is_end = step.end == BA_X_END;
    run[n].site = ba_x_site_of(&step);
    if (goes_on) {
      free(memory);
      memory = ba_x_remember(&size);
    }
    int formula = ba_x_violates();
    if (formula && (!best_length || formula == best_formula)) {
      best_formula = formula;
      found = n + 1;
      break;
    }
    if (goes_on) {
      tries = 0;
    } else {
      if (++tries > BA_X_TRIES) break;
      n--;
    }
  }
  free(memory);
  return found;
}

int main(int argc, char **argv) {
  unsigned long long most = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000, taken = 0;
  unsigned left = argc > 2 ? (unsigned)strtoul(argv[2], 0, 10) : 1;
  ba_x_open();
  ba_x_random = 0x9e3779b97f4a7c15u;
  ba_x_tell_state('h', 0, -1);
  unsigned long long begun = 0, until = most;
  while (taken < most && left) {
    /* Every other run has few values of each input, so that some come again and again. */
    ba_x_few = runs % 2 ? runs * 0x2545f4914f6cdd1du | 1 : 0;
    size_t steps = (size_t)BA_X_SHORT << runs / 2 % 5;
    if (best_length && steps >= best_length) steps = best_length - 1;
    runs++;
    size_t length = violating(steps, &taken);
    if (length) {
      keep(length);
      unsigned long long more = taken - begun > BA_X_FEW ? taken - begun : BA_X_FEW;
      until = taken + more < most ? taken + more : most;
    }
    if (best_length && (taken >= until || best_length == 1)) {
      tell();
      ba_x_settle(best_formula);
      left--;
      best_length = 0;
      begun = taken;
      until = most;
    }
    if (!chose && steps == BA_X_LONG && !length) break;
  }
  if (best_length) tell();
  ba_x_give_up("inputs");
}
