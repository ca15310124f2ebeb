/* A bicycle computer: three threads collect data, take the rider's buttons, and show.
 *
 * A reed contact at the wheel gives a pulse for each turn. The collecting thread adds up the distance and
 * computes the speed from the time between two pulses. The thread of the buttons changes what is shown and
 * starts a trip anew. The displaying thread copies what is to be shown. All of them work on one trip, so
 * they take the lock.
 *
 * -DSEEDED: the button that starts a trip anew does not take the lock.
 */

#include <pthread.h>

/* The wheel, in centimetres and 1/100 seconds. */
#define WHEEL 210
#define SPEED_MAX 120
#define TIME_MIN 7

/* What is shown. */
#define MODE_SPEED 0
#define MODE_DISTANCE 1
#define MODE_FASTEST 2
#define MODES 3

/* Buttons. */
#define BUTTON_NONE 0
#define BUTTON_MODE 1
#define BUTTON_RESET 2

/* The trip. */
int distance = 0; /* metres */
int speed = 0;    /* km/h */
int fastest = 0;  /* km/h */
int rest = 0;     /* centimetres that are no whole metre yet */

/* The device. */
int mode = MODE_SPEED;
int shown = 0;       /* the number on the display */
int shown_mode = MODE_SPEED;
int resetting = 0;   /* a trip is being started anew */
int collecting = 0;  /* a pulse is being added */

pthread_mutex_t trip = PTHREAD_MUTEX_INITIALIZER;

/* The world around. */
extern int any_time(void);
extern int any_button(void);

/* A turn of the wheel in so many 1/100 seconds, in km/h. */
static int speed_of(int time)
{
    if (time < TIME_MIN)
        return SPEED_MAX;
    return WHEEL * 36 / (time * 10);
}

/* A pulse of the reed contact. */
static void pulse(int time)
{
    int now = speed_of(time);

    collecting = 1;
    rest = rest + WHEEL;
    distance = distance + rest / 100;
    rest = rest % 100;
    if (now > fastest)
        fastest = now;
    speed = now;
    collecting = 0;
}

static void *collect(void *unused)
{
    while (1) {
        int time = any_time();

        pthread_mutex_lock(&trip);
        pulse(time);
        pthread_mutex_unlock(&trip);
    }
    return unused;
}

/* The trip begins anew. The speed stays below the fastest one all the time. */
static void reset(void)
{
    resetting = 1;
    speed = 0;
    fastest = 0;
    distance = 0;
    rest = 0;
    resetting = 0;
}

static void *buttons(void *unused)
{
    while (1) {
        switch (any_button()) {
        case BUTTON_MODE:
            pthread_mutex_lock(&trip);
            if (mode == MODES - 1)
                mode = MODE_SPEED;
            else
                mode = mode + 1;
            pthread_mutex_unlock(&trip);
            break;
        case BUTTON_RESET:
#ifndef SEEDED
            pthread_mutex_lock(&trip);
#endif
            reset();
#ifndef SEEDED
            pthread_mutex_unlock(&trip);
#endif
            break;
        default:
            break;
        }
    }
    return unused;
}

static void display(void)
{
    shown_mode = mode;
    switch (mode) {
    case MODE_SPEED:
        shown = speed;
        break;
    case MODE_DISTANCE:
        shown = distance;
        break;
    default:
        shown = fastest;
        break;
    }
}

int main(void)
{
    pthread_t collector, rider;

    pthread_create(&collector, 0, collect, 0);
    pthread_create(&rider, 0, buttons, 0);
    while (1) {
        pthread_mutex_lock(&trip);
        display();
        pthread_mutex_unlock(&trip);
    }
}
