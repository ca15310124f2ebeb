/* Functions of POSIX that tell what happens outside, over inputs with plain values. A block for each, behind an empty line: its
   inputs, then the function, in parentheses because headers may have macros of these names. A call that waits without a limit and
   finds nothing has been interrupted. A function whose line ends with `alone` is none of programs with threads. A process has at most 1,024 descriptors, as is the default; seconds since the epoch or since
   the machine started have 32 bits, that is, until the year 2106. The parts of a second are inputs whose ranges the catalogue of the library has. */

extern _Bool (poll_fails)(void);
extern short (poll_revents)(void);
static int (poll_among)(struct pollfd *file)
{
  file->revents = file->fd < 0 ? 0 : poll_revents() & (file->events | 56);
  return file->revents != 0;
}
static int (poll_outside)(struct pollfd *files, unsigned long count, int limit)
{
  int ready = 0;
  if (poll_fails()) return -1;
  for (unsigned long i = 0; i < count; i++) ready += poll_among(&files[i]);
  return ready == 0 && limit < 0 ? -1 : ready;
}

extern _Bool (ppoll_fails)(void);
extern short (ppoll_revents)(void);
static int (ppoll_among)(struct pollfd *file)
{
  file->revents = file->fd < 0 ? 0 : ppoll_revents() & (file->events | 56);
  return file->revents != 0;
}
static int (ppoll_outside)(struct pollfd *files, unsigned long count, const struct timespec *limit, const void *mask)
{
  int ready = 0;
  (void)mask;
  if (ppoll_fails()) return -1;
  for (unsigned long i = 0; i < count; i++) ready += ppoll_among(&files[i]);
  return ready == 0 && limit == 0 ? -1 : ready;
}

extern _Bool (select_fails)(void);
extern _Bool (select_ready)(void);
extern long (select_left)(void);
static int (select_among)(int count, fd_set *set)
{
  int ready = 0, bits = 8 * sizeof(long);
  for (int file = 0; set != 0 && file < count; file++) {
    unsigned long bit = 1ul << file % bits, *word = (unsigned long *)set + file / bits;
    if ((*word & bit) != 0) {
      if (select_ready()) ready++;
      else *word &= ~bit;
    }
  }
  return ready;
}
static int (select_outside)(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *limit)
{
  int ready;
  if (select_fails()) return -1;
  ready = select_among(count, reads);
  ready += select_among(count, writes);
  ready += select_among(count, others);
  if (limit != 0 && ready == 0) {
    limit->tv_sec = 0;
    limit->tv_usec = 0;
  } else if (limit != 0) { /* Linux says there how much time is left */
    long left = select_left();
    if (0 <= left && left < limit->tv_sec) limit->tv_sec = left;
  }
  return ready == 0 && limit == 0 ? -1 : ready;
}

extern int (waitpid_gives)(void);
extern int (waitpid_status)(void);
static int (waitpid_ended)(int given, int options)
{
  int low = given & 0xff, number = given & 0x7f;
  if (low == 0x7f && (options & 2) != 0) return given & 0xffff; /* stopped by a signal */
  if (number != 0 && number != 0x7f) return low; /* killed by one */
  return given & 0xff00; /* exited with this status */
}
static int (waitpid_outside)(int child, int *status, int options)
{
  int ended = waitpid_gives();
  if (ended < 0 || (ended == 0 && (options & 1) == 0)) return -1;
  if (ended > 0 && child > 0) ended = child;
  if (ended > 0 && status != 0) *status = waitpid_ended(waitpid_status(), options);
  return ended;
}

extern int (wait_gives)(void);
extern int (wait_status)(void);
static int (wait_outside)(int *status)
{
  int ended = wait_gives();
  if (ended <= 0) return -1;
  if (status != 0) { /* killed by a signal, or exited */
    int given = wait_status(), number = given & 0x7f;
    *status = number != 0 && number != 0x7f ? given & 0xff : given & 0xff00;
  }
  return ended;
}

