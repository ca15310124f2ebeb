#include "ranges.h"
#include "terms.h"
#include <stdlib.h>
#include <string.h>

enum relation { LESS, AT_MOST, GREATER, AT_LEAST, EQUAL, DIFFERENT };

int ba_x_by_ranges;
/* What the integers have, and what the expressions have. */
static unsigned *symbols, *slots;
static long long *reached;
const long long *ba_x_reached;
static int agrees;

static const struct ba_x_bounds integers = { INT_MIN, INT_MAX };

/* Numbers from this one on are those of constants. */
#define BA_X_CONSTANT (1u << 30)

static unsigned term_in(unsigned slot) { return slot < BA_X_CONSTANT ? slots[slot] : ba_x_constant(ba_x_constants[slot - BA_X_CONSTANT + 1]); }

/* The term of what an operation has as its value, where a term may have it in all of the box. */
static unsigned result(int kind, unsigned a, unsigned b, int value) {
  unsigned term = ba_x_term(kind, a, b);
  struct ba_x_bounds of = ba_x_term_image(term);
  if (ba_x_term_value(term) != value) {
    /* What overflows is followed value by value. */
    ba_x_pin(term);
    return ba_x_constant(value);
  }
  if (of.low < INT_MIN || of.high > INT_MAX) ba_x_shrink(term, integers);
  return term;
}

int ba_x_load(unsigned slot, unsigned variable, int may_have_none, int value) {
  if (!ba_x_by_ranges) return value;
  unsigned symbol = symbols[variable];
  if (symbol != BA_X_NO_TERM && ba_x_term_value(symbol) != value) {
    agrees &= may_have_none;
    symbol = BA_X_NO_TERM;
  }
  slots[slot] = symbol == BA_X_NO_TERM ? ba_x_constant(value) : symbol;
  return value;
}

int ba_x_leaf(unsigned slot, int value) {
  if (ba_x_by_ranges) slots[slot] = ba_x_constant(value);
  return value;
}

int ba_x_move(unsigned slot, unsigned from, int value) {
  if (ba_x_by_ranges) slots[slot] = term_in(from);
  return value;
}

int ba_x_compute(unsigned slot, int kind, unsigned a, unsigned b, int value) {
  if (!ba_x_by_ranges) return value;
  unsigned left = term_in(a);
  slots[slot] = kind == 'p' ? left : kind == 'n' ? result('-', ba_x_constant(0), left, value) : result(kind, left, term_in(b), value);
  return value;
}

/* The program learns that the value of a term is on its side of a constant: whether it is greater. */
static void cut(unsigned term, long long with) {
  struct ba_x_bounds side = ba_x_term_image(term);
  if (side.low > with || side.high <= with) return;
  if (ba_x_term_value(term) <= with) side.high = with;
  else side.low = with + 1;
  ba_x_shrink(term, side);
}

/* The program learns whether one value is less than another one. */
static void order(unsigned a, unsigned b) {
  struct ba_x_bounds of_a = ba_x_term_image(a), of_b = ba_x_term_image(b);
  if (of_a.high < of_b.low || of_a.low >= of_b.high) return;
  long long apart;
  if (ba_x_distance(a, b, &apart)) return;
  long long value_a = ba_x_term_value(a), value_b = ba_x_term_value(b), at;
  if (value_a < value_b) at = of_b.low > value_a ? of_b.low - 1 : of_a.high < value_b ? of_a.high : value_a + (value_b - 1 - value_a) / 2;
  else at = of_a.low >= value_b ? of_a.low - 1 : of_b.high <= value_a ? of_b.high - 1 : value_b + (value_a - value_b) / 2 - 1;
  if (value_a < value_b) {
    cut(a, at);
    cut(b, at);
    return;
  }
  /* a >= b: a is greater than `at`, and b is at most `at` + 1. */
  cut(a, at);
  cut(b, at + 1);
}

