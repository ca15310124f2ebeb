/* A message that is a number or a letter: a union is part of the state. */
#include <pthread.h>
union message { int number; char letter; };
struct mail { int kind; union message m; };
static struct mail box;
static volatile _Bool full;
_Bool read_one;
void *sends(void *argument)
{
    while (1) {
        while (full)
            ;
        box.kind = 1;
        box.m.letter = 'x';
        full = 1;
    }
    return argument;
}
void *reads(void *argument)
{
    while (1) {
        while (!full)
            ;
        read_one = box.kind == 1 && box.m.letter == 'x';
        read_one = 0;
        full = 0;
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, sends, 0);
    pthread_create(&b, 0, reads, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
