/* A condition of the specification computes with `v` as the program does: -1 is a great `unsigned int`. */
enum value { A, B } v;
int main(void) {
  v = -1;
  return 0;
}
