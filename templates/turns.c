/* The part of the runtime that makes threads take the turns that the recorded run tells, behind replay.c in one file.
 *
 * A turn is a thread, the line at which it stopped and how many events it had on its way. It is over where the thread has had
 * these events and comes to an access, a block or a call of that line, where it waits, and where it ends. Which access of the
 * line that was is not recorded: the first run takes the first one, later ones some other, from the seed. The letters decide.
 *
 * Lines come from a file that BA_NATIVE_LINES names, `ADDRESS LINE` in the order of addresses.
 */
struct turn { unsigned thread, line, events; int cut, repeats; };
extern const struct turn BA_NATIVE_NAME(turn)[];
extern const unsigned BA_NATIVE_NAME(turns);

static struct line { unsigned long address; unsigned line; } *lines;
static size_t line_count;
static unsigned turn_at, in_turn, passed, went_round;
static int forces; /* this run takes the recorded turns */
static __thread unsigned last_line;

/* Every second run takes the recorded turns, where they are known; the others try what the letters leave open. */
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
  size_t low = 0, high = line_count; /* all before `low` are not greater, all from `high` on are */
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

/* The loop of an infinite run begins anew behind its last turn. */
static void next_turn(void) {
  in_turn = passed = 0;
  if (++turn_at < BA_NATIVE_NAME(turns) || !BA_NATIVE_NAME(rounds)) return;
  went_round++;
  for (turn_at = 0; turn_at < BA_NATIVE_NAME(turns) && !BA_NATIVE_NAME(turn)[turn_at].repeats; turn_at++);
}

/* Whether turns are left that come before the loop of an infinite run: whoever stands still in it may have a way to go, and
 * the letters do not tell where the way ends if the loop has none. */
static int before_loop(void) {
  return BA_NATIVE_NAME(rounds) && takes_turns() && !went_round && !BA_NATIVE_NAME(turn)[turn_at].repeats;
}

/* A number of this run and turn. */
static unsigned of_turn(void) {
  unsigned long long number = (attempt + 1) * 0x9e3779b97f4a7c15ull + turn_at * 0xc2b2ae3d27d4eb4full;
  number ^= number >> 29;
  return (unsigned)(number * 0xbf58476d1ce4e5b9ull >> 40);
}

/* So many accesses of the line come before the one at which the turn ends. */
static unsigned to_pass(void) {
  unsigned number = of_turn();
  if (attempt < 2 || number & 1) return 0;
  return number & 2 ? 1 : number >> 2 & 3;
}

/* Whether a thread has come over a line without an access, such as the head of a loop. */
static int comes_over(unsigned at, unsigned from, unsigned to) {
  if (attempt == 0 || (attempt > 1 && of_turn() >> 5 & 1)) return 0;
  return from < at ? to > at : to <= from && to >= at;
}

/* The running thread comes to a place where others may go on. */
static void comes_to(const void *after) {
  if (!takes_turns()) return;
  const struct turn *turn = &BA_NATIVE_NAME(turn)[turn_at];
  unsigned from = last_line, line = line_of(after);
  last_line = line;
  if (turn->thread != self || in_turn < turn->events) return;
  if (!turn->cut && (!turn->line || (line != turn->line && !comes_over(turn->line, from, line)))) return;
  if (passed++ < to_pass()) return;
  next_turn();
}

/* The running thread has an event. */
static void event_in_turn(void) { in_turn++; }

/* Whose turn it is; -1 where the recorded ones are over. */
static int in_order(void) {
  if (!takes_turns()) return -1;
  for (unsigned tried = 0; tried <= BA_NATIVE_NAME(turns) && turn_at < BA_NATIVE_NAME(turns); tried++) {
    unsigned thread = BA_NATIVE_NAME(turn)[turn_at].thread;
    if (thread < known && eligible(thread)) return (int)thread;
    next_turn(); /* it has ended, or waits */
  }
  return -1;
}

/* Who waits for a condition and has the next turn of all that do; -1 where that is not known. */
static int next_waiter(const void *condition) {
  if (!takes_turns() || attempt % 2) return -1;
  for (unsigned i = turn_at + 1; i < BA_NATIVE_NAME(turns); i++) {
    unsigned thread = BA_NATIVE_NAME(turn)[i].thread;
    if (thread < known && all[thread].state == WAITING && all[thread].condition == condition) return (int)thread;
  }
  return -1;
}

/* How many turns were taken, for the record. */
static void note_turns(void) {
  if (forces) note("turns", turn_at < BA_NATIVE_NAME(turns) ? turn_at + 1 : turn_at);
}
