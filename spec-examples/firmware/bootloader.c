/* A bootloader: it takes commands from a serial line, and starts the program only behind a good checksum.
   Seeded: interrupts are enabled before the state is set up. */
#include "avr.h"

enum { OFF, WAIT, DATA, CHECKED, RUN };

volatile uint8_t state, sum, lost;

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    switch (state) {
    case OFF:
        lost = 1;
        break;
    case WAIT:
        if (byte == 'D')
            state = DATA;
        break;
    case DATA:
        sum ^= byte;
        if (sum == 0)
            state = CHECKED;
        else
            state = WAIT;
        break;
    }
}

int main(void)
{
#ifdef SEEDED
    sei();
    UCSR0B = 0x90;
    state = WAIT;
#else
    state = WAIT;
    UCSR0B = 0x90;
    sei();
#endif
    while (state != CHECKED)
        ;
    cli();
    state = RUN;
    return 0;
}
