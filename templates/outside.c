/* Functions of POSIX that tell what happens outside, over inputs with plain values. A block for each, behind an empty line: its
   inputs, then the function, in parentheses because headers may have macros of these names. A call that waits without a limit and
   finds nothing has been interrupted. A process has at most 1,024 descriptors, as is the default. */

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

extern _Bool (getsockname_fails)(void);
extern unsigned char (getsockname_address)(void);
static int (getsockname_outside)(int file, void *address, unsigned *size)
{
  (void)file;
  if (getsockname_fails()) return -1;
  for (unsigned i = 0; i < *size; i++) ((unsigned char *)address)[i] = getsockname_address();
  return 0;
}

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
