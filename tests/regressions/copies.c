#include <pthread.h>

int level;

int is_level(int own, int now) { return own == now; }
int is_strange(int own, int now) { (void)now; return own != 1 && own != 2 && own != 3; }

static void *inside(void *argument)
{
    int own = 1, seen = level;
    (void)argument;
b_strange: ;
    if (seen) {
b_level:
        own = 2;
e_level: ;
    }
    own = 3;
e_strange: ;
    return NULL;
}

static void *beside(void *argument)
{
    (void)argument;
    level = 1;
    level = 2;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, inside, NULL);
    pthread_create(&second, NULL, beside, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
