/* Serial line between the sensor module of a pulse oximeter and its main board.
 *
 * The module sends frames: a start byte, a category, a length, so many bytes of data, a check byte, an end
 * byte. The receiver is a state machine that the serial interrupt feeds byte by byte. `pInCat` says that
 * a category was taken from the line, `flag2` that a whole frame waits in the second buffer; `flata1` that
 * the application has been given data. Each of both leads to the data being given on.
 *
 * -DSEEDED: a frame of the category that carries the pulse wave is checked and then forgotten.
 */

/* Bytes of the frame. */
#define START_BYTE 0xfa
#define END_BYTE 0xaf
#define ESCAPE_BYTE 0x7d

/* Categories. */
#define CAT_NONE 0x00
#define CAT_SPO2 0x01
#define CAT_RATE 0x02
#define CAT_WAVE 0x03
#define CAT_STATUS 0x04
#define CAT_ALARM 0x05
#define CAT_VERSION 0x06
#define CAT_ECHO 0x07

/* The longest data of a frame. */
#define DATA_MAX 4

/* What a receiver answers to a byte. */
#define RX_MORE 0
#define RX_FRAME 1
#define RX_ERROR 2

/* Bits of the status byte. */
#define STATUS_NO_FINGER 0x01
#define STATUS_NO_SENSOR 0x02
#define STATUS_WEAK 0x04
#define STATUS_ARTEFACT 0x08
#define STATUS_BATTERY 0x10

/* Limits of alarms. */
#define SPO2_LOW 90
#define SPO2_HIGH 100
#define RATE_LOW 50
#define RATE_HIGH 120

/* Registers of the serial port. */
unsigned char SBUF = 0; /* the byte that was received or is to be sent */
unsigned char RI = 0;   /* a byte was received */
unsigned char TI = 0;   /* a byte was sent */

/* What the property speaks of. */
unsigned char pInCat = 0; /* a category was taken from the line */
unsigned char flag2 = 0;  /* a frame waits in the second buffer */
unsigned char flata1 = 0; /* the application was given data */

/* States of the receiver. */
enum rx_state {
    RX_WAIT_START,
    RX_WAIT_CATEGORY,
    RX_WAIT_LENGTH,
    RX_WAIT_DATA,
    RX_WAIT_CHECK,
    RX_WAIT_END
};

struct frame {
    unsigned char category;
    unsigned char length;
    unsigned char data[DATA_MAX];
    unsigned char check;
};

struct receiver {
    enum rx_state state;
    unsigned char at;
    unsigned char sum;
    struct frame frame;
};

struct statistics {
    unsigned int frames;
    unsigned int bad_category;
    unsigned int bad_length;
    unsigned int bad_check;
    unsigned int bad_end;
    unsigned int overruns;
    unsigned int unknown;
};

struct measurement {
    unsigned char spo2;
    unsigned char rate;
    unsigned char wave;
    unsigned char status;
    unsigned char alarms;
    unsigned char version_major;
    unsigned char version_minor;
    unsigned char echo;
};

struct transmitter {
    unsigned char busy;
    unsigned char length;
    unsigned char at;
    unsigned char data[DATA_MAX];
};

static struct receiver receiver;
static struct statistics statistics;
static struct measurement measurement;
static struct transmitter transmitter;

/* The second buffer: the frame that the application works on while the next one comes in. */
static struct frame second;

/* The world around. */
extern unsigned char any_byte(void);
extern unsigned char any_spo2(void);
extern unsigned char any_rate(void);
extern unsigned char any_choice(void);

/* ---- Categories ------------------------------------------------------------------------------ */

/* Whether a byte is a category. */
static int is_category(unsigned char byte)
{
    switch (byte) {
    case CAT_SPO2:
    case CAT_RATE:
    case CAT_WAVE:
    case CAT_STATUS:
    case CAT_ALARM:
    case CAT_VERSION:
    case CAT_ECHO:
        return 1;
    default:
        return 0;
    }
}

/* How many bytes of data a category has. */
static unsigned char length_of(unsigned char category)
{
    switch (category) {
    case CAT_SPO2:
        return 1;
    case CAT_RATE:
        return 1;
    case CAT_WAVE:
        return 1;
    case CAT_STATUS:
        return 1;
    case CAT_ALARM:
        return 1;
    case CAT_VERSION:
        return 2;
    case CAT_ECHO:
        return 1;
    default:
        return 0;
    }
}

/* The names of categories, for the log. */
static const char *name_of(unsigned char category)
{
    switch (category) {
    case CAT_SPO2:
        return "oxygen saturation";
    case CAT_RATE:
        return "pulse rate";
    case CAT_WAVE:
        return "pulse wave";
    case CAT_STATUS:
        return "status";
    case CAT_ALARM:
        return "alarm";
    case CAT_VERSION:
        return "version";
    case CAT_ECHO:
        return "echo";
    default:
        return "unknown";
    }
}

