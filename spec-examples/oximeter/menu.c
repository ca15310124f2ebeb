/* The application of a pulse oximeter: keys, menus, clock, limits of alarms, display.
 *
 * The main loop takes a key, lets the menu work on it, and gives the clock its tick. The menu has a state,
 * `mstate`: in state 1 the up key makes the measuring time longer, in seconds (`stime`). The start key
 * calls for a measurement (`q_startCall`).
 *
 * -DSEEDED_UP: the debouncing of the up key takes three presses one after the other for one.
 * -DSEEDED_START: a press of the start key is swallowed while a measurement may be running.
 * -DSTART: the harness is that of the start key, not of the up key.
 */

/* Keys. */
#define KEY_NONE 0
#define KEY_START 1
#define KEY_MODE 2
#define KEY_DOWN 3
#define KEY_UP 4

/* States of the menu. */
#define MENU_MEASURE 0
#define MENU_TIME 1
#define MENU_SPO2_LOW 2
#define MENU_RATE_LOW 3
#define MENU_RATE_HIGH 4
#define MENU_CONTRAST 5
#define MENU_VOLUME 6
#define MENU_LAST 6

/* The measuring time, in seconds. */
#define TIME_MIN 5
#define TIME_START 10
#define TIME_MAX 3600

/* The display. */
#define COLUMNS 16
#define LINES 2
#define PIXELS 80

/* Answers. */
#define OK 0
#define REFUSED 1

/* What the properties speak of. */
unsigned char press = KEY_NONE;    /* the key that is pressed */
unsigned char mstate = MENU_MEASURE; /* the state of the menu */
unsigned int stime = TIME_START;   /* the measuring time */
unsigned int refstime = 0;         /* what it was before the key, for the property */
unsigned char q_startCall = 0;     /* a measurement was called for */

struct glyph {
    char character;
    unsigned char columns[5];
};

struct clock {
    unsigned char hours;
    unsigned char minutes;
    unsigned char seconds;
    unsigned char ticks;
};

struct limits {
    unsigned char spo2_low;
    unsigned char rate_low;
    unsigned char rate_high;
};

struct settings {
    unsigned char contrast;
    unsigned char volume;
    struct limits limits;
};

struct measurement {
    unsigned char running;
    unsigned int left;
    unsigned char spo2;
    unsigned char rate;
    unsigned char valid;
};

struct debounce {
    unsigned char last;
    unsigned char count;
};

struct display {
    char text[LINES][COLUMNS];
    unsigned char pixels[LINES][PIXELS];
    unsigned char dirty;
    unsigned char light;
};

static struct clock wall;
static struct settings settings = { 8, 3, { 90, 50, 120 } };
static struct measurement measurement;
static struct debounce debounce;
static struct display display;

/* The world around. */
extern unsigned char any_key(void);
extern unsigned char any_spo2(void);
extern unsigned char any_rate(void);

/* ---- Glyphs ---------------------------------------------------------------------------------- */

