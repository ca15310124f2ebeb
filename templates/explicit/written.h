/* What searches of all states have in common: the lines that they write.
 *
 * Lines: `L number valuation`; `N number kind letter site` a state (kind h at the head of the site, or e for an ended run);
 * `O number line file` a place where a signed integer overflowed; `E from to action…` a step, its actions as kind:site:value;
 * `Z states edges discarded depth bytes` ends a complete search, `T why` an incomplete one; `M` alone: the stepper ran out of
 * memory. */
#ifndef BA_WRITTEN_H
#define BA_WRITTEN_H
#include "stepper.h"

/* Whether steps that do what C leaves undefined are passed over; and how many were, so that not all states are visited. */
extern int ba_x_passing;
extern unsigned long long ba_x_passed;
/* Ends the search. */
_Noreturn void ba_x_give_up(const char *why);
/* Writes the valuations and the places of overflows that are new. */
void ba_x_tell_valuations(void);
/* Begins the steps of a state: equal steps of it are written once. */
void ba_x_tell_steps(void);
/* Whether no step of these letters to this state was asked about since. */
int ba_x_is_new(unsigned to, const struct ba_x_action *actions, size_t count);
void ba_x_tell_state(unsigned number, char kind, unsigned letter, int site);
void ba_x_tell_step(unsigned from, unsigned to, const struct ba_x_action *actions, size_t count);
/* The site of the head where a step ended: its key begins with it. */
int ba_x_site_of(const struct ba_x_step *step);
#endif
