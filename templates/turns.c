/* The part of the runtime that schedules threads in the turns of the recorded run; the driver appends it to replay.c.
 *
 * A turn is a thread, the line at which the thread stopped (0 if it ended) and the number of its events before. The turn ends
 * when the thread has had these events and comes to an access, a block or a call of that line, when it waits, and when it ends.
 * The recorded run does not say which access of the line it was, but how many positions of the line (`passes`) the thread has
 * before at most: the first attempt takes the first access, later ones choose another from the seed. Only the letters decide whether the run is the recorded one.
 *
 * The file that BA_NATIVE_LINES names has the lines, `ADDRESS LINE` in the order of addresses.
 */
struct turn { unsigned thread, line, events; int cut /* at a bound, no line */, repeats /* is in the infinite run's loop */; unsigned passes; };
extern const struct turn BA_NATIVE_NAME(turn)[];
extern const unsigned BA_NATIVE_NAME(turns);

static struct line { unsigned long address; unsigned line; } *lines;
static size_t line_count;
static unsigned turn_at, in_turn, passed, went_round;
static int began; /* the thread of the turn was chosen to run in it */
static unsigned full_rounds, skipped; /* rounds of the loop in which each thread took its turns; turns of this round that nobody took */
static int forces; /* this attempt takes the recorded turns */
/* Where a thread was last, in the function that it executes, and in those that call it: the line, the block (replay.c), and the line
 * at which the function begins. */
static __thread struct was { unsigned line; const void *block; unsigned first; } was, in_callers[256];
static __thread unsigned calls;
static __thread int left;                    /* it has left a function; the block behind belongs to this function, too */
static __thread int came_over, left_line;    /* the block that begins lies behind the line at which the turn ends */

/* If turns are known, attempts with even seeds take them; the others leave the order between letters to replay.c. */
static unsigned attempt_of(unsigned number) {
  if (!BA_NATIVE_NAME(turns)) return number;
  forces = number % 2 == 0;
  return number / 2;
}

static void read_lines(void) {
  const char *name = getenv("BA_NATIVE_LINES");
  FILE *file = name ? fopen(name, "r") : 0;
  size_t room = 0;
  struct line next;
  while (file && fscanf(file, "%lx %u", &next.address, &next.line) == 2) {
    if (line_count == room) {
      room = room ? 2 * room : 1024;
      struct line *more = realloc(lines, room * sizeof *lines);
      if (!more) abort();
      lines = more;
    }
    lines[line_count++] = next;
  }
  if (file) fclose(file);
}

/* The line of a call, from the address to which it returns; 0 if it is not known. */
static unsigned line_of(const void *after) {
  unsigned long address = (unsigned long)after - 1;
  size_t low = 0, high = line_count; /* addresses before `low` are at most `address`, those from `high` on are greater */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lines[middle].address <= address) low = middle + 1;
    else high = middle;
  }
  return low ? lines[low - 1].line : 0;
}

static int takes_turns(void) {
  static int known_lines;
  if (!known_lines) {
    known_lines = 1;
    random_number(); /* reads the seed */
    if (forces) read_lines();
    forces = forces && line_count;
  }
  return forces && turn_at < BA_NATIVE_NAME(turns);
}

/* Goes to the next turn; behind the last one, an infinite run goes to the first turn of its loop. If the loop has no letters, the
 * run ends when it has gone round often enough. */
static void next_turn(void) {
  skipped += !began && BA_NATIVE_NAME(turn)[turn_at].repeats;
  in_turn = passed = began = 0;
  if (++turn_at < BA_NATIVE_NAME(turns) || !BA_NATIVE_NAME(rounds)) return;
  went_round++;
  for (turn_at = 0; turn_at < BA_NATIVE_NAME(turns) && !BA_NATIVE_NAME(turn)[turn_at].repeats; turn_at++);
  full_rounds += !skipped && turn_at < BA_NATIVE_NAME(turns);
  skipped = 0;
  if (!loop_letters() && full_rounds >= BA_NATIVE_NAME(rounds) && followed == BA_NATIVE_NAME(scheduled)) over_as_recorded();
}

/* Whether turns before the loop of an infinite run are left. Threads that stand still in the loop may still have to go on until
 * then, and a loop without letters does not show where it begins. */
static int before_loop(void) {
  return BA_NATIVE_NAME(rounds) && takes_turns() && !went_round && !BA_NATIVE_NAME(turn)[turn_at].repeats;
}

/* A pseudorandom number of this attempt and turn. */
static unsigned of_turn(void) {
  unsigned long long number = (attempt + 1) * 0x9e3779b97f4a7c15ull + turn_at * 0xc2b2ae3d27d4eb4full;
  number ^= number >> 29;
  return (unsigned)(number * 0xbf58476d1ce4e5b9ull >> 40);
}

