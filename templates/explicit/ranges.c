#include "ranges.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The most operations from a value at the beginning of a step to a later one. */
#define BA_X_OPERATIONS 256
#define BA_X_MOST 64

enum operation { NONE, ADD, MULTIPLY, DIVIDE, REMAINDER };

/* What a variable has: a value that was computed from that of a source by these operations, or, without a source, one that is
 * the same from all values of the box. */
struct symbol {
  int source;
  struct ba_x_bounds image;
  unsigned count;
  struct {
    long long kind, by;
  } operations[BA_X_OPERATIONS];
};

int ba_x_by_ranges;
static struct symbol symbols[BA_X_MOST + 1]; /* one more is for a value that is not stored */
static long long reached[BA_X_MOST];
const long long *ba_x_reached = reached;
static const long long *from;
static struct ba_x_bounds *box;

static long long computed(long long kind, long long by, long long value) {
  switch (kind) {
    case ADD: return value + by;
    case MULTIPLY: return value * by;
    case DIVIDE: return value / by;
    default: return value % by;
  }
}

/* All values of an operation on values within bounds lie within these. */
static struct ba_x_bounds image(long long kind, long long by, struct ba_x_bounds of) {
  if (kind == REMAINDER) {
    long long size = llabs(by);
    if (of.low / size == of.high / size && (of.low >= 0) == (of.high >= 0)) return (struct ba_x_bounds){ of.low % size, of.high % size };
    return (struct ba_x_bounds){ of.low >= 0 ? 0 : of.low > -size ? of.low : 1 - size, of.high <= 0 ? 0 : of.high < size ? of.high : size - 1 };
  }
  long long a = computed(kind, by, of.low), b = computed(kind, by, of.high);
  return a <= b ? (struct ba_x_bounds){ a, b } : (struct ba_x_bounds){ b, a };
}

static int within(struct ba_x_bounds inner, struct ba_x_bounds outer) { return outer.low <= inner.low && inner.high <= outer.high; }

static struct ba_x_bounds both(struct ba_x_bounds a, struct ba_x_bounds b) {
  return (struct ba_x_bounds){ a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high };
}

/* The least quotient a / b, rounded up, and the greatest one, rounded down, for b > 0. */
static long long up(long long a, long long b) { return a / b + (a % b > 0); }
static long long down(long long a, long long b) { return a / b - (a % b < 0); }

/* Values around `value`, within `of`, from which an operation leads into `to`, as it does from `value`. */
static struct ba_x_bounds before(long long kind, long long by, struct ba_x_bounds of, struct ba_x_bounds to, long long value) {
  long long size = llabs(by);
  if (within(image(kind, by, of), to)) return of;
  if (by < 0 && (kind == MULTIPLY || kind == DIVIDE)) to = (struct ba_x_bounds){ -to.high, -to.low };
  switch (kind) {
    case ADD: return both(of, (struct ba_x_bounds){ to.low - by, to.high - by });
    case MULTIPLY: return size == 0 ? of : both(of, (struct ba_x_bounds){ up(to.low, size), down(to.high, size) });
    case DIVIDE:
      return both(of, (struct ba_x_bounds){ to.low > 0 ? to.low * size : (to.low - 1) * size + 1,
                                            to.high < 0 ? to.high * size : (to.high + 1) * size - 1 });
    default: {
      /* The values of one quotient follow each other as their remainders do. */
      long long first = value / size * size;
      struct ba_x_bounds piece = { first >= 0 && value >= size ? 0 : 1 - size, first <= 0 && value <= -size ? 0 : size - 1 };
      piece = both(piece, to);
      return both(of, (struct ba_x_bounds){ first + piece.low, first + piece.high });
    }
  }
}

static struct ba_x_bounds image_of(const struct symbol *s) {
  struct ba_x_bounds of = box[s->source];
  for (unsigned i = 0; i < s->count; i++) of = image(s->operations[i].kind, s->operations[i].by, of);
  return of;
}

static long long value_of(const struct symbol *s) {
  long long value = from[s->source];
  for (unsigned i = 0; i < s->count; i++) value = computed(s->operations[i].kind, s->operations[i].by, value);
  return value;
}

