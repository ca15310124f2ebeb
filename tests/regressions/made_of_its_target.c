/* Structures that are made from members of the one that they are assigned to, and bits of one truth value. */
struct point { int x, y; };
struct segment { struct point from, to; };
struct flags { _Bool on : 1; unsigned low : 3; };

struct point p = {1, 2}, list[2] = {{3, 4}, {5, 6}};
struct segment s = {{1, 2}, {3, 4}};
struct flags flags = {1, 5};
int mask = 256, zero, right;

int main(void) {
  struct point *to = &list[1], local = {7, 8};
  p = (struct point){p.y, p.x};
  right += p.x == 2 && p.y == 1;
  p = (zero, (struct point){.y = p.x, .x = p.y});
  right += p.x == 1 && p.y == 2;
  *to = (struct point){to->y, to->x};
  right += list[1].x == 6 && list[1].y == 5;
  list[zero] = zero ? p : (struct point){list[0].y, list[0].x};
  right += list[0].x == 4 && list[0].y == 3;
  s.from = (struct point){s.from.y, s.from.x};
  right += s.from.x == 2 && s.from.y == 1;
  s = (struct segment){s.to, s.from};
  right += s.from.x == 3 && s.to.x == 2;
  local = (struct point){local.y, local.x};
  right += local.x == 8 && local.y == 7;
  flags.on &= mask;
  right += !flags.on;
  flags = (struct flags){1, flags.low + 4};
  right += flags.on && flags.low == 1;
  return 0;
}
