/* Variables whose values are told apart by classes: the program compares them with constants and computes them from each other by
 * operations with constants. During a step, this part follows for which of the values at the step's beginning the program takes
 * the same step. */
#ifndef BA_RANGES_H
#define BA_RANGES_H

struct ba_x_bounds {
  long long low, high;
};

/* The number of these variables in the program. */
extern const unsigned ba_x_ranged;
/* Whether values are followed; otherwise they are parts of states as all others are. */
extern int ba_x_by_ranges;

/* Begins a step: from these values, where the variables lie within the box; without them, from the program's start. The box
 * shrinks to values for which the step is the same. */
void ba_x_follow(const long long *values, struct ba_x_bounds *box);
/* The values at the end of a step at a head, and between which values the variables lie there. */
extern const long long *ba_x_reached;
struct ba_x_bounds ba_x_image(unsigned variable);
/* Shrinks the box, so that a variable ends within these bounds, as its value does. */
void ba_x_keep(unsigned variable, struct ba_x_bounds within);
/* Whether the values that were computed here are those that the program has. */
int ba_x_agrees(void);
#endif