extern _Bool (pipe_fails)(void);
extern int (pipe_gives)(void);
static int (pipe_outside)(int *pair)
{
  if (pipe_fails()) return -1;
  pair[0] = pipe_gives() & 1023;
  pair[1] = pipe_gives() & 1023;
  if (pair[1] == pair[0]) pair[1] = pair[0] ^ 1;
  return 0;
}

extern _Bool (pipe2_fails)(void);
extern int (pipe2_gives)(void);
static int (pipe2_outside)(int *pair, int flags)
{
  (void)flags;
  if (pipe2_fails()) return -1;
  pair[0] = pipe2_gives() & 1023;
  pair[1] = pipe2_gives() & 1023;
  if (pair[1] == pair[0]) pair[1] = pair[0] ^ 1;
  return 0;
}

extern _Bool (socketpair_fails)(void);
extern int (socketpair_gives)(void);
static int (socketpair_outside)(int domain, int type, int protocol, int *pair)
{
  (void)domain, (void)type, (void)protocol;
  if (socketpair_fails()) return -1;
  pair[0] = socketpair_gives() & 1023;
  pair[1] = socketpair_gives() & 1023;
  if (pair[1] == pair[0]) pair[1] = pair[0] ^ 1;
  return 0;
}

extern int (accept_gives)(void);
extern unsigned char (accept_address)(void);
static int (accept_outside)(int file, void *address, unsigned *size)
{
  int given = accept_gives();
  (void)file;
  if (given < 0 || given > 1023) return -1;
  for (unsigned i = 0; address != 0 && size != 0 && i < *size; i++) ((unsigned char *)address)[i] = accept_address();
  return given;
}

extern int (accept4_gives)(void);
extern unsigned char (accept4_address)(void);
static int (accept4_outside)(int file, void *address, unsigned *size, int flags)
{
  int given = accept4_gives();
  (void)file, (void)flags;
  if (given < 0 || given > 1023) return -1;
  for (unsigned i = 0; address != 0 && size != 0 && i < *size; i++) ((unsigned char *)address)[i] = accept4_address();
  return given;
}

extern _Bool (getpeername_fails)(void);
extern unsigned char (getpeername_address)(void);
static int (getpeername_outside)(int file, void *address, unsigned *size)
{
  (void)file;
  if (getpeername_fails()) return -1;
  for (unsigned i = 0; i < *size; i++) ((unsigned char *)address)[i] = getpeername_address();
  return 0;
}
/* the same: getsockname */

extern _Bool (getsockopt_fails)(void);
extern unsigned char (getsockopt_value)(void);
static int (getsockopt_outside)(int file, int level, int name, void *value, unsigned *size)
{
  (void)file, (void)level, (void)name;
  if (getsockopt_fails()) return -1;
  for (unsigned i = 0; i < *size; i++) ((unsigned char *)value)[i] = getsockopt_value();
  return 0;
}

extern unsigned char (recvfrom_address)(void);
static long (recvfrom_outside)(int file, void *bytes, unsigned long size, int flags, void *address, unsigned *length)
{
  long given = recv(file, bytes, size, flags);
  for (unsigned i = 0; given >= 0 && address != 0 && length != 0 && i < *length; i++)
    ((unsigned char *)address)[i] = recvfrom_address();
  return given;
}

extern int (ioctl_gives)(void);
extern int (ioctl_value)(void);
static int (ioctl_outside)(int file, unsigned long request, int *value)
{
  int given = ioctl_gives();
  (void)file, (void)request;
  if (given < 0) return -1;
  *value = ioctl_value();
  return given;
}

extern unsigned (time_second)(void);
static long (time_outside)(long *at) /* alone */
{
  long now = time_second();
  if (at != 0) *at = now;
  return now;
}

