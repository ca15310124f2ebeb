#include <pthread.h>

int x, y;

static void *write_to(void *argument)
{
    int *where = argument;
    *where = 1;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, write_to, &x);
    pthread_create(&second, NULL, write_to, &y);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
