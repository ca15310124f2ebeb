/* Visits all states of a woven program, breadth first, and writes them down.
 *
 * Lines: `L number valuation`; `N number kind letter site` a state (kind h at the head of the site, or e for an ended run);
 * `O number line file` a place where a signed integer overflows; `E from to action…` a step, its actions as kind:site:value; `Z states edges discarded depth bytes` ends a complete search,
 * `T why` an incomplete one; `M` alone: the stepper ran out of memory. Arguments: the most states, the most MiB. */
#include "stepper.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct waiting {
  struct ba_x_memory *memory;
  unsigned number;
  size_t size;
};

static struct waiting *queue;
static size_t first, last, room;
static unsigned told;
static unsigned long long edges, discarded, levels;

static void give_up(const char *why) {
  printf("T %s\n", why);
  fflush(stdout);
  _exit(0);
}

void ba_x_crashed(int number) {
  char text[64];
  int n = snprintf(text, sizeof text, "\nT crash %d\n", number);
  fflush(stdout);
  (void)!write(1, text, (size_t)n);
  _exit(0);
}

void ba_x_undefined(void) { give_up("undefined"); }

static void enqueue(struct waiting w) {
  if (last == room) {
    if (first > room / 2) {
      memmove(queue, queue + first, (last - first) * sizeof *queue);
      last -= first;
      first = 0;
    } else {
      queue = realloc(queue, (room = 2 * room + 1024) * sizeof *queue);
      if (!queue) give_up("memory");
    }
  }
  queue[last++] = w;
}

/* The steps of the current state that are already written, so that equal steps are written once. */
static unsigned char *seen;
static size_t seen_used, seen_room;

static int is_new(unsigned to, const struct ba_x_step *step) {
  size_t size = sizeof(unsigned) * 3, n = 0;
  unsigned overflows = 0;
  for (size_t i = 0; i < step->count; i++) {
    n += step->actions[i].kind == 'l';
    overflows |= step->actions[i].kind == 'o';
  }
  size += n * sizeof(unsigned);
  if (seen_used + size > seen_room) {
    seen = realloc(seen, seen_room = 2 * (seen_used + size) + 4096);
    if (!seen) give_up("memory");
  }
  unsigned *mine = (unsigned *)(void *)(seen + seen_used);
  mine[0] = (unsigned)size;
  mine[1] = to;
  mine[2] = overflows;
  n = 3;
  for (size_t i = 0; i < step->count; i++)
    if (step->actions[i].kind == 'l') mine[n++] = (unsigned)step->actions[i].value;
  for (size_t at = 0; at < seen_used;) {
    unsigned other = *(unsigned *)(void *)(seen + at);
    if (other == size && memcmp(seen + at, mine, size) == 0) return 0;
    at += other;
  }
  seen_used += size;
  return 1;
}

static void tell_valuations(void) {
  static unsigned places;
  for (; told < ba_x_valuations(); told++) printf("L %u %s\n", told, ba_x_valuation(told));
  for (; places < ba_x_places(); places++) {
    unsigned line;
    const char *file = ba_x_place(places, &line);
    printf("O %u %u %s\n", places, line, file);
  }
}

/* A key begins with the site of its head. */
static int site_of(const struct ba_x_step *step) {
  int site;
  memcpy(&site, step->key, sizeof site);
  return site;
}

int main(int argc, char **argv) {
  size_t most_states = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000;
  size_t most_bytes = argc > 2 ? strtoull(argv[2], 0, 10) << 20 : (size_t)2 << 30;
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  ba_x_open();
  int known;
  struct ba_x_step step = { 0 };
  unsigned root = ba_x_number((const unsigned char *)"start", 5, &known);
  printf("N %u h 0 -1\n", root);
  enqueue((struct waiting){ ba_x_initial(), root, 0 });
  size_t level_ends = last, passed = 0;
  while (first < last) {
    struct waiting w = queue[first++];
    seen_used = 0;
    ba_x_first(w.memory, &step);
    do {
      if (step.end == BA_X_WRONG) give_up("internal");
      if (step.end == BA_X_DISCARDED) {
        discarded++;
        continue;
      }
      unsigned to = ba_x_number(step.key, step.key_size, &known);
      if (!known) {
        tell_valuations();
        printf("N %u %c %u %d\n", to, step.end == BA_X_END ? 'e' : 'h', step.letter, site_of(&step));
        if (step.end == BA_X_HEAD) {
          size_t size;
          struct ba_x_memory *memory = ba_x_remember(&size);
          ba_x_bytes += size;
          enqueue((struct waiting){ memory, to, size });
        }
      }
      if (is_new(to, &step)) {
        tell_valuations();
        edges++;
        printf("E %u %u", w.number, to);
        for (size_t i = 0; i < step.count; i++) printf(" %c:%ld:%lld", step.actions[i].kind, step.actions[i].site, step.actions[i].value);
        putchar('\n');
      }
      if (ba_x_states() > most_states) give_up("states");
      if (ba_x_bytes > most_bytes) give_up("memory");
    } while (ba_x_next(w.memory, &step));
    free(w.memory);
    ba_x_bytes -= w.size;
    if (++passed == level_ends) {
      levels++;
      level_ends = passed + (last - first);
    }
  }
  printf("Z %zu %llu %llu %llu %zu\n", ba_x_states(), edges, discarded, levels, ba_x_bytes);
  fflush(stdout);
  _exit(0);
}