/* ---- Receiver -------------------------------------------------------------------------------- */

static void receiver_reset(void)
{
    receiver.state = RX_WAIT_START;
    receiver.at = 0;
    receiver.sum = 0;
}

static int on_start(unsigned char byte)
{
    if (byte == START_BYTE) {
        receiver.state = RX_WAIT_CATEGORY;
        receiver.at = 0;
        receiver.sum = 0;
    }
    return RX_MORE;
}

static int on_category(unsigned char byte)
{
    if (!is_category(byte)) {
        statistics.bad_category++;
        receiver_reset();
        return RX_ERROR;
    }
    receiver.frame.category = byte;
    receiver.sum = (unsigned char)(receiver.sum + byte);
    receiver.state = RX_WAIT_LENGTH;
    return RX_MORE;
}

static int on_length(unsigned char byte)
{
    if (byte != length_of(receiver.frame.category) || byte > DATA_MAX) {
        statistics.bad_length++;
        receiver_reset();
        return RX_ERROR;
    }
    receiver.frame.length = byte;
    receiver.sum = (unsigned char)(receiver.sum + byte);
    receiver.at = 0;
    receiver.state = byte == 0 ? RX_WAIT_CHECK : RX_WAIT_DATA;
    return RX_MORE;
}

static int on_data(unsigned char byte)
{
    if (receiver.at >= DATA_MAX) {
        statistics.overruns++;
        receiver_reset();
        return RX_ERROR;
    }
    receiver.frame.data[receiver.at] = byte;
    receiver.at++;
    receiver.sum = (unsigned char)(receiver.sum + byte);
    if (receiver.at == receiver.frame.length)
        receiver.state = RX_WAIT_CHECK;
    return RX_MORE;
}

static int on_check(unsigned char byte)
{
    if (byte != receiver.sum) {
        statistics.bad_check++;
        receiver_reset();
        return RX_ERROR;
    }
    receiver.frame.check = byte;
    receiver.state = RX_WAIT_END;
    return RX_MORE;
}

static int on_end(unsigned char byte)
{
    receiver_reset();
    if (byte != END_BYTE) {
        statistics.bad_end++;
        return RX_ERROR;
    }
    statistics.frames++;
    return RX_FRAME;
}

/* One byte from the line. */
static int receive(unsigned char byte)
{
    switch (receiver.state) {
    case RX_WAIT_START:
        return on_start(byte);
    case RX_WAIT_CATEGORY:
        return on_category(byte);
    case RX_WAIT_LENGTH:
        return on_length(byte);
    case RX_WAIT_DATA:
        return on_data(byte);
    case RX_WAIT_CHECK:
        return on_check(byte);
    case RX_WAIT_END:
        return on_end(byte);
    default:
        receiver_reset();
        return RX_ERROR;
    }
}

/* Moves the frame to the second buffer, byte by byte as the processor does. */
static void take_frame(void)
{
    second.category = receiver.frame.category;
    second.length = receiver.frame.length;
    second.data[0] = receiver.frame.data[0];
    second.data[1] = receiver.frame.data[1];
    second.data[2] = receiver.frame.data[2];
    second.data[3] = receiver.frame.data[3];
    second.check = receiver.frame.check;
    pInCat = second.category != CAT_NONE;
    flag2 = 1;
}

/* ---- Measurements ---------------------------------------------------------------------------- */

#define ALARM_SPO2 0x01
#define ALARM_RATE 0x02
#define ALARM_SENSOR 0x04
#define ALARM_BATTERY 0x08

static void alarm_set(unsigned char which)
{
    measurement.alarms = (unsigned char)(measurement.alarms | which);
}

static void alarm_clear(unsigned char which)
{
    measurement.alarms = (unsigned char)(measurement.alarms & ~which);
}

/* A saturation is a number of percent. */
static int spo2_is_valid(unsigned char value)
{
    return value > 0 && value <= 100;
}

static int rate_is_valid(unsigned char value)
{
    return value >= 20 && value <= 250;
}

static void store_spo2(unsigned char value)
{
    if (!spo2_is_valid(value)) {
        alarm_set(ALARM_SENSOR);
        return;
    }
    measurement.spo2 = value;
    if (value < SPO2_LOW || value > SPO2_HIGH)
        alarm_set(ALARM_SPO2);
    else
        alarm_clear(ALARM_SPO2);
}

static void store_rate(unsigned char value)
{
    if (!rate_is_valid(value)) {
        alarm_set(ALARM_SENSOR);
        return;
    }
    measurement.rate = value;
    if (value < RATE_LOW || value > RATE_HIGH)
        alarm_set(ALARM_RATE);
    else
        alarm_clear(ALARM_RATE);
}

static void store_wave(unsigned char value)
{
    /* A first order low pass: the display must not jump. */
    unsigned int sum = 3u * measurement.wave + value;

    measurement.wave = (unsigned char)(sum / 4);
}

