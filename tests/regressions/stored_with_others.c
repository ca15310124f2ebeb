/* Two threads write two parts of one object, or two objects, and nobody writes them again. CBMC stores a part behind such a
 * pointer, index or union with the rest of its object. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);

struct pair { int a, b; } pairs[3];
union { struct pair pair; long both; } joint;
struct cell { int value; pthread_mutex_t lock; } cells[2];
int source = 1;
int large[100], one, other, *made, *place, at, seen;

static void put(int *to)
{
    *to = 1;
}

static void add(struct cell *cell)
{
    pthread_mutex_lock(&cell->lock);
    cell->value++;
    pthread_mutex_unlock(&cell->lock);
}

#if KIND == 1 /* elements of allocated memory */
#define FIRST made[at] = 1
#define SECOND made[at + 1] = 1
#define BOTH (made[at] == 1 && made[at + 1] == 1)
#elif KIND == 2 /* members of an element */
#define FIRST pairs[at].a = 1
#define SECOND pairs[at].b += 1
#define BOTH (pairs[at].a == 1 && pairs[at].b == 1)
#elif KIND == 3 /* members of a union */
#define FIRST joint.pair.a = 1
#define SECOND ++joint.pair.b
#define BOTH (joint.pair.a == 1 && joint.pair.b == 1)
#elif KIND == 4 /* pointers that lead to one of several objects */
#define FIRST put(at ? &one : &other)
#define SECOND put(at ? &other : &one)
#define BOTH (one == 1 && other == 1)
#elif KIND == 5 /* elements of a large array behind a pointer */
#define FIRST place[1]++
#define SECOND place[2] = 1
#define BOTH (large[1] == 1 && large[2] == 1)
#elif KIND == 7 /* copied into members of an element */
#define FIRST memcpy(&pairs[at].a, &source, sizeof source)
#define SECOND memcpy(&pairs[at].b, &source, sizeof source)
#define BOTH (pairs[at].a == 1 && pairs[at].b == 1)
#else /* locks in elements, which the model of locks writes */
#define FIRST add(&cells[at])
#define SECOND add(&cells[1])
#define BOTH (cells[0].value + cells[1].value == 2)
#endif

static void *first(void *unused)
{
    FIRST;
    return unused;
}

static void *second(void *unused)
{
    SECOND;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int n = nondet_int();
    at = nondet_int();
    if (n < 2 || n > 3 || at < 0 || at > 1)
        return 0;
    made = malloc(n * sizeof *made + sizeof *made);
    place = large;
    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&cells[i].lock, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    seen = BOTH ? 1 : 2;
    return 0;
}
