/* Requests that live in the client's frame: the server gets a pointer to a local. */
#include <pthread.h>
struct request { volatile _Bool done; int value; };
static struct request *volatile box;
_Bool served;
void *client(void *argument)
{
    while (1) {
        struct request r = { 0, 1 };
        box = &r;
        while (!r.done)
            ;
        served = 1;
        served = 0;
    }
    return argument;
}
void *server(void *argument)
{
    while (1) {
        while (!box)
            ;
        struct request *r = box;
        box = 0;
        r->done = r->value;
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, server, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
