/* A timer that controls by what a converter has measured, in 10 bits on an 8-bit processor. The converter's handler has the
   higher priority. Seeded: the timer's handler reads the value while it may change. */
#include "avr.h"

volatile uint16_t measured = 255;
uint16_t used = 255;

ISR(ADC_vect)
{
    if (ADCL & 1)
        measured = 255;
    else
        measured = 256;
}

ISR(TIMER1_COMPA_vect)
{
#ifdef SEEDED
    used = measured;
#else
    uint8_t saved = SREG;
    cli();
    used = measured;
    SREG = saved;
#endif
}

int main(void)
{
    sei();
    for (;;)
        ;
}
