/* A serial line with a ring buffer for each direction, which the program and a handler share.
   Seeded: the program counts down without keeping the handler off. */
#include "cm.h"

#define SIZE 2
#define RXNE 0x20u
#define TXE 0x80u
#ifdef SEEDED
#define ATOMIC(statement) statement
#else
#define ATOMIC(statement) __disable_irq(); statement; __enable_irq()
#endif

struct ring {
    uint8_t data[SIZE], head, tail;
    volatile uint8_t count;
};
struct ring rx, tx;
uint8_t broken;

static void put(struct ring *ring, uint8_t byte)
{
    ring->data[ring->head] = byte;
    ring->head = (ring->head + 1) % SIZE;
    ring->count++;
}

static uint8_t get(struct ring *ring)
{
    uint8_t byte = ring->data[ring->tail];
    ring->tail = (ring->tail + 1) % SIZE;
    ring->count--;
    return byte;
}

void USART1_IRQHandler(void)
{
    uint32_t status = USART1->SR;
    if ((status & RXNE) && rx.count < SIZE)
        put(&rx, USART1->DR);
    if ((status & TXE) && tx.count > 0)
        USART1->DR = get(&tx);
}

int main(void)
{
    USART1->CR1 = 0x202Cu;
    for (;;) {
        uint8_t byte;
        __disable_irq();
        if ((rx.head + rx.tail + rx.count) % SIZE || (tx.head + tx.tail + tx.count) % SIZE)
            broken = 1;
        __enable_irq();
        if (rx.count == 0 || tx.count == SIZE)
            continue;
        ATOMIC(byte = get(&rx));
        ATOMIC(put(&tx, byte));
    }
}