int ba_x_related(int how, unsigned left, unsigned right, int holds) {
  if (!ba_x_by_ranges) return holds;
  unsigned a = term_in(left), b = term_in(right);
  long long value;
  switch (how) {
    case LESS: order(a, b); break;
    case AT_LEAST: order(a, b); break;
    case GREATER: order(b, a); break;
    case AT_MOST: order(b, a); break;
    default:
      if (ba_x_is_constant(b, &value) || ba_x_is_constant(a, &value)) {
        unsigned other = ba_x_is_constant(b, &value) ? a : b;
        cut(other, value - 1);
        cut(other, value);
      } else if (ba_x_term_value(a) == ba_x_term_value(b)) {
        if (ba_x_distance(a, b, &value)) break;
        ba_x_pin(a);
        ba_x_pin(b);
      } else if (ba_x_term_value(a) < ba_x_term_value(b)) {
        order(a, b);
      } else {
        order(b, a);
      }
  }
  return holds;
}

int ba_x_tested(unsigned slot, int value) {
  if (!ba_x_by_ranges) return value;
  cut(slots[slot], -1);
  cut(slots[slot], 0);
  return value;
}

int ba_x_switched(unsigned slot, const long long *cuts, unsigned count, int value) {
  if (!ba_x_by_ranges) return value;
  for (unsigned i = 0; i < count; i++) cut(slots[slot], cuts[i]);
  return value;
}

int ba_x_store(unsigned variable, unsigned slot, int value) {
  if (ba_x_by_ranges) symbols[variable] = slots[slot];
  return value;
}

/* The program stores a value that is the same from all values of the box. */
long long ba_x_stores(unsigned variable, long long value) {
  if (ba_x_by_ranges) symbols[variable] = ba_x_constant((int)value);
  return value;
}

/* The program stored what it computed from the value of an integer, to the same one. */
int ba_x_update(unsigned variable, int kind, unsigned by, int value) {
  if (ba_x_by_ranges) symbols[variable] = symbols[variable] == BA_X_NO_TERM ? ba_x_constant(value) : result(kind, symbols[variable], term_in(by), value);
  return value;
}

int ba_x_steps(unsigned variable, int by, int value) {
  if (!ba_x_by_ranges || symbols[variable] == BA_X_NO_TERM) return value;
  unsigned old = symbols[variable];
  long long next = ba_x_term_value(old) + by;
  symbols[variable] = result('+', old, ba_x_constant(by), (int)(unsigned)next);
  return value;
}

/* An integer at a head: what its state has of it. */
int ba_x_range(unsigned variable, int value) {
  if (!ba_x_by_ranges) return value;
  reached[variable] = value;
  return 0;
}

static void *zeros(size_t number, size_t size) {
  void *p = calloc(number + 1, size);
  if (!p) abort();
  return p;
}

void ba_x_follow(const long long *values, struct ba_x_bounds *of) {
  if (!slots) {
    slots = zeros(ba_x_slots, sizeof *slots);
    symbols = zeros(ba_x_followed, sizeof *symbols);
    ba_x_reached = reached = zeros(ba_x_ranged, sizeof *reached);
  }
  agrees = 1;
  ba_x_terms(values, of);
  for (unsigned k = ba_x_ranged; k < ba_x_followed; k++) symbols[k] = BA_X_NO_TERM;
  for (unsigned k = 0; k < ba_x_ranged; k++) {
    symbols[k] = values && values[k] != BA_X_NONE ? ba_x_source(k) : BA_X_NO_TERM;
    reached[k] = BA_X_NONE;
  }
}

struct ba_x_bounds ba_x_image(unsigned variable) {
  unsigned symbol = symbols[variable];
  if (reached[variable] == BA_X_NONE || symbol == BA_X_NO_TERM) return (struct ba_x_bounds){ reached[variable], reached[variable] };
  return ba_x_term_image(symbol);
}

void ba_x_keep(unsigned variable, struct ba_x_bounds bounds) {
  unsigned symbol = symbols[variable];
  if (reached[variable] != BA_X_NONE && symbol != BA_X_NO_TERM) ba_x_shrink(symbol, bounds);
}

int ba_x_agrees(void) {
  for (unsigned k = 0; k < ba_x_ranged; k++)
    if (symbols[k] != BA_X_NO_TERM && reached[k] != BA_X_NONE && ba_x_term_value(symbols[k]) != reached[k]) return 0;
  return agrees;
}
