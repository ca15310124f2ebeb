#if !BA_MODEL /* Signals are held back during a step of the monitor, except those that a faulting access raises. */
#define BA_TEXT(word) BA_TEXT_OF(word)
#define BA_TEXT_OF(word) #word
#define BA_SYMBOL(name) __asm__(BA_TEXT(__USER_LABEL_PREFIX__) name)
#if defined __linux__ && !defined __mips__
#define BA_BLOCK 0
#define BA_UNBLOCK 1
#else
#define BA_BLOCK 1
#define BA_UNBLOCK 2
#endif
/* A set of signals, large enough for every C library. The program may not include <signal.h>, so its functions are declared here under other names. */
struct ba_signals { unsigned long ba_words[128 / sizeof(unsigned long)]; };
int ba_fill_signals(struct ba_signals *) BA_SYMBOL("sigfillset");
int ba_drop_signal(struct ba_signals *, int) BA_SYMBOL("sigdelset");
int ba_mask_signals(int, const struct ba_signals *, struct ba_signals *) BA_SYMBOL("sigprocmask");
{{ VARIABLE }}__thread unsigned ba_holding{{ END }} /* how many atomic blocks are open */
{{ VARIABLE }}__thread struct ba_signals ba_held{{ END }} /* the signals that the outermost block has added to the mask */
{{ FUNCTION }}void ba_hold(void) {{ BODY }}
  static const int ba_own[] = { 4, 5, 6, 7, 8, 10 * (BA_BLOCK != 0), 11, 12 * (BA_BLOCK != 0), 31 * (BA_BLOCK == 0) }; /* ILL TRAP ABRT BUS or EMT FPE BUS SEGV SYS SYS */
  struct ba_signals ba_all, ba_before;
  __builtin_memset(&ba_all, 0, sizeof ba_all);
  __builtin_memset(&ba_before, 0, sizeof ba_before);
  ba_fill_signals(&ba_all);
  for (unsigned ba_i = 0; ba_i < sizeof ba_own / sizeof *ba_own; ba_i++)
    if (ba_own[ba_i]) ba_drop_signal(&ba_all, ba_own[ba_i]);
  ba_mask_signals(BA_BLOCK, &ba_all, &ba_before);
  if (ba_holding++) return;
  for (unsigned ba_i = 0; ba_i < sizeof ba_all.ba_words / sizeof *ba_all.ba_words; ba_i++)
    ba_held.ba_words[ba_i] = ba_all.ba_words[ba_i] & ~ba_before.ba_words[ba_i];
{{ END }}
{{ FUNCTION }}void ba_release(void) {{ BODY }}
  if (ba_holding && --ba_holding == 0) ba_mask_signals(BA_UNBLOCK, &ba_held, 0);
{{ END }}
/* A handler jumps out of the code that it interrupted: its blocks never end. */
{{ UNUSED_FUNCTION }}void ba_release_all(void) {{ BODY }}
  if (ba_holding) ba_holding = 1;
  ba_release();
{{ END }}
#endif
