/* A state machine whose tables have ranges in their initialisers. */
typedef unsigned char u8;
extern int nondet_int(void);
enum st { IDLE, RUN, HALT, NSTATES };
static const u8 class_of[256] = { [0 ... 255] = 0, ['0' ... '9'] = 1, ['a' ... 'z'] = 2, [' '] = 3 };
static const struct { enum st next; const char *name; } table[NSTATES][4] = {
  [IDLE] = { [0] = { HALT, "x" }, [1 ... 2] = { .next = RUN }, [3] = { IDLE } },
  [RUN] = { [0] = { HALT }, [1] = { RUN }, [2] = { RUN }, [3] = { .name = "y", .next = IDLE } },
  [HALT] = { [0 ... 3] = { HALT, "h" } } };
#define kind(x) _Generic((x), u8: 1, int: 2, default: 3)
#define pick(c, a, b) __builtin_choose_expr(c, a, b)
enum st state = IDLE; int bad;
int main(void) {
  for (;;) {
    int c = nondet_int();
    switch (c) {
    case 'A' ... 'Z': c |= 0x20; break;
    case -0x7fffffff ... -1: case 256 ... 0x7fffffff: c = pick(kind(class_of[0]) == 1, ' ', 0); break;
    }
    if (c == -2147483647 - 1) c = ' ';
    state = table[state][class_of[c]].next;
    if (state > HALT) bad = 1;
  }
}