static void refresh(int source) {
  for (unsigned k = 0; k <= ba_x_ranged; k++)
    if (symbols[k].source == source) symbols[k].image = image_of(&symbols[k]);
}

/* One value is left of what a variable was computed from. */
static void fix(struct symbol *s) {
  int source = s->source;
  box[source].low = box[source].high = from[source];
  for (unsigned k = 0; k <= ba_x_ranged; k++)
    if (symbols[k].source == source) symbols[k].source = -1;
  s->source = -1;
}

/* Shrinks the box, so that a symbol's image is within bounds, as its value is. */
static void shrink(struct symbol *s, struct ba_x_bounds to) {
  static struct ba_x_bounds images[BA_X_OPERATIONS + 1];
  static long long values[BA_X_OPERATIONS + 1];
  images[0] = box[s->source];
  values[0] = from[s->source];
  for (unsigned i = 0; i < s->count; i++) {
    images[i + 1] = image(s->operations[i].kind, s->operations[i].by, images[i]);
    values[i + 1] = computed(s->operations[i].kind, s->operations[i].by, values[i]);
  }
  to = both(to, images[s->count]);
  for (unsigned i = s->count; i-- > 0;) to = before(s->operations[i].kind, s->operations[i].by, images[i], to, values[i]);
  box[s->source] = to;
  refresh(s->source);
}

/* The program tells whether a variable is greater than a constant. */
void ba_x_compares(unsigned variable, long long with) {
  if (!ba_x_by_ranges) return;
  struct symbol *s = &symbols[variable];
  if (s->source < 0 || s->image.low > with || s->image.high <= with) return;
  struct ba_x_bounds side = s->image;
  if (value_of(s) <= with) side.high = with;
  else side.low = with + 1;
  shrink(s, side);
}

/* The program stores what it computes from the value of another variable, or of the same one: an operation and its constant follow
 * each other, and a 0 ends them. */
void ba_x_computes(unsigned variable, unsigned of, const long long *operations) {
  static const struct ba_x_bounds integers = { INT_MIN, INT_MAX };
  if (!ba_x_by_ranges) return;
  struct symbol *s = &symbols[variable];
  const struct symbol *other = &symbols[of];
  s->source = other->source;
  s->image = other->image;
  s->count = other->count;
  if (variable != of) memcpy(s->operations, other->operations, other->count * sizeof *s->operations);
  for (; s->source >= 0 && operations[0] != NONE; operations += 2) {
    if (s->count == BA_X_OPERATIONS) {
      fix(s);
      return;
    }
    s->operations[s->count].kind = operations[0];
    s->operations[s->count++].by = operations[1];
    s->image = image_of(s);
    if (within(s->image, integers)) continue;
    long long value = value_of(s);
    /* What overflows is followed value by value. */
    if (value < INT_MIN || value > INT_MAX) fix(s);
    else shrink(s, integers);
  }
}

/* The program stores a value that depends on none of the variables. */
long long ba_x_stores(unsigned variable, long long value) {
  symbols[variable].source = -1;
  return value;
}

/* A variable at a head: what its state has of it. */
int ba_x_range(unsigned variable, int value) {
  reached[variable] = value;
  return ba_x_by_ranges ? 0 : value;
}

void ba_x_follow(const long long *values, struct ba_x_bounds *of) {
  from = values;
  box = of;
  for (unsigned k = 0; k < ba_x_ranged; k++) {
    symbols[k].source = values ? (int)k : -1;
    symbols[k].count = 0;
    if (values) symbols[k].image = of[k];
  }
  symbols[ba_x_ranged].source = -1;
}

struct ba_x_bounds ba_x_image(unsigned variable) {
  struct symbol *s = &symbols[variable];
  return s->source < 0 ? (struct ba_x_bounds){ reached[variable], reached[variable] } : s->image;
}

void ba_x_keep(unsigned variable, struct ba_x_bounds bounds) {
  struct symbol *s = &symbols[variable];
  if (s->source >= 0 && !within(s->image, bounds)) shrink(s, bounds);
}

int ba_x_agrees(void) {
  for (unsigned k = 0; k < ba_x_ranged; k++)
    if (symbols[k].source >= 0 && value_of(&symbols[k]) != reached[k]) return 0;
  return 1;
}
