/* Keyboard of a pulse oximeter: one scan of a matrix of three keys gives a key and a command.
 *
 * -DSEEDED: the start key gives the command of the mode key.
 */

#define KEY_NONE 0
#define KEY_START 1
#define KEY_MODE 2
#define KEY_UP 4

#define COMMAND_NONE 0
#define COMMAND_START 1
#define COMMAND_MODE 2
#define COMMAND_UP 3

unsigned char the_key = KEY_NONE; /* the key of the last scan */
unsigned char command = COMMAND_NONE;

/* The port that the keys are at: a pressed key pulls its line down. */
extern unsigned char read_port(void);

/* One line alone counts; two keys at a time are none. */
static unsigned char decode(unsigned char port)
{
    unsigned char pressed = (unsigned char)(~port & 0x07);

    if (pressed == KEY_START || pressed == KEY_MODE || pressed == KEY_UP)
        return pressed;
    return KEY_NONE;
}

static unsigned char command_of(unsigned char key)
{
    switch (key) {
    case KEY_START:
#ifdef SEEDED
        return COMMAND_MODE;
#else
        return COMMAND_START;
#endif
    case KEY_MODE:
        return COMMAND_MODE;
    case KEY_UP:
        return COMMAND_UP;
    default:
        return COMMAND_NONE;
    }
}

int main(void)
{
    while (1) {
        the_key = decode(read_port());
        command = command_of(the_key);
    }
}