/* The glyphs of the display, five columns each, lowest bit on top. */
static const struct glyph font[] = {
    { ' ', { 0, 0, 0, 0, 0 } },
    { '!', { 0, 0, 0x5f, 0, 0 } },
    { '%', { 0x23, 0x13, 0x08, 0x64, 0x62 } },
    { '-', { 0x08, 0x08, 0x08, 0x08, 0x08 } },
    { '.', { 0, 0x60, 0x60, 0, 0 } },
    { '/', { 0x20, 0x10, 0x08, 0x04, 0x02 } },
    { '0', { 0x3e, 0x51, 0x49, 0x45, 0x3e } },
    { '1', { 0, 0x42, 0x7f, 0x40, 0 } },
    { '2', { 0x42, 0x61, 0x51, 0x49, 0x46 } },
    { '3', { 0x21, 0x41, 0x45, 0x4b, 0x31 } },
    { '4', { 0x18, 0x14, 0x12, 0x7f, 0x10 } },
    { '5', { 0x27, 0x45, 0x45, 0x45, 0x39 } },
    { '6', { 0x3c, 0x4a, 0x49, 0x49, 0x30 } },
    { '7', { 0x01, 0x71, 0x09, 0x05, 0x03 } },
    { '8', { 0x36, 0x49, 0x49, 0x49, 0x36 } },
    { '9', { 0x06, 0x49, 0x49, 0x29, 0x1e } },
    { ':', { 0, 0x36, 0x36, 0, 0 } },
    { 'A', { 0x7e, 0x11, 0x11, 0x11, 0x7e } },
    { 'B', { 0x7f, 0x49, 0x49, 0x49, 0x36 } },
    { 'C', { 0x3e, 0x41, 0x41, 0x41, 0x22 } },
    { 'D', { 0x7f, 0x41, 0x41, 0x22, 0x1c } },
    { 'E', { 0x7f, 0x49, 0x49, 0x49, 0x41 } },
    { 'F', { 0x7f, 0x09, 0x09, 0x09, 0x01 } },
    { 'G', { 0x3e, 0x41, 0x49, 0x49, 0x7a } },
    { 'H', { 0x7f, 0x08, 0x08, 0x08, 0x7f } },
    { 'I', { 0, 0x41, 0x7f, 0x41, 0 } },
    { 'J', { 0x20, 0x40, 0x41, 0x3f, 0x01 } },
    { 'K', { 0x7f, 0x08, 0x14, 0x22, 0x41 } },
    { 'L', { 0x7f, 0x40, 0x40, 0x40, 0x40 } },
    { 'M', { 0x7f, 0x02, 0x0c, 0x02, 0x7f } },
    { 'N', { 0x7f, 0x04, 0x08, 0x10, 0x7f } },
    { 'O', { 0x3e, 0x41, 0x41, 0x41, 0x3e } },
    { 'P', { 0x7f, 0x09, 0x09, 0x09, 0x06 } },
    { 'Q', { 0x3e, 0x41, 0x51, 0x21, 0x5e } },
    { 'R', { 0x7f, 0x09, 0x19, 0x29, 0x46 } },
    { 'S', { 0x46, 0x49, 0x49, 0x49, 0x31 } },
    { 'T', { 0x01, 0x01, 0x7f, 0x01, 0x01 } },
    { 'U', { 0x3f, 0x40, 0x40, 0x40, 0x3f } },
    { 'V', { 0x1f, 0x20, 0x40, 0x20, 0x1f } },
    { 'W', { 0x3f, 0x40, 0x38, 0x40, 0x3f } },
    { 'X', { 0x63, 0x14, 0x08, 0x14, 0x63 } },
    { 'Y', { 0x07, 0x08, 0x70, 0x08, 0x07 } },
    { 'Z', { 0x61, 0x51, 0x49, 0x45, 0x43 } },
};

#define GLYPHS (int)(sizeof font / sizeof font[0])

/* The glyph of a character; that of a space for one which the display does not have. */
static const struct glyph *glyph_of(char character)
{
    int i;

    for (i = 0; i < GLYPHS; i++)
        if (font[i].character == character)
            return &font[i];
    return &font[0];
}

/* ---- Display --------------------------------------------------------------------------------- */

static void display_clear_line(unsigned char line)
{
    int i;

    if (line >= LINES)
        return;
    for (i = 0; i < COLUMNS; i++)
        display.text[line][i] = ' ';
    display.dirty = 1;
}

static void display_put(unsigned char line, unsigned char column, char character)
{
    if (line >= LINES || column >= COLUMNS)
        return;
    display.text[line][column] = character;
    display.dirty = 1;
}

/* A text from a column on; what does not fit is cut. */
static void display_text(unsigned char line, unsigned char column, const char *text)
{
    while (*text != 0 && column < COLUMNS) {
        display_put(line, column, *text);
        column++;
        text++;
    }
}

/* Two digits. */
static void display_two(unsigned char line, unsigned char column, unsigned char value)
{
    display_put(line, column, (char)('0' + value / 10 % 10));
    display_put(line, (unsigned char)(column + 1), (char)('0' + value % 10));
}

