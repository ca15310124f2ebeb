/* A device stops when no request is pending, and any number of requests come. WRONG: between the look at the flag and the
 * count of the request, the device can stop. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct device {
    int pending;
    _Bool stopping, nothing_pending, stopped;
};

static struct device *device;

static int enters(void)
{
    int enters;
    __VERIFIER_atomic_begin();
    enters = !device->stopping;
#ifdef WRONG
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#endif
    if (enters)
        device->pending++;
    __VERIFIER_atomic_end();
    return enters;
}

static void leaves(void)
{
    __VERIFIER_atomic_begin();
    device->pending--;
    if (device->pending == 0)
        device->nothing_pending = 1;
    __VERIFIER_atomic_end();
}

static void *request(void *unused)
{
    if (enters()) {
        assert(!device->stopped);
        leaves();
    }
    return unused;
}

static void *stop(void *unused)
{
    device->stopping = 1;
    leaves();
    if (!device->nothing_pending)
        abort();
    device->stopped = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    device = malloc(sizeof *device);
    device->pending = 1;
    device->stopping = device->nothing_pending = device->stopped = 0;
    pthread_create(&thread, 0, stop, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, request, 0);
    request(0);
    return 0;
}
