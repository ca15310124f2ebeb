/* Integers whose values are told apart by classes: the program compares them and computes them from each other. During a step,
 * this part follows for which of the values at the step's beginning the program takes the same step. */
#ifndef BA_RANGES_H
#define BA_RANGES_H
#include <limits.h>

struct ba_x_bounds {
  long long low, high;
};

/* The value of an integer that a state does not have. */
#define BA_X_NONE ((long long)INT_MIN - 1)

/* The number of these integers in states, of all in the program, and of the expressions that are computed from them. */
extern const unsigned ba_x_ranged, ba_x_followed, ba_x_slots;
/* The constants that they are computed with, behind a 0. */
extern const long long ba_x_constants[];
/* Whether values are followed; otherwise they are parts of states as all others are. */
extern int ba_x_by_ranges;

/* Begins a step: from these values, where the integers lie within the box; without them, from the program's start. The box
 * shrinks to values for which the step is the same. */
void ba_x_follow(const long long *values, struct ba_x_bounds *box);
/* The values at the end of a step at a head, and between which values the integers lie there. */
extern const long long *ba_x_reached;
struct ba_x_bounds ba_x_image(unsigned variable);
/* Shrinks the box, so that an integer ends within these bounds, as its value does. */
void ba_x_keep(unsigned variable, struct ba_x_bounds within);
/* Whether the values that were computed here are those that the program has. */
int ba_x_agrees(void);
#endif