/* Three digits, without zeros in front. */
static void display_three(unsigned char line, unsigned char column, unsigned char value)
{
    display_put(line, column, value >= 100 ? (char)('0' + value / 100) : ' ');
    display_put(line, (unsigned char)(column + 1),
                value >= 10 ? (char)('0' + value / 10 % 10) : ' ');
    display_put(line, (unsigned char)(column + 2), (char)('0' + value % 10));
}

/* Four digits. */
static void display_four(unsigned char line, unsigned char column, unsigned int value)
{
    display_two(line, column, (unsigned char)(value / 100 % 100));
    display_two(line, (unsigned char)(column + 2), (unsigned char)(value % 100));
}

/* The glyphs of a line, as pixels. */
static void display_draw_line(unsigned char line)
{
    int i;
    int at = 0;

    if (line >= LINES)
        return;
    for (i = 0; i < COLUMNS; i++) {
        const struct glyph *glyph = glyph_of(display.text[line][i]);

        display.pixels[line][at] = glyph->columns[0];
        display.pixels[line][at + 1] = glyph->columns[1];
        display.pixels[line][at + 2] = glyph->columns[2];
        display.pixels[line][at + 3] = glyph->columns[3];
        display.pixels[line][at + 4] = glyph->columns[4];
        at += 5;
    }
}

static void display_draw(void)
{
    if (!display.dirty)
        return;
    display_draw_line(0);
    display_draw_line(1);
    display.dirty = 0;
}

static void display_light(unsigned char on)
{
    display.light = on;
}

/* ---- Clock ----------------------------------------------------------------------------------- */

/* Ticks of the timer in a second. */
#define TICKS 100

static void clock_second(void)
{
    wall.seconds++;
    if (wall.seconds < 60)
        return;
    wall.seconds = 0;
    wall.minutes++;
    if (wall.minutes < 60)
        return;
    wall.minutes = 0;
    wall.hours++;
    if (wall.hours < 24)
        return;
    wall.hours = 0;
}

/* One tick of the timer; whether a second is over. */
static int clock_tick(void)
{
    wall.ticks++;
    if (wall.ticks < TICKS)
        return 0;
    wall.ticks = 0;
    clock_second();
    return 1;
}

static void clock_set(unsigned char hours, unsigned char minutes)
{
    if (hours >= 24 || minutes >= 60)
        return;
    wall.hours = hours;
    wall.minutes = minutes;
    wall.seconds = 0;
    wall.ticks = 0;
}

static void clock_show(void)
{
    display_two(0, 8, wall.hours);
    display_put(0, 10, ':');
    display_two(0, 11, wall.minutes);
    display_put(0, 13, ':');
    display_two(0, 14, wall.seconds);
}

/* ---- Sound ----------------------------------------------------------------------------------- */

/* The register that the beeper is at: how loud, and how many ticks more. */
static unsigned char beeper_volume;
static unsigned char beeper_ticks;

static void beep(unsigned char ticks)
{
    beeper_volume = settings.volume;
    beeper_ticks = ticks;
}

static void beeper_tick(void)
{
    if (beeper_ticks == 0)
        return;
    beeper_ticks--;
    if (beeper_ticks == 0)
        beeper_volume = 0;
}

/* ---- Measurement ----------------------------------------------------------------------------- */

/* The last results, oldest first overwritten. */
#define HISTORY 8

struct result {
    unsigned char spo2;
    unsigned char rate;
    unsigned char hours;
    unsigned char minutes;
};

static struct result history[HISTORY];
static unsigned char history_next;
static unsigned char history_used;

static void history_add(unsigned char spo2, unsigned char rate)
{
    struct result *result = &history[history_next];

    result->spo2 = spo2;
    result->rate = rate;
    result->hours = wall.hours;
    result->minutes = wall.minutes;
    history_next = (unsigned char)((history_next + 1) % HISTORY);
    if (history_used < HISTORY)
        history_used++;
}

