/* At most two connections at a time, counted by a semaphore; each takes a slot of a table under a lock.
 * WRONG: the semaphore begins with one more than there are slots. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 2

struct slot {
    int used, owner;
};

static struct slot slots[SLOTS];
static sem_t free_slots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take(int owner)
{
    int found = -1;
    sem_wait(&free_slots);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++)
        if (!slots[i].used) {
            found = i;
            slots[i].used = 1;
            slots[i].owner = owner;
            break;
        }
    pthread_mutex_unlock(&lock);
    return found;
}

static void give(int slot)
{
    pthread_mutex_lock(&lock);
    slots[slot].used = 0;
    pthread_mutex_unlock(&lock);
    sem_post(&free_slots);
}

static void *client(void *argument)
{
    int owner = *(int *)argument;
    int slot = take(owner);
    assert(slot >= 0);
    assert(slots[slot].owner == owner);
    give(slot);
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    int names[3] = { 1, 2, 3 };
#ifdef WRONG
    sem_init(&free_slots, 0, SLOTS + 1);
#else
    sem_init(&free_slots, 0, SLOTS);
#endif
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, client, &names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
