#include "terms.h"
#include <stdlib.h>

enum { SOURCE = 's', CONSTANT = 'c' };

struct term {
  int kind;
  unsigned a, b; /* operands, or the number of the source */
  long long value;
  struct ba_x_bounds image;
  unsigned as_of; /* the change of the box that the image takes into account */
};

static struct term *terms;
static unsigned count, room;
static const long long *from;
static struct ba_x_bounds *box;
static unsigned changes;

static unsigned new_term(int kind, unsigned a, unsigned b, long long value) {
  if (count == room) {
    room = 2 * room + 1024;
    terms = realloc(terms, room * sizeof *terms);
    if (!terms) abort();
  }
  terms[count] = (struct term){ kind, a, b, value, { value, value }, 0 };
  return count++;
}

void ba_x_terms(const long long *values, struct ba_x_bounds *of) {
  from = values;
  box = of;
  count = 0;
  changes = 1;
}

unsigned ba_x_source(unsigned variable) {
  if (box[variable].low < INT_MIN) box[variable].low = INT_MIN;
  return new_term(SOURCE, variable, 0, from[variable]);
}

unsigned ba_x_constant(long long value) { return new_term(CONSTANT, 0, 0, value); }
/* No product is as far from 0. */
#define FAR (1LL << 62)

long long ba_x_term_value(unsigned term) { return terms[term].value; }

int ba_x_is_constant(unsigned term, long long *value) {
  struct ba_x_bounds of = ba_x_term_image(term);
  *value = of.low;
  return of.low == of.high;
}

static long long computed(int kind, long long a, long long b) {
  switch (kind) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return b ? a / b : 0;
    default: return b ? a % b : 0;
  }
}

static int within(struct ba_x_bounds inner, struct ba_x_bounds outer) { return outer.low <= inner.low && inner.high <= outer.high; }

static struct ba_x_bounds both(struct ba_x_bounds a, struct ba_x_bounds b) {
  return (struct ba_x_bounds){ a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high };
}

/* The least and the greatest of four values. */
static struct ba_x_bounds around(long long a, long long b, long long c, long long d) {
  struct ba_x_bounds out = { a, a };
  long long others[] = { b, c, d };
  for (int i = 0; i < 3; i++) {
    if (others[i] < out.low) out.low = others[i];
    if (others[i] > out.high) out.high = others[i];
  }
  return out;
}

/* All remainders of values within bounds lie within these. */
static struct ba_x_bounds remainders(struct ba_x_bounds of, long long by) {
  long long size = llabs(by);
  if (of.low / size == of.high / size && (of.low >= 0) == (of.high >= 0)) return (struct ba_x_bounds){ of.low % size, of.high % size };
  return (struct ba_x_bounds){ of.low >= 0 ? 0 : of.low > -size ? of.low : 1 - size, of.high <= 0 ? 0 : of.high < size ? of.high : size - 1 };
}