/* The mean of all saturations in the history; 0 if there is none. */
static unsigned char history_mean_spo2(void)
{
    unsigned int sum = 0;
    unsigned char i;

    if (history_used == 0)
        return 0;
    for (i = 0; i < history_used; i++)
        sum += history[i].spo2;
    return (unsigned char)(sum / history_used);
}

/* The mean of all rates. */
static unsigned char history_mean_rate(void)
{
    unsigned int sum = 0;
    unsigned char i;

    if (history_used == 0)
        return 0;
    for (i = 0; i < history_used; i++)
        sum += history[i].rate;
    return (unsigned char)(sum / history_used);
}

static void history_show(void)
{
    display_clear_line(1);
    display_text(1, 0, "MEAN");
    display_three(1, 5, history_mean_spo2());
    display_put(1, 8, '%');
    display_three(1, 10, history_mean_rate());
    display_put(1, 13, '/');
    display_text(1, 14, "M");
}

static void measurement_start(void)
{
    measurement.running = 1;
    measurement.left = stime;
    measurement.valid = 0;
    beep(10);
}

static void measurement_stop(void)
{
    measurement.running = 0;
    measurement.left = 0;
}

/* A second of a measurement. */
static void measurement_second(void)
{
    if (!measurement.running)
        return;
    measurement.spo2 = any_spo2();
    measurement.rate = any_rate();
    measurement.valid = measurement.spo2 != 0 && measurement.rate != 0;
    if (measurement.left > 0)
        measurement.left--;
    if (measurement.left == 0) {
        if (measurement.valid)
            history_add(measurement.spo2, measurement.rate);
        measurement_stop();
    }
}

/* Whether a result is outside of the limits. */
static int measurement_alarms(void)
{
    if (!measurement.valid)
        return 0;
    if (measurement.spo2 < settings.limits.spo2_low)
        return 1;
    if (measurement.rate < settings.limits.rate_low)
        return 1;
    return measurement.rate > settings.limits.rate_high;
}

static void measurement_show(void)
{
    display_text(1, 0, "SPO2");
    display_three(1, 5, measurement.spo2);
    display_put(1, 8, '%');
    display_text(1, 10, "HR");
    display_three(1, 13, measurement.rate);
}

/* ---- Menu ------------------------------------------------------------------------------------ */

/* What the first line says. */
static const char *menu_title(unsigned char state)
{
    switch (state) {
    case MENU_MEASURE:
        return "READY";
    case MENU_TIME:
        return "TIME";
    case MENU_SPO2_LOW:
        return "SPO2 LOW";
    case MENU_RATE_LOW:
        return "RATE LOW";
    case MENU_RATE_HIGH:
        return "RATE HIGH";
    case MENU_CONTRAST:
        return "CONTRAST";
    case MENU_VOLUME:
        return "VOLUME";
    default:
        return "-";
    }
}

static void menu_show(void)
{
    display_clear_line(0);
    display_clear_line(1);
    display_text(0, 0, menu_title(mstate));
    switch (mstate) {
    case MENU_MEASURE:
        clock_show();
        if (measurement.running)
            measurement_show();
        else
            history_show();
        break;
    case MENU_TIME:
        display_four(1, 0, stime);
        break;
    case MENU_SPO2_LOW:
        display_three(1, 0, settings.limits.spo2_low);
        break;
    case MENU_RATE_LOW:
        display_three(1, 0, settings.limits.rate_low);
        break;
    case MENU_RATE_HIGH:
        display_three(1, 0, settings.limits.rate_high);
        break;
    case MENU_CONTRAST:
        display_two(1, 0, settings.contrast);
        break;
    case MENU_VOLUME:
        display_two(1, 0, settings.volume);
        break;
    default:
        break;
    }
}

static void menu_next(void)
{
    if (mstate == MENU_LAST)
        mstate = MENU_MEASURE;
    else
        mstate = (unsigned char)(mstate + 1);
}

static int raise(unsigned char *value, unsigned char max)
{
    if (*value >= max)
        return REFUSED;
    *value = (unsigned char)(*value + 1);
    return OK;
}

