#include <pthread.h>

struct pair { int a, b; } pair;
int list[2], count;

/* Both are never 1 or 2 where these look. */
int of_pair(void)
{
    if (pair.a)
        return pair.b == 1;
    return pair.b == 2;
}

int of_list(void)
{
    if (list[0])
        return list[1] == 1;
    return list[1] == 2;
}

static void *change(void *argument)
{
    (void)argument;
    pair.b = 5;
    list[1] = 5;
    pair.a = count;
    list[0] = count;
    pair.b = 6;
    list[1] = 6;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    count = 1;
    pthread_join(thread, NULL);
    return 0;
}