/* Divisors are constants. */
static struct ba_x_bounds image(const struct term *t, struct ba_x_bounds a, struct ba_x_bounds b) {
  switch (t->kind) {
    case '+': return (struct ba_x_bounds){ a.low + b.low, a.high + b.high };
    case '-': return (struct ba_x_bounds){ a.low - b.high, a.high - b.low };
    case '*': {
      struct ba_x_bounds out = around(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
      if (t->a == t->b && out.low < 0) out.low = 0;
      return out;
    }
    case '/': return b.low ? around(a.low / b.low, a.high / b.low, a.low / b.low, a.high / b.low) : (struct ba_x_bounds){ 0, 0 };
    default: return b.low ? remainders(a, b.low) : (struct ba_x_bounds){ 0, 0 };
  }
}

struct ba_x_bounds ba_x_term_image(unsigned term) {
  struct term *t = &terms[term];
  if (t->kind == CONSTANT || t->as_of == changes) return t->image;
  t->image = t->kind == SOURCE ? box[t->a] : image(t, ba_x_term_image(t->a), ba_x_term_image(t->b));
  t->as_of = changes;
  return t->image;
}

/* A term without what is added to it. */
static unsigned base(unsigned term, long long *offset) {
  *offset = 0;
  for (;;) {
    const struct term *t = &terms[term];
    long long by;
    if ((t->kind == '+' || t->kind == '-') && ba_x_is_constant(t->b, &by)) {
      *offset += t->kind == '+' ? by : -by;
      term = t->a;
    } else if (t->kind == '+' && ba_x_is_constant(t->a, &by)) {
      *offset += by;
      term = t->b;
    } else {
      return term;
    }
  }
}

static int same(unsigned a, unsigned b) {
  return a == b || (terms[a].kind == SOURCE && terms[b].kind == SOURCE && terms[a].a == terms[b].a);
}

int ba_x_distance(unsigned a, unsigned b, long long *difference) {
  long long of_a, of_b;
  if (!same(base(a, &of_a), base(b, &of_b))) return 0;
  *difference = of_a - of_b;
  return 1;
}

unsigned ba_x_term(int kind, unsigned a, unsigned b) {
  long long value = computed(kind, terms[a].value, terms[b].value), difference;
  if (terms[a].kind == CONSTANT && terms[b].kind == CONSTANT) return ba_x_constant(value);
  if (kind == '-' && ba_x_distance(a, b, &difference)) return ba_x_constant(value);
  if (kind == '/' || kind == '%') {
    /* One divisor. */
    ba_x_pin(b);
    if (!terms[b].value) return ba_x_constant(value);
  }
  return new_term(kind, a, b, value);
}

void ba_x_pin(unsigned term) {
  const struct term *t = &terms[term];
  struct ba_x_bounds of = ba_x_term_image(term);
  if (of.low == of.high) return;
  if (t->kind == SOURCE) {
    box[t->a].low = box[t->a].high = from[t->a];
    changes++;
    return;
  }
  unsigned a = t->a, b = t->b;
  ba_x_pin(a);
  ba_x_pin(b);
}

/* The least quotient a / b, rounded up, and the greatest one, rounded down, for b > 0. */
static long long up(long long a, long long b) { return a / b + (a % b > 0); }
static long long down(long long a, long long b) { return a / b - (a % b < 0); }

/* The greatest number whose square is at most n. */
static long long root(long long n) {
  long long low = 0, high = 3037000499;
  while (low < high) {
    long long middle = low + (high - low + 1) / 2;
    if (middle * middle <= n) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* Values around `value`, within `of`, from which an operation with a constant leads into `to`, as it does from `value`. */
static struct ba_x_bounds before(int kind, long long by, struct ba_x_bounds of, struct ba_x_bounds to, long long value) {
  long long size = llabs(by);
  if (by < 0 && kind != '%') to = (struct ba_x_bounds){ -to.high, -to.low };
  switch (kind) {
    case '*': return size == 0 ? of : both(of, (struct ba_x_bounds){ up(to.low, size), down(to.high, size) });
    case '/':
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

static int is_point(unsigned term) {
  long long value;
  return ba_x_is_constant(term, &value);
}

/* Shrinks both operands of a sum a + b. */
static void shrink_sum(unsigned a, unsigned b, int minus, struct ba_x_bounds to) {
  struct ba_x_bounds of_a = ba_x_term_image(a), of_b = ba_x_term_image(b);
  long long value_a = terms[a].value, value_b = minus ? -terms[b].value : terms[b].value;
  if (minus) of_b = (struct ba_x_bounds){ -of_b.high, -of_b.low };
  long long above = to.high - value_a - value_b, below = value_a + value_b - to.low;
  long long up_a = of_a.high - value_a, up_b = of_b.high - value_b, down_a = value_a - of_a.low, down_b = value_b - of_b.low;
  if (up_a + up_b > above) up_b = up_a <= above / 2 ? above - up_a : up_b <= above / 2 ? up_b : above / 2, up_a = above - up_b < up_a ? above - up_b : up_a;
  if (down_a + down_b > below)
    down_b = down_a <= below / 2 ? below - down_a : down_b <= below / 2 ? down_b : below / 2, down_a = below - down_b < down_a ? below - down_b : down_a;
  struct ba_x_bounds to_b = { value_b - down_b, value_b + up_b };
  ba_x_shrink(a, (struct ba_x_bounds){ value_a - down_a, value_a + up_a });
  ba_x_shrink(b, minus ? (struct ba_x_bounds){ -to_b.high, -to_b.low } : to_b);
}

/* Values with the sign of `value`, of sizes between `low` and `high`. */
static struct ba_x_bounds sized(long long value, long long low, long long high) {
  return value < 0 ? (struct ba_x_bounds){ -high, -low } : (struct ba_x_bounds){ low, high };
}

/* Shrinks the operand of a square. */
static void shrink_square(unsigned a, struct ba_x_bounds to) {
  long long low = to.low > 0 ? root(to.low - 1) + 1 : 0, high = root(to.high);
  ba_x_shrink(a, low ? sized(terms[a].value, low, high) : (struct ba_x_bounds){ -high, high });
}

/* Shrinks both operands of a product. */
static void shrink_product(unsigned a, unsigned b, struct ba_x_bounds to) {
  long long value_a = terms[a].value, value_b = terms[b].value, size_a = llabs(value_a), size_b = llabs(value_b);
  long long most = -to.low < to.high ? -to.low : to.high, least = 0;
  /* The signs of the operands are kept where products of another sign would be too far away. */
  int keeps = size_a * size_b > most;
  if (keeps) {
    int positive = (value_a > 0) == (value_b > 0);
    most = positive ? to.high : -to.low;
    least = positive ? to.low : -to.high;
  }
  long long side = root(most);
  long long high_a = size_a > side ? size_a : size_b > side ? most / size_b : side, high_b = high_a ? most / high_a : LLONG_MAX;
  if (!keeps) {
    ba_x_shrink(a, (struct ba_x_bounds){ -high_a, high_a });
    ba_x_shrink(b, (struct ba_x_bounds){ -high_b, high_b });
    return;
  }
  long long low_a = 0, low_b = 0;
  if (least > 0) {
    side = root(least - 1) + 1;
    low_a = size_a < side ? size_a : size_b < side ? up(least, size_b) : side;
    low_b = up(least, low_a);
  }
  ba_x_shrink(a, sized(value_a, low_a, high_a));
  ba_x_shrink(b, sized(value_b, low_b, high_b));
}

void ba_x_shrink(unsigned term, struct ba_x_bounds to) {
  struct ba_x_bounds of = ba_x_term_image(term);
  if (within(of, to)) return;
  const struct term t = terms[term];
  if (t.kind == '*' && (t.a == t.b || !(is_point(t.a) || is_point(t.b)))) {
    /* A bound that all values keep tells nothing of the operands. */
    if (of.low >= to.low) to.low = -FAR;
    if (of.high <= to.high) to.high = FAR;
    if (t.a == t.b) shrink_square(t.a, to);
    else shrink_product(t.a, t.b, to);
    return;
  }
  to = both(to, of);
  long long by;
  if (t.kind == SOURCE) {
    box[t.a] = to;
    changes++;
  } else if (t.kind == '+' || t.kind == '-') {
    shrink_sum(t.a, t.b, t.kind == '-', to);
  } else if (ba_x_is_constant(t.b, &by)) {
    ba_x_shrink(t.a, before(t.kind, by, ba_x_term_image(t.a), to, terms[t.a].value));
  } else if (ba_x_is_constant(t.a, &by)) {
    ba_x_shrink(t.b, before(t.kind, by, ba_x_term_image(t.b), to, terms[t.b].value));
  }
}
