/* A motor with an emergency stop: the handler turns it off, for good.
   Seeded: the program turns the motor on behind a check, and the handler may come in between. */
#include "cm.h"

volatile uint8_t stop;

void EXTI0_IRQHandler(void)
{
    stop = 1;
    TIM2->CCR1 = 0;
}

int main(void)
{
    TIM2->CR1 = 1;
    for (;;) {
        if (!(GPIOA->IDR & 1))
            continue;
#ifndef SEEDED
        __disable_irq();
#endif
        if (!stop)
            TIM2->CCR1 = 100;
#ifndef SEEDED
        __enable_irq();
#endif
    }
}