extern _Bool (clock_gettime_fails)(void);
extern unsigned (clock_gettime_second)(void);
extern unsigned (clock_gettime_nanosecond)(void);
static long (clock_gettime_seconds);
static long (clock_gettime_nanoseconds);
static int (clock_gettime_outside)(int clock, struct timespec *now) /* alone */
{
  long second = clock_gettime_second(), nanosecond = clock_gettime_nanosecond();
  if ((clock < 0 || clock > 11) && clock_gettime_fails()) return -1;
  if (clock == 1 && (second < clock_gettime_seconds || (second == clock_gettime_seconds && nanosecond < clock_gettime_nanoseconds))) {
    second = clock_gettime_seconds;
    nanosecond = clock_gettime_nanoseconds;
  }
  if (clock == 1) {
    clock_gettime_seconds = second;
    clock_gettime_nanoseconds = nanosecond;
  }
  now->tv_sec = second;
  now->tv_nsec = nanosecond;
  return 0;
}

extern unsigned (gettimeofday_second)(void);
extern unsigned (gettimeofday_microsecond)(void);
static int (gettimeofday_outside)(struct timeval *now, void *zone) /* alone */
{
  (void)zone;
  now->tv_sec = gettimeofday_second();
  now->tv_usec = gettimeofday_microsecond();
  return 0;
}

extern unsigned (timespec_get_second)(void);
extern unsigned (timespec_get_nanosecond)(void);
static int (timespec_get_outside)(struct timespec *now, int base) /* alone */
{
  if (base != 1) return 0;
  now->tv_sec = timespec_get_second();
  now->tv_nsec = timespec_get_nanosecond();
  return base;
}

extern unsigned (localtime_number)(void);
static int (localtime_below)(unsigned limit)
{
  unsigned given = localtime_number();
  return given < limit ? given : 0;
}
static struct tm (localtime_now);
static struct tm *(localtime_outside)(const long *at)
{
  (void)at;
  int year = localtime_below(207), month = localtime_below(12), leap = year % 4 == 0 && year != 0 && year != 200;
  int days = month == 1 ? 28 + leap : month == 3 || month == 5 || month == 8 || month == 10 ? 30 : 31;
  localtime_now.tm_sec = localtime_below(61);
  localtime_now.tm_min = localtime_below(60);
  localtime_now.tm_hour = localtime_below(24);
  localtime_now.tm_mday = 1 + localtime_below(days);
  localtime_now.tm_mon = month;
  localtime_now.tm_year = year;
  localtime_now.tm_wday = localtime_below(7);
  localtime_now.tm_yday = month * 31 - (month > 1 ? 3 - leap : 0) - (month > 3) - (month > 5) - (month > 8) - (month > 10) + localtime_now.tm_mday - 1;
  localtime_now.tm_isdst = localtime_below(2);
  return &localtime_now;
}
/* the same: gmtime */

extern unsigned (localtime_r_number)(void);
static int (localtime_r_below)(unsigned limit)
{
  unsigned given = localtime_r_number();
  return given < limit ? given : 0;
}
static struct tm *(localtime_r_outside)(const long *at, struct tm *to)
{
  (void)at;
  int year = localtime_r_below(207), month = localtime_r_below(12), leap = year % 4 == 0 && year != 0 && year != 200;
  int days = month == 1 ? 28 + leap : month == 3 || month == 5 || month == 8 || month == 10 ? 30 : 31;
  to->tm_sec = localtime_r_below(61);
  to->tm_min = localtime_r_below(60);
  to->tm_hour = localtime_r_below(24);
  to->tm_mday = 1 + localtime_r_below(days);
  to->tm_mon = month;
  to->tm_year = year;
  to->tm_wday = localtime_r_below(7);
  to->tm_yday = month * 31 - (month > 1 ? 3 - leap : 0) - (month > 3) - (month > 5) - (month > 8) - (month > 10) + to->tm_mday - 1;
  to->tm_isdst = localtime_r_below(2);
  return to;
}
/* the same: gmtime_r */