static void store_status(unsigned char value)
{
    measurement.status = value;
    if (value & (STATUS_NO_FINGER | STATUS_NO_SENSOR))
        alarm_set(ALARM_SENSOR);
    else
        alarm_clear(ALARM_SENSOR);
    if (value & STATUS_BATTERY)
        alarm_set(ALARM_BATTERY);
    else
        alarm_clear(ALARM_BATTERY);
}

static void store_alarm(unsigned char value)
{
    measurement.alarms = (unsigned char)(measurement.alarms | (value & 0x0f));
}

static void store_version(unsigned char major, unsigned char minor)
{
    measurement.version_major = major;
    measurement.version_minor = minor;
}

static void store_echo(unsigned char value)
{
    measurement.echo = value;
}

/* ---- Transmitter ----------------------------------------------------------------------------- */

static int transmit_start(unsigned char length)
{
    if (transmitter.busy || length > DATA_MAX)
        return 0;
    transmitter.length = length;
    transmitter.at = 0;
    transmitter.busy = 1;
    return 1;
}

static void transmit_byte(unsigned char index, unsigned char byte)
{
    if (index < DATA_MAX)
        transmitter.data[index] = byte;
}

/* The serial interrupt for a byte that was sent. */
static void transmit_next(void)
{
    TI = 0;
    if (!transmitter.busy)
        return;
    if (transmitter.at < transmitter.length && transmitter.at < DATA_MAX) {
        SBUF = transmitter.data[transmitter.at];
        transmitter.at++;
        return;
    }
    transmitter.busy = 0;
}

/* Asks the module for a category. */
static int request(unsigned char category)
{
    if (!is_category(category))
        return 0;
    if (!transmit_start(3))
        return 0;
    transmit_byte(0, START_BYTE);
    transmit_byte(1, category);
    transmit_byte(2, END_BYTE);
    TI = 1;
    return 1;
}

/* ---- Application ----------------------------------------------------------------------------- */

/* What was given to the application last, for the display. */
static const char *shown = "";

static void give(unsigned char category)
{
    shown = name_of(category);
    flata1 = 1;
}

/* The frame in the second buffer is worked on, and its place is free again. */
static void dispatch(void)
{
    switch (second.category) {
    case CAT_SPO2:
        store_spo2(second.data[0]);
        give(CAT_SPO2);
        break;
    case CAT_RATE:
        store_rate(second.data[0]);
        give(CAT_RATE);
        break;
    case CAT_WAVE:
        store_wave(second.data[0]);
#ifndef SEEDED
        give(CAT_WAVE);
#endif
        break;
    case CAT_STATUS:
        store_status(second.data[0]);
        give(CAT_STATUS);
        break;
    case CAT_ALARM:
        store_alarm(second.data[0]);
        give(CAT_ALARM);
        break;
    case CAT_VERSION:
        store_version(second.data[0], second.data[1]);
        give(CAT_VERSION);
        break;
    case CAT_ECHO:
        store_echo(second.data[0]);
        give(CAT_ECHO);
        break;
    default:
        statistics.unknown++;
        give(CAT_NONE);
        break;
    }
    pInCat = 0;
    flag2 = 0;
}

/* The application has read its data. */
static void acknowledge(void)
{
    flata1 = 0;
}

/* The serial interrupt for a byte that was received. */
static void interrupt(void)
{
    RI = 0;
    if (receive(SBUF) == RX_FRAME)
        take_frame();
}

/* ---- Harness --------------------------------------------------------------------------------- */

static void line(unsigned char byte)
{
    SBUF = byte;
    RI = 1;
    interrupt();
}

/* A frame with one byte of data, right in all its bytes. */
static void frame_of_one(unsigned char category, unsigned char value)
{
    line(START_BYTE);
    line(category);
    line(1);
    line(value);
    line((unsigned char)(category + 1 + value));
    line(END_BYTE);
}

static void frame_of_two(unsigned char category, unsigned char one, unsigned char two)
{
    line(START_BYTE);
    line(category);
    line(2);
    line(one);
    line(two);
    line((unsigned char)(category + 2 + one + two));
    line(END_BYTE);
}

int main(void)
{
    receiver_reset();
    while (1) {
        acknowledge();
        switch (any_choice()) {
        case 0:
            frame_of_one(CAT_SPO2, any_spo2());
            break;
        case 1:
            frame_of_one(CAT_RATE, any_rate());
            break;
        case 2:
            frame_of_one(CAT_WAVE, any_byte());
            break;
        case 3:
            frame_of_one(CAT_STATUS, any_byte());
            break;
        case 4:
            frame_of_two(CAT_VERSION, any_byte(), any_byte());
            break;
        case 5:
            /* Noise. */
            line(any_byte());
            break;
        default:
            request(any_byte());
            transmit_next();
            break;
        }
        if (flag2)
            dispatch();
    }
}
