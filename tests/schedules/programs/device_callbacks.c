/* A driver whose callbacks get a pointer to a member and find the structure around it; the probe may fail.
 * WRONG: the callbacks do not lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct device {
    int id;
};

struct driver {
    pthread_mutex_t lock;
    struct device device;
    int opened, requests;
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

static pthread_t first, second;

static void *callback(void *argument)
{
    struct device *device = argument;
    struct driver *driver = container_of(device, struct driver, device);
#ifndef WRONG
    pthread_mutex_lock(&driver->lock);
#endif
    driver->opened = 1;
    driver->requests = driver->requests + 1;
#ifndef WRONG
    pthread_mutex_unlock(&driver->lock);
#endif
    return 0;
}

static int probe(struct driver *driver)
{
    pthread_mutex_init(&driver->lock, 0);
    driver->opened = driver->requests = 0;
    int failure = __VERIFIER_nondet_int();
    if (failure < 0) {
        pthread_mutex_destroy(&driver->lock);
        return failure;
    }
    pthread_create(&first, 0, callback, &driver->device);
    pthread_create(&second, 0, callback, &driver->device);
    return 0;
}

int main(void)
{
    struct driver *driver = malloc(sizeof *driver);
    if (!driver)
        return 1;
    if (probe(driver) == 0) {
        pthread_join(first, 0);
        pthread_join(second, 0);
        pthread_mutex_destroy(&driver->lock);
        assert(driver->opened == 1);
        assert(driver->requests == 2);
    }
    free(driver);
    return 0;
}
