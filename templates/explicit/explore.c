/* Visits all states of a woven program, breadth first, and writes them down. Arguments: the most states, the most MiB, the
 * ways in which elements of arrays are buried, the places where bytes are chosen, how states
 * are identified by ages. */
#include "written.h"
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
static unsigned long long edges, discarded, levels;

static void enqueue(struct waiting w) {
  if (last == room) {
    if (first > room / 2) {
      memmove(queue, queue + first, (last - first) * sizeof *queue);
      last -= first;
      first = 0;
    } else {
      queue = realloc(queue, (room = 2 * room + 1024) * sizeof *queue);
      if (!queue) ba_x_give_up("memory");
    }
  }
  queue[last++] = w;
}

int main(int argc, char **argv) {
  size_t most_states = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000;
  size_t most_bytes = argc > 2 ? strtoull(argv[2], 0, 10) << 20 : (size_t)2 << 30;
  ba_x_open();
  if (argc > 3) ba_x_choose_ways(argv[3]);
  if (argc > 4) ba_x_choose_places(argv[4]);
  if (argc > 5) ba_x_choose_ages(argv[5]);
  ba_x_passing = 1;
  int known;
  struct ba_x_step step = { 0 };
  unsigned root = ba_x_number((const unsigned char *)"start", 5, &known);
  ba_x_tell_state('h', 0, -1);
  enqueue((struct waiting){ ba_x_initial(), root, 0 });
  size_t level_ends = last, passed = 0;
  while (first < last) {
    struct waiting w = queue[first++];
    if (first < last) __builtin_prefetch(queue[first].memory);
    ba_x_tell_steps();
    ba_x_first(w.memory, &step);
    do {
      if (step.end == BA_X_WRONG) ba_x_give_up("internal");
      if (step.end == BA_X_DISCARDED) {
        discarded++;
        continue;
      }
      ba_x_letters_of(step.actions, step.count);
      unsigned to = ba_x_number_of(&step, &known);
      if (!known) {
        ba_x_tell_state(step.end == BA_X_END ? 'e' : 'h', step.letter, ba_x_site_of(&step));
        if (step.end == BA_X_HEAD) {
          size_t size;
          struct ba_x_memory *memory = ba_x_remember(&size);
          ba_x_bytes += size;
          enqueue((struct waiting){ memory, to, size });
        }
      }
      if (ba_x_is_new(to)) {
        edges++;
        ba_x_tell_step(w.number, to, step.actions, step.count);
      }
      if (ba_x_states() > most_states) ba_x_give_up("states");
      if (ba_x_bytes > most_bytes) ba_x_give_up("memory");
    } while (ba_x_next(w.memory, &step));
    free(w.memory);
    ba_x_bytes -= w.size;
    if (++passed == level_ends) {
      levels++;
      level_ends = passed + (last - first);
    }
  }
  /* What is violated without these steps is violated; nothing else is known. */
  if (ba_x_passed) ba_x_tell_line("T crash 4\n");
  ba_x_tell_line("Z %zu %llu %llu %llu %zu\n", ba_x_states(), edges, discarded - ba_x_passed, levels, ba_x_bytes);
  ba_x_tell_all();
  _exit(0);
}
