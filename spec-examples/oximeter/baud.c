/* Serial port of a pulse oximeter (8051, crystal of 11.0592 MHz): the baud rate decides what timer 1 is
 * reloaded with.
 *
 * Timer 1 in mode 2 counts from TH1 to 255; its overflows, divided by 32 (by 16 if SMOD is set), are
 * the baud rate: TH1 = 256 - 11059200 / (384 * rate). The registers are globals here.
 *
 * -DSEEDED: the reload value for 1200 baud is that of a crystal of 12 MHz.
 */

/* Special function registers. */
unsigned char TH1 = 0;  /* reload value of timer 1 */
unsigned char TL1 = 0;  /* timer 1 */
unsigned char TMOD = 0; /* modes of the timers */
unsigned char TCON = 0; /* control of the timers */
unsigned char SCON = 0; /* control of the serial port */
unsigned char PCON = 0; /* power control; its highest bit is SMOD */
unsigned char IE = 0;   /* interrupt enable */

/* Bits of TMOD, TCON, SCON, PCON and IE. */
#define T1_MODE_MASK 0xf0
#define T1_AUTO_RELOAD 0x20
#define TR1 0x40
#define SM1 0x40
#define REN 0x10
#define SMOD 0x80
#define ES 0x10

/* Answers. */
#define UART_OK 0
#define UART_BAD_RATE 1
#define UART_BAD_MODE 2

/* How words are framed. */
enum framing { FRAME_8N1, FRAME_8E1, FRAME_7E1 };

struct uart_state {
    unsigned char open;
    unsigned char framing;
    unsigned int errors;
};

unsigned int brate = 0; /* the baud rate that was asked for */

static struct uart_state uart;

/* The world around: which rate and framing the configuration asks for. */
extern unsigned char any_rate(void);
extern unsigned char any_framing(void);
extern unsigned char any_action(void);

/* The rates of the configuration menu. */
static unsigned int rate_of(unsigned char choice)
{
    switch (choice) {
    case 0:
        return 300;
    case 1:
        return 600;
    case 2:
        return 1200;
    case 3:
        return 2400;
    case 4:
        return 4800;
    case 5:
        return 9600;
    case 6:
        return 19200;
    default:
        return 0;
    }
}

/* What timer 1 is reloaded with; 0 if the rate cannot be made. */
static unsigned char reload_of(unsigned int rate)
{
    switch (rate) {
    case 300:
        return 0xa0;
    case 600:
        return 0xd0;
    case 1200:
#ifdef SEEDED
        return 0xe6;
#else
        return 0xe8;
#endif
    case 2400:
        return 0xf4;
    case 4800:
        return 0xfa;
    case 9600:
        return 0xfd;
    case 19200:
        /* With SMOD. */
        return 0xfd;
    default:
        return 0;
    }
}

static void timer1_stop(void)
{
    TCON = (unsigned char)(TCON & ~TR1);
}

static void timer1_start(unsigned char reload)
{
    TMOD = (unsigned char)((TMOD & ~T1_MODE_MASK) | T1_AUTO_RELOAD);
    TH1 = reload;
    TL1 = reload;
    TCON = (unsigned char)(TCON | TR1);
}

static void uart_close(void)
{
    IE = (unsigned char)(IE & ~ES);
    SCON = (unsigned char)(SCON & ~REN);
    timer1_stop();
    uart.open = 0;
}

static int uart_framing(unsigned char framing)
{
    if (framing > FRAME_7E1)
        return UART_BAD_MODE;
    uart.framing = framing;
    return UART_OK;
}

/* Opens the port. A rate that cannot be made leaves it closed. */
static int uart_open(unsigned int rate)
{
    unsigned char reload = reload_of(rate);

    if (reload == 0) {
        uart.errors++;
        return UART_BAD_RATE;
    }
    uart_close();
    brate = rate;
    if (rate == 19200)
        PCON = (unsigned char)(PCON | SMOD);
    else
        PCON = (unsigned char)(PCON & ~SMOD);
    timer1_start(reload);
    SCON = SM1 | REN;
    IE = (unsigned char)(IE | ES);
    uart.open = 1;
    return UART_OK;
}

/* The harness: the configuration menu, in any order. */
int main(void)
{
    while (1) {
        switch (any_action()) {
        case 0:
            uart_open(rate_of(any_rate()));
            break;
        case 1:
            if (uart_framing(any_framing()) != UART_OK)
                uart.errors++;
            break;
        case 2:
            uart_close();
            break;
        default:
            /* Nothing happens. */
            break;
        }
    }
}
