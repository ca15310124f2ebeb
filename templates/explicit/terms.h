/* What a program computes during a step from the values at the step's beginning: terms, each with its value from the values of
 * one state, and with bounds of its values from all values of the box. */
#ifndef BA_TERMS_H
#define BA_TERMS_H
#include "ranges.h"

#define BA_X_NO_TERM (~0u)

/* Forgets all terms; the next ones are computed from these values within this box. */
void ba_x_terms(const long long *values, struct ba_x_bounds *box);
/* The value of an integer at the step's beginning. */
unsigned ba_x_source(unsigned variable);
unsigned ba_x_constant(long long value);
/* The value of an operation: + - * / %. */
unsigned ba_x_term(int kind, unsigned a, unsigned b);

long long ba_x_term_value(unsigned term);
struct ba_x_bounds ba_x_term_image(unsigned term);
int ba_x_is_constant(unsigned term, long long *value);
/* Whether the difference of two terms is the same from all values; which. */
int ba_x_distance(unsigned a, unsigned b, long long *difference);

/* Shrinks the box, so that a term lies within bounds, as its value does. */
void ba_x_shrink(unsigned term, struct ba_x_bounds to);
/* Shrinks the box to the values of the state, as far as a term depends on them. */
void ba_x_pin(unsigned term);
#endif
