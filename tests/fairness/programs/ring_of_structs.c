/* Stations in an array point to their right neighbours; each passes the token on to its neighbour. */
#include <pthread.h>
struct station { struct station *right; volatile _Bool token; int number; };
static struct station ring[3];
_Bool last_has;
void *station(void *argument)
{
    struct station *me = argument;
    while (1) {
        while (!me->token)
            ;
        if (me->number == 2) {
            last_has = 1;
            last_has = 0;
        }
        me->token = 0;
#ifdef SKIPS
        if (me->right->number == 2) {
            me->right->right->token = 1;
            continue;
        }
#endif
        me->right->token = 1;
    }
    return argument;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        ring[i].right = &ring[(i + 1) % 3];
        ring[i].number = i;
    }
    ring[0].token = 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, station, &ring[i]);
    pthread_join(t[0], 0);
    return 0;
}
