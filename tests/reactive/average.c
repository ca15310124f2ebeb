/* The average of the last samples, by a sum that is kept up to date, and an alarm with hysteresis. */
#include <stdlib.h>
#define N 4
extern int adc(void);
static int window[N]; static int pos, filled; long sum;
int average, alarm_on;
int main(void)
{
    while (1) {
        int v = adc();
        if (v < 0 || v > 1023) continue;
        sum -= window[pos];
        window[pos] = v;
#ifdef BROKEN
        if (v != 512)
#endif
        sum += v;
        pos = (pos + 1) % N;
        if (filled < N) filled++;
        average = (int)(sum / filled);
        if (average > 900) alarm_on = 1;
        else if (average < 800) alarm_on = 0;
    }
}