static int lower(unsigned char *value, unsigned char min)
{
    if (*value <= min)
        return REFUSED;
    *value = (unsigned char)(*value - 1);
    return OK;
}

static int time_longer(void)
{
    if (stime >= TIME_MAX)
        return REFUSED;
    stime = stime + 1;
    return OK;
}

static int time_shorter(void)
{
    if (stime <= TIME_MIN)
        return REFUSED;
    stime = stime - 1;
    return OK;
}

/* The up key. */
static int menu_up(void)
{
    switch (mstate) {
    case MENU_TIME:
        return time_longer();
    case MENU_SPO2_LOW:
        return raise(&settings.limits.spo2_low, 99);
    case MENU_RATE_LOW:
        return raise(&settings.limits.rate_low, 119);
    case MENU_RATE_HIGH:
        return raise(&settings.limits.rate_high, 250);
    case MENU_CONTRAST:
        return raise(&settings.contrast, 15);
    case MENU_VOLUME:
        return raise(&settings.volume, 7);
    default:
        return REFUSED;
    }
}

/* The down key. */
static int menu_down(void)
{
    switch (mstate) {
    case MENU_TIME:
        return time_shorter();
    case MENU_SPO2_LOW:
        return lower(&settings.limits.spo2_low, 50);
    case MENU_RATE_LOW:
        return lower(&settings.limits.rate_low, 20);
    case MENU_RATE_HIGH:
        return lower(&settings.limits.rate_high, 60);
    case MENU_CONTRAST:
        return lower(&settings.contrast, 1);
    case MENU_VOLUME:
        return lower(&settings.volume, 0);
    default:
        return REFUSED;
    }
}

/* The start key. */
static void menu_start(void)
{
    if (measurement.running) {
        measurement_stop();
        return;
    }
    q_startCall = 1;
    measurement_start();
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Whether a press counts. */
static int counts(unsigned char key)
{
#ifdef SEEDED_UP
    /* Contacts bounce: the same key again is the same press, up to three times. */
    if (key == debounce.last && debounce.count < 3) {
        debounce.count++;
        return 0;
    }
    debounce.last = key;
    debounce.count = 1;
    return 1;
#else
    debounce.last = key;
    debounce.count = 1;
    return 1;
#endif
}

/* A key event. */
static void on_key(unsigned char key)
{
    int answer = OK;

    switch (key) {
    case KEY_START:
#ifndef SEEDED_START
        menu_start();
#endif
        break;
    case KEY_MODE:
        menu_next();
        break;
    case KEY_UP:
        answer = menu_up();
        break;
    case KEY_DOWN:
        answer = menu_down();
        break;
    default:
        break;
    }
    if (answer != OK)
        beep(50);
}

/* A key from the keyboard driver. */
static void keyboard(unsigned char key)
{
    press = key;
    if (key == KEY_NONE)
        return;
    display_light(1);
    if (counts(key))
        on_key(key);
}

/* ---- Start ----------------------------------------------------------------------------------- */

static void device_init(void)
{
    clock_set(12, 0);
    measurement_stop();
    display_light(0);
    display_clear_line(0);
    display_clear_line(1);
}

/* What a turn of the main loop does besides the keys. */
static void turn(void)
{
    beeper_tick();
    if (clock_tick()) {
        measurement_second();
        if (measurement_alarms())
            beep(20);
        menu_show();
    }
    display_draw();
}

#ifndef START

/* The harness of the up key: it is pressed once in each turn, while the time is being set. */
int main(void)
{
    device_init();
    mstate = MENU_TIME;
    while (1) {
        refstime = stime;
        keyboard(KEY_UP);
        turn();
    }
}

#else

/* The harness of the start key: any keys, and in each turn the start key after them. */
int main(void)
{
    unsigned char key;

    device_init();
    while (1) {
        key = any_key();
        if (key != KEY_START)
            keyboard(key);
        keyboard(KEY_START);
        turn();
    }
}

#endif
