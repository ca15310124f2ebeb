/* What searches of all states have in common: what they write, which `crates/explicit/src/reader.rs` reads.
 *
 * Lines: `L number valuation`; `O number line file` a place where a signed integer overflowed; `Z states edges discarded depth bytes`
 * ends a complete search, `T why` an incomplete one; `M`: the stepper ran out of memory.
 * Between them, records, which begin with a byte that is no letter: 3, the next state, with its kind (h at the head of a site, or e for
 * an ended run), its letter and one more than its site; 2, the number of the state whose steps follow; 1, a step: the number of the
 * state that it leads to, and that of its actions; 4, the next actions: how many bytes they have, and each as its kind, site and value. */
#ifndef BA_WRITTEN_H
#define BA_WRITTEN_H
#include "stepper.h"

/* Whether steps that do what C leaves undefined are passed over; and how many were, so that not all states are visited. */
extern int ba_x_passing;
extern unsigned long long ba_x_passed;
/* Writes a line; and all that is not written yet. */
void ba_x_tell_line(const char *format, ...);
void ba_x_tell_all(void);
/* Ends the search. */
_Noreturn void ba_x_give_up(const char *why);
/* Writes the valuations and the places of overflows that are new. */
void ba_x_tell_valuations(void);
/* Begins the steps of a state: equal steps of it are written once. */
void ba_x_tell_steps(void);
/* The next step has these actions; whether none with such letters to this state was asked about since. */
void ba_x_letters_of(const struct ba_x_action *actions, size_t count);
int ba_x_is_new(unsigned to);
void ba_x_tell_state(char kind, unsigned letter, int site);
void ba_x_tell_step(unsigned from, unsigned to, const struct ba_x_action *actions, size_t count);
/* The site of the head where a step ended: its key begins with it. */
int ba_x_site_of(const struct ba_x_step *step);
#endif
