/* The number of a union grows and its letter stays: no state recurs. */
#include <pthread.h>
union both { unsigned number; unsigned char letter; };
static union both u;
_Bool over, odd;
void *grows(void *argument)
{
    while (1) {
#ifdef WRAPS
        u.number ^= 256;
#else
        u.number += 256;
#endif
        odd = u.number >= 256;
        if (u.letter)
            over = 1;
    }
    return argument;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, grows, 0);
    pthread_join(a, 0);
    return 0;
}
