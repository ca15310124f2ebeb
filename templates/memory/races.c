/* Which accesses a race is made of: one access of a run is chosen. It happens before all that a thread does whose view knows of it, as views
 * are passed on where threads synchronise. An access of the same memory that it races with is made by a thread that does not know of it. */
static unsigned memmodel_chosen_group;
static unsigned char memmodel_chosen_kind; /* 1: it writes; 2: it is not atomic */
static const volatile char *memmodel_chosen_at;
static unsigned long memmodel_chosen_size;

/* Says whether the access is the chosen one (1), or one that races with it (2). All accesses of a group without a size access the same object. */
int __VERIFIER_atomic_memmodel_watch(const volatile void *at, unsigned long size, int group, int kind) {
  unsigned me = MEMMODEL_ME;
  if (memmodel_chosen_group == 0) {
    if (!nondet_memory()) return 0;
    memmodel_chosen_group = (unsigned)group;
    memmodel_chosen_kind = (unsigned char)kind;
    memmodel_chosen_at = (const volatile char *)at;
    memmodel_chosen_size = size;
    memmodel_now[me].knows = 1;
    return 1;
  }
  if (memmodel_chosen_group != (unsigned)group || (memmodel_chosen_kind | kind) != 3 || memmodel_now[me].knows) return 0;
  if (size == 0) return 2;
  if ((unsigned long)at >= (unsigned long)memmodel_chosen_at + memmodel_chosen_size) return 0;
  return (unsigned long)memmodel_chosen_at < (unsigned long)at + size ? 2 : 0;
}
