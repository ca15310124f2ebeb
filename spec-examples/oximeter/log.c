/* System log of a pulse oximeter: a ring buffer in RAM, as large as the start of the program asks for.
 *
 * A reader takes entries out at `first`; a writer puts them in at `next`. When the buffer is full the
 * oldest entry is given up. The size is chosen once, by whoever configures the device.
 *
 * -DSEEDED: the index wraps one entry late.
 */

#define LOG_CAPACITY 32

/* What an entry says. */
#define LOG_BOOT 0x01
#define LOG_KEY 0x02
#define LOG_SENSOR 0x03
#define LOG_SERIAL 0x04
#define LOG_ERROR 0x05

/* What an operation answers. */
#define LOG_OK 0
#define LOG_EMPTY 1
#define LOG_OFF 2
#define LOG_REFUSED 3

struct log_entry {
    unsigned char kind;
    unsigned char value;
};

static struct log_entry buffer[LOG_CAPACITY];

unsigned int buffer_size = 0; /* entries that are used; 0: the log is off */
unsigned int next = 0;        /* where the next entry goes */
unsigned int first = 0;       /* the oldest entry */
unsigned int used = 0;        /* how many there are */

unsigned int lost = 0; /* entries that were given up */

/* The world around: what happens, and how large the log shall be. */
extern unsigned char any_event(void);
extern unsigned char any_value(void);
extern unsigned int any_size(void);

/* The entry behind another one. */
static unsigned int behind(unsigned int index)
{
#ifdef SEEDED
    if (index >= buffer_size)
        return 0;
    return index + 1;
#else
    if (index + 1 >= buffer_size)
        return 0;
    return index + 1;
#endif
}

/* Turns the log on. The indices are set first: the size makes them valid. */
static int log_init(unsigned int size)
{
    if (size == 0 || size > LOG_CAPACITY)
        return LOG_REFUSED;
    buffer_size = 0;
    next = 0;
    first = 0;
    used = 0;
    buffer_size = size;
    return LOG_OK;
}

/* Turns it off. */
static void log_off(void)
{
    buffer_size = 0;
}

static int log_insert(unsigned char kind, unsigned char value)
{
    if (buffer_size == 0)
        return LOG_OFF;
    if (used == buffer_size) {
        first = behind(first);
        used = used - 1;
        lost = lost + 1;
    }
    buffer[next % LOG_CAPACITY].kind = kind;
    buffer[next % LOG_CAPACITY].value = value;
    next = behind(next);
    used = used + 1;
    return LOG_OK;
}

static int log_remove(unsigned char *kind, unsigned char *value)
{
    if (buffer_size == 0)
        return LOG_OFF;
    if (used == 0)
        return LOG_EMPTY;
    *kind = buffer[first % LOG_CAPACITY].kind;
    *value = buffer[first % LOG_CAPACITY].value;
    first = behind(first);
    used = used - 1;
    return LOG_OK;
}

/* Everything in the log, oldest first, to the serial line: one entry a call. */
static unsigned char sent_kind;
static unsigned char sent_value;

static int log_dump(void)
{
    unsigned char kind = 0;
    unsigned char value = 0;
    int answer = log_remove(&kind, &value);

    if (answer != LOG_OK)
        return answer;
    sent_kind = kind;
    sent_value = value;
    return LOG_OK;
}

/* The harness: any events in any order, and now and then another size. */
int main(void)
{
    log_init(any_size());
    log_insert(LOG_BOOT, 0);
    while (1) {
        switch (any_event()) {
        case LOG_KEY:
            log_insert(LOG_KEY, any_value());
            break;
        case LOG_SENSOR:
            log_insert(LOG_SENSOR, any_value());
            break;
        case LOG_SERIAL:
            log_dump();
            break;
        case LOG_ERROR:
            log_insert(LOG_ERROR, any_value());
            break;
        case LOG_BOOT:
            log_off();
            log_init(any_size());
            break;
        default:
            break;
        }
    }
}
