/* A garage gate with a motor, a light curtain and a lamp. A period of the main loop takes 10 ms. */

#ifndef BRAKE
#define BRAKE 3 /* periods until the motor stands */
#endif

int read_button(void);
int read_curtain(void);

unsigned long ms; /* the time in milliseconds */
_Bool blocked, motor, lamp;

int main(void) {
  unsigned char rest = 0, ran = 0, braking = 0, glow = 4;
  for (;;) {
    ms += 10;
    _Bool button = read_button() != 0;
    blocked = read_curtain() != 0;
    if (motor) {
      ran++;
      if (blocked || braking > 0) braking++;
      if (braking >= BRAKE || ran >= 9) {
        motor = 0;
        rest = braking = 0;
      }
    } else if (rest < 3) {
      rest++;
    } else if (button && !blocked) {
      motor = 1;
      ran = 0;
    }
    if (motor) glow = 4;
    lamp = glow > 0;
    if (!motor && glow > 0) glow--;
  tick:;
  }
}