/* The number of accesses of the line before the one at which the turn ends. */
static unsigned to_pass(void) {
  unsigned number = of_turn();
  if (attempt < 2) return 0;
  if (attempt % 4) {
    const struct turn *turn = &BA_NATIVE_NAME(turn)[turn_at];
    /* Before the infinite run's loop a thread may have gone round a loop of its own and come to the line again. */
    unsigned again = attempt % 4 == 1 ? 0 : attempt % 4 == 2 || turn->repeats ? 1 : 3;
    return number % (turn->passes + 1 + again);
  }
  if (number & 1) return 0; /* accesses that no other thread can observe are no positions */
  return number & 2 ? 1 : number >> 2 & 3;
}

/* Whether a thread has passed a line that has no access, such as the head of a loop. Where a line comes twice, `again` says whether
 * this is a loop. */
static int comes_over(unsigned at, unsigned from, unsigned to, int again) {
  if (attempt == 0 || (attempt > 1 && of_turn() >> 5 & 1)) return 0;
  if (at < was.first) return 0; /* a line of another function */
  return from < at ? to > at : (to < from || (to == from && again)) && to >= at;
}

/* Whether a thread that leaves the line at which the turn ends, and has passed too few accesses of it, stopped behind the last. Else
 * it goes round a loop, and comes to the line again. */
static int leaves_line(unsigned at, unsigned from, unsigned to) {
  return from == at && to != at && passed > 0 && !(attempt > 1 && of_turn() >> 6 & 1);
}

/* The running thread enters a function, whose lines are compared with one another alone. */
static void enters(const void *after) {
  if (!takes_turns()) return;
  in_callers[calls++ % 256] = was;
  unsigned line = line_of(after);
  was = (struct was){line, 0, line};
}

static void leaves(void) {
  if (calls) was = in_callers[--calls % 256];
  left = 1;
}

/* Whether the running thread ends its turn before this block of code: it comes over the line at which it stopped, such as the
 * head of an endless loop. */
static int ends_turn(const void *after) {
  int behind = left;
  left = 0;
  if (behind || !takes_turns()) return 0;
  const struct turn *turn = &BA_NATIVE_NAME(turn)[turn_at];
  unsigned from = was.line, line = line_of(after);
  int again = was.block == after;
  was = (struct was){line, after, was.first};
  if (turn->thread != self || in_turn < turn->events || turn->cut || !turn->line) return 0;
  left_line = leaves_line(turn->line, from, line);
  came_over = left_line || (line != turn->line && comes_over(turn->line, from, line, again));
  return came_over;
}

/* The running thread comes to a place at which others may go on. */
static void comes_to(const void *after) {
  if (!takes_turns()) return;
  const struct turn *turn = &BA_NATIVE_NAME(turn)[turn_at];
  unsigned from = was.line, line = line_of(after);
  int last = left_line || (turn->line && leaves_line(turn->line, from, line));
  int behind = came_over || last;
  was.line = line;
  left = came_over = left_line = 0;
  if (turn->thread != self || in_turn < turn->events) return;
  if (!turn->cut && (!turn->line || (line != turn->line && !behind && !comes_over(turn->line, from, line, !BA_NATIVE_NAME(rounds))))) return;
  if (!last && passed++ < to_pass()) return;
  next_turn();
}

/* The running thread has an event. */
static void event_in_turn(void) { in_turn++; }

/* The thread of the current turn; -1 when no recorded turn is left. */
static int in_order(void) {
  if (!takes_turns()) return -1;
  for (unsigned tried = 0; tried <= BA_NATIVE_NAME(turns) && turn_at < BA_NATIVE_NAME(turns); tried++) {
    unsigned thread = BA_NATIVE_NAME(turn)[turn_at].thread;
    if (thread < known && eligible(thread)) {
      began = 1;
      return (int)thread;
    }
    next_turn(); /* the thread has ended, or waits */
  }
  return -1;
}

/* The thread with the next turn among those that wait for a condition; -1 if not known. */
static int next_waiter(const void *condition) {
  if (!takes_turns() || attempt % 2) return -1;
  for (unsigned i = turn_at + 1; i < BA_NATIVE_NAME(turns); i++) {
    unsigned thread = BA_NATIVE_NAME(turn)[i].thread;
    if (thread < known && all[thread].state == WAITING && all[thread].condition == condition) return (int)thread;
  }
  return -1;
}

/* Records the number of turns taken. */
static void note_turns(void) {
  if (forces) note("turns", turn_at < BA_NATIVE_NAME(turns) ? turn_at + 1 : turn_at);
  if (full_rounds) note("rounds", full_rounds);
}
