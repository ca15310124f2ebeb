/* Takes the steps of one run of a woven program, and goes round its loop until a state comes back.
 *
 * A second argument has the places where bytes are chosen. The file that the first one names has a line for each step, with its actions as kind:site:value, where the value of a letter is its
 * valuation, and the line `loop` in front of the first step of the loop. The answer is a line: `W end` where a run without a loop was taken,
 * `W from to` where the states after these numbers of rounds are equal, `W many` where no state came back in some rounds, and
 * `W none step` where the program does not take a step. In front of it, a line `C` for each step has in their order `l` for a letter, `t` and
 * the value of the clock at the last letter, and `n:number:object` for what threads report. */
#include "written.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most rounds, and the most steps of them. */
#define BA_X_ROUNDS 200
#define BA_X_STEPS 1000
#define BA_X_LINE 65536

static char **lines;
static size_t line_count, loop = (size_t)-1;
static struct ba_x_memory *memory;
static struct ba_x_step step;

/* Whether an action is none of the search. */
static int is_beside(const struct ba_x_action *a) { return a->kind == 't' || a->kind == 'n'; }

/* Whether a step has the actions of a line. */
static int is_step(const char *line) {
  char text[BA_X_LINE] = ""; /* of a step without actions */
  size_t used = 0;
  for (size_t i = 0; i < step.count && used < sizeof text; i++) {
    const struct ba_x_action *a = &step.actions[i];
    if (is_beside(a)) continue;
    int n = a->kind == 'l' ? snprintf(text + used, sizeof text - used, " l:%ld:%s", a->site, ba_x_valuation((unsigned)a->value))
                           : snprintf(text + used, sizeof text - used, " %c:%ld:%lld", a->kind, a->site, a->value);
    used += (size_t)n;
  }
  return used < sizeof text && strcmp(text, line) == 0;
}

/* Tells the clock at each letter of the step, and the reports between them. */
static void tell(void) {
  printf("C");
  for (size_t i = 0; i < step.count; i++) {
    const struct ba_x_action *a = &step.actions[i];
    if (a->kind == 'l') printf(" l");
    if (a->kind == 't') printf(" t%llu", (unsigned long long)a->value);
    if (a->kind == 'n') printf(" n:%ld:%llu", a->site, (unsigned long long)a->value);
  }
  printf("\n");
}

static _Noreturn void answer(const char *text) {
  printf("W %s\n", text);
  fflush(stdout);
  _exit(0);
}

/* Takes the step of a line. */
static void take(size_t number) {
  int found = 0;
  if (!memory) answer("none");
  ba_x_first(memory, &step);
  do found = step.end != BA_X_DISCARDED && step.end != BA_X_WRONG && is_step(lines[number]);
  while (!found && ba_x_next(memory, &step));
  if (!found) {
    char text[64];
    snprintf(text, sizeof text, "none %zu", number);
    answer(text);
  }
  tell();
  size_t size;
  free(memory);
  memory = step.end == BA_X_HEAD ? ba_x_remember(&size) : 0;
}

static void read_lines(const char *name) {
  static char line[BA_X_LINE];
  FILE *file = fopen(name, "r");
  if (!file) ba_x_give_up("internal");
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "loop") == 0) {
      loop = line_count;
      continue;
    }
    lines = realloc(lines, (line_count + 1) * sizeof *lines);
    if (!lines || !(lines[line_count++] = strdup(line))) ba_x_give_up("memory");
  }
  fclose(file);
}

int main(int argc, char **argv) {
  unsigned after[BA_X_ROUNDS];
  if (argc < 2) return 2;
  read_lines(argv[1]);
  ba_x_open();
  ba_x_passing = 1;
  ba_x_walks = 1;
  if (argc > 2) ba_x_choose_places(argv[2]);
  memory = ba_x_initial();
  size_t stem = loop < line_count ? loop : line_count;
  for (size_t n = 0; n < stem; n++) take(n);
  if (stem == line_count) answer("end");
  for (unsigned round = 0; round < BA_X_ROUNDS && round * (line_count - loop) < BA_X_STEPS; round++) {
    int known;
    if (!memory) answer("none");
    after[round] = ba_x_number(step.key, step.key_size, &known);
    for (unsigned other = 0; known && other < round; other++) {
      char text[64];
      if (after[other] != after[round]) continue;
      snprintf(text, sizeof text, "%u %u", other, round);
      answer(text);
    }
    for (size_t n = loop; n < line_count; n++) take(n);
  }
  answer("many");
}
