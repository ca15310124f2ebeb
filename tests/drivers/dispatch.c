/* An interpreter that jumps to the next operation by a table of labels. */
int acc, steps, halted;
static int run(const unsigned char *pc) {
  static const void *const ops[] = { &&op_halt, &&op_inc, &&op_dec, &&op_jnz };
  acc = 0;
#define NEXT do { if (++steps > 20) return -1; goto *ops[*pc++ & 3]; } while (0)
  NEXT;
op_inc: if (acc < 10) acc++; NEXT;
op_dec: if (acc > 0) acc--; NEXT;
op_jnz: { signed char off = (signed char)*pc++; if (acc) pc += off; NEXT; }
op_halt: halted = 1; return acc;
}
int main(void) {
  static const unsigned char prog[] = { 1, 1, 1, 2, 3, (unsigned char)-3, 0 };
  return run(prog);
}
