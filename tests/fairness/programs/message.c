/* Each request is an allocated array that the server frees; with -DDEAF the server keeps the first for ever. */
#include <pthread.h>
#include <stdlib.h>
static int *volatile box;
_Bool answered;
void *client(void *a)
{
    while (1) {
        int *m = malloc(2 * sizeof *m);
        m[0] = 1;
        m[1] = 2;
        box = m;
        while (box)
            ;
    }
    return a;
}
void *server(void *a)
{
    while (1) {
        while (!box)
            ;
        int *m = box;
        if (m[0] + m[1] == 3) {
            answered = 1;
            answered = 0;
        }
#ifdef DEAF
        while (1)
            m[0] = !m[0];
#endif
        free(m);
        box = 0;
    }
    return a;
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
