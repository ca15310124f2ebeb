/* An update makes a new version and swaps a pointer; readers keep the version that they have.
 * WRONG: the update changes the version that readers may be looking at. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct version {
    int from, to;
};

static struct version *current;

static struct version *make(int from, int to)
{
    struct version *v = malloc(sizeof *v);
    if (!v)
        abort();
    v->from = from;
    v->to = to;
    return v;
}

static void *update(void *unused)
{
#ifdef WRONG
    current->from = 10;
    current->to = 20;
#else
    current = make(10, 20);
#endif
    return unused;
}

static void *read_version(void *unused)
{
    struct version *mine = current;
    int from = mine->from;
    int to = mine->to;
    assert(to - from == 10 || to - from == 1);
    return unused;
}

int main(void)
{
    pthread_t u, r;
    current = make(1, 2);
    pthread_create(&u, 0, update, 0);
    pthread_create(&r, 0, read_version, 0);
    pthread_join(u, 0);
    pthread_join(r, 0);
    return 0;
}
