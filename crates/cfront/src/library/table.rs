//! The rows of the catalogue. A function of the library is added here, and nowhere else.

use super::compilers::{ARITHMETIC, ATOMICS, COMPILERS};
use super::posix::{ANSWERS, FILES};
use super::rows::{exits, f, handles, idle, jumps, prints, pure, sends, to};
use super::{Bytes, Contract, Ends, Family, Function, Jump, Lock, Runs, Size, Writes};

const SIGNAL: &str = "it sends a signal, which may end the process or run a handler";
const LATER: &str = "it lets a signal come later, which may end the process or run a handler";
const EXCHANGED: &str = "another program takes the place of this one, whose run ends";

/// The greatest random number.
const RANDOM: i64 = i32::MAX as i64;
/// All flags of an x86 processor.
const FLAGS: i64 = (1 << 22) - 1;

/// All sections.
pub(super) const TABLE: [&[Function]; 15] = [
    OUTPUT, TIME, MEMORY, STRINGS, NUMBERS, INPUT, FILES, ANSWERS, ENDS, SIGNALS, THREADS, LOCKS,
    COMPILERS, ATOMICS, ARITHMETIC,
];

const OUTPUT: &[Function] = &[
    prints("printf", "int"),
    exits("__VERIFIER_error").silent("void", None),
    prints("fprintf", "int"),
    prints("vprintf", "int"),
    prints("vfprintf", "int"),
    prints("dprintf", "int"),
    prints("puts", "int").from(-1),
    prints("fputs", "int").from(-1),
    prints("putchar", "int"),
    prints("putc", "int"),
    prints("fputc", "int"),
    prints("fflush", "int").succeeds(),
    prints("fclose", "int").succeeds(),
    prints("setvbuf", "int"),
    prints("setbuf", "void"),
    prints("perror", "void"),
    prints("clearerr", "void"),
    f("srand").silent("void", Some("stdlib.h")),
    f("srandom").silent("void", Some("stdlib.h")),
];

const TIME: &[Function] = &[
    pure("sleep").passes("unistd.h"),
    pure("usleep").passes("unistd.h"),
    idle("nanosleep").passes("time.h"),
    idle("clock_nanosleep").passes("time.h"),
    idle("sched_yield").passes("sched.h"),
    idle("pthread_yield"),
    idle("thrd_yield"),
    idle("thrd_sleep"),
    idle("pthread_setname_np"),
    idle("pthread_getname_np"),
    idle("pthread_setaffinity_np"),
    idle("pthread_setconcurrency"),
    idle("pthread_setschedparam"),
    idle("pthread_setschedprio"),
    idle("pthread_setcancelstate"),
    idle("pthread_setcanceltype"),
    idle("pthread_testcancel"),
    idle("pthread_attr_init"),
    idle("pthread_attr_destroy"),
    idle("pthread_attr_setdetachstate"),
    idle("pthread_attr_setstacksize"),
    idle("pthread_attr_setstack"),
    idle("pthread_attr_setguardsize"),
    idle("pthread_attr_setscope"),
    idle("pthread_attr_setinheritsched"),
    idle("pthread_attr_setschedpolicy"),
    idle("pthread_attr_setschedparam"),
    idle("pthread_attr_setaffinity_np"),
    idle("pthread_mutexattr_setpshared"),
    idle("pthread_mutexattr_setprotocol"),
    idle("pthread_mutexattr_setprioceiling"),
    idle("pthread_condattr_init"),
    idle("pthread_condattr_destroy"),
    idle("pthread_condattr_setpshared"),
    idle("pthread_condattr_setclock"),
    idle("pthread_rwlockattr_init"),
    idle("pthread_rwlockattr_destroy"),
    idle("pthread_rwlockattr_setpshared"),
    idle("pthread_rwlockattr_setkind_np"),
    idle("pthread_barrierattr_init"),
    idle("pthread_barrierattr_destroy"),
    idle("pthread_barrierattr_setpshared"),
    idle("pthread_getschedparam"),
    idle("pthread_getcpuclockid"),
    idle("__sched_yield"),
    idle("__builtin_ia32_pause"),
    to("time", &[0]).reads(),
    f("clock").reads().from(-1),
    f("gettimeofday").reads().succeeds(),
    f("clock_gettime").reads().succeeds().lock(Lock::Looks),
    // What `templates/outside.c` computes times from.
    f("clock_gettime_nanosecond").reads().within(0, 999_999_999),
    f("timespec_get_nanosecond").reads().within(0, 999_999_999),
    f("gettimeofday_microsecond").reads().within(0, 999_999),
    f("clock_getres").reads().succeeds(),
    f("timespec_get").lock(Lock::Looks),
    f("times").reads(),
    f("strftime").vague(),
    f("asctime").vague(),
    f("ctime").vague(),
    f("gmtime").vague(),
    f("localtime").vague(),
    f("mktime").vague(),
    f("timegm").vague(),
];

const MEMORY: &[Function] = &[
    pure("malloc")
        .known()
        .allocates()
        .prototype("void *malloc(unsigned long);"),
    pure("calloc")
        .known()
        .allocates()
        .prototype("void *calloc(unsigned long, unsigned long);"),
    f("realloc")
        .known()
        .allocates()
        .prototype("void *realloc(void *, unsigned long);"),
    f("reallocarray").may_allocate(),
    f("aligned_alloc").allocates(),
    // Functions of Linux, see `weave/src/library/prototypes.rs`.
    pure("kmalloc").allocates(),
    pure("__kmalloc").allocates(),
    pure("kzalloc").allocates(),
    pure("kcalloc").allocates(),
    pure("kmalloc_array").allocates(),
    pure("vmalloc").allocates(),
    pure("vzalloc").allocates(),
    pure("kvmalloc").allocates(),
    pure("kvzalloc").allocates(),
    pure("devm_kmalloc").allocates(),
    pure("devm_kzalloc").allocates(),
    pure("kfree"),
    pure("vfree"),
    pure("kvfree"),
    f("memalign").may_allocate(),
    f("valloc").may_allocate(),
    f("pvalloc").may_allocate(),
    f("posix_memalign").allocates(),
    f("alloca").may_allocate(),
    f("mmap").may_allocate(),
    f("mmap64").may_allocate(),
    f("sbrk").may_allocate(),
    pure("free").known().prototype("void free(void *);"),
    to("memcpy", &[0])
        .fills(Size::Argument(2), true)
        .known()
        .prototype("void *memcpy(void *, const void *, unsigned long);"),
    to("memmove", &[0])
        .fills(Size::Argument(2), true)
        .known()
        .prototype("void *memmove(void *, const void *, unsigned long);"),
    to("mempcpy", &[0]).fills(Size::Argument(2), true),
    to("memset", &[0]).fills(Size::Argument(2), false).known(),
    to("bzero", &[0]).fills(Size::Argument(1), false),
    to("explicit_bzero", &[0]).fills(Size::Argument(1), false),
    to("bcopy", &[1]),
    to("qsort", &[0]).defined(),
    // It calls the function that it is given.
    to("bsearch", &[]).defined(),
    pure("memcmp")
        .known()
        .prototype("int memcmp(const void *, const void *, unsigned long);")
        .contract(Contract::Memory(2)),
    pure("memchr").known().contract(Contract::Place).defined(),
    f("tsearch").keeps(),
    f("tfind").keeps(),
    f("tdelete").keeps(),
    f("twalk").keeps(),
    f("hsearch").keeps(),
];

const STRINGS: &[Function] = &[
    to("strcpy", &[0])
        .fills(Size::String, true)
        .known()
        .prototype("char *strcpy(char *, const char *);")
        .contract(Contract::Copy {
            behind: false,
            limit: None,
        }),
    to("strncpy", &[0])
        .fills(Size::Argument(2), true)
        .known()
        .prototype("char *strncpy(char *, const char *, unsigned long);")
        .contract(Contract::Copy {
            behind: false,
            limit: Some(2),
        }),
    to("strcat", &[0])
        .fills(Size::String, true)
        .known()
        .prototype("char *strcat(char *, const char *);")
        .contract(Contract::Copy {
            behind: true,
            limit: None,
        }),
    to("strncat", &[0])
        .fills(Size::String, true)
        .known()
        .prototype("char *strncat(char *, const char *, unsigned long);")
        .contract(Contract::Copy {
            behind: true,
            limit: Some(2),
        }),
    to("stpcpy", &[0]).fills(Size::String, true).defined(),
    to("stpncpy", &[0]).fills(Size::Argument(2), true),
    pure("strlen")
        .known()
        .prototype("unsigned long strlen(const char *);")
        .contract(Contract::Length(None)),
    pure("strnlen")
        .contract(Contract::Length(Some(1)))
        .defined(),
    pure("strcmp")
        .known()
        .prototype("int strcmp(const char *, const char *);")
        .contract(Contract::Strings(None)),
    pure("strncmp")
        .known()
        .prototype("int strncmp(const char *, const char *, unsigned long);")
        .contract(Contract::Strings(Some(2))),
    pure("strchr")
        .known()
        .prototype("char *strchr(const char *, int);")
        .contract(Contract::Character),
    pure("strrchr")
        .known()
        .prototype("char *strrchr(const char *, int);")
        .contract(Contract::Place),
    pure("strstr").known().contract(Contract::Place).defined(),
    pure("strpbrk").contract(Contract::Place).defined(),
    pure("strchrnul").defined(),
    pure("strspn").contract(Contract::Span(true)).defined(),
    pure("strcspn").contract(Contract::Span(false)).defined(),
    f("strdup")
        .known()
        .allocates()
        .prototype("char *strdup(const char *);"),
    f("strndup").allocates(),
    f("wcsdup").may_allocate(),
    to("asprintf", &[0]).allocates().vague(),
    to("vasprintf", &[0]).allocates().vague(),
    // The values that these functions write are not computed from their arguments.
    to("sprintf", &[0])
        .reads()
        .bytes(0, Bytes::Rest, None)
        .contract(Contract::Print(None))
        .defined(),
    to("vsprintf", &[0]).reads().bytes(0, Bytes::Rest, None),
    to("snprintf", &[0])
        .vague()
        .contract(Contract::Print(Some(1)))
        .defined(),
    to("vsnprintf", &[0]).vague(),
    f("strtok")
        .keeps()
        .state("remembers where it is in a string"),
    Function {
        writes: Some(Writes::Deep(&[0, 2])),
        ..f("strtok_r").contract(Contract::Token).defined()
    },
    Function {
        writes: Some(Writes::Deep(&[0])),
        ..f("strsep").defined()
    },
    f("strerror").vague(),
];

const NUMBERS: &[Function] = &[
    pure("ffs").defined(),
    f("abs").known(),
    f("labs").known(),
    f("llabs").known(),
    pure("atoi").known().contract(Contract::Number),
    pure("atoll").contract(Contract::Number).defined(),
    pure("atol").known().contract(Contract::Number),
    pure("atof").contract(Contract::Number),
    // CBMC 6.6 goes on at digits that the base does not have.
    to("strtol", &[1])
        .gives(1)
        .contract(Contract::NumberUntil(1))
        .defined(),
    to("strtoul", &[1])
        .gives(1)
        .contract(Contract::NumberUntil(1))
        .defined(),
    to("strtoll", &[1])
        .gives(1)
        .contract(Contract::NumberUntil(1))
        .defined(),
    to("strtoull", &[1])
        .gives(1)
        .contract(Contract::NumberUntil(1))
        .defined(),
    to("strtod", &[1])
        .gives(1)
        .contract(Contract::NumberUntil(1)),
    f("isalpha").known().prototype("int isalpha(int);"),
    f("isdigit").known().prototype("int isdigit(int);"),
    f("isspace").known().prototype("int isspace(int);"),
    f("isupper").known().prototype("int isupper(int);"),
    f("islower").known().prototype("int islower(int);"),
    f("toupper").known().prototype("int toupper(int);"),
    f("tolower").known().prototype("int tolower(int);"),
    f("sqrt").known().prototype("double sqrt(double);"),
    pure("fabs").known(),
    pure("floor").known(),
    pure("ceil").known(),
    to("frexp", &[1]).defined(),
    f("pow").known(),
    f("sin").known(),
    f("cos").known(),
    // The least `RAND_MAX` is 32767; glibc has this one.
    f("rand").reads().within(0, RANDOM),
    f("random").reads().within(0, RANDOM),
    f("rand_r").reads().within(0, RANDOM),
    f("__builtin_ia32_readeflags_u32").reads().within(2, FLAGS),
    f("__builtin_ia32_readeflags_u64").reads().within(2, FLAGS),
];

const INPUT: &[Function] = &[
    Function {
        writes: Some(Writes::From(1)),
        ..f("scanf").reads().values()
    },
    Function {
        writes: Some(Writes::From(2)),
        ..f("fscanf").reads().values()
    },
    Function {
        writes: Some(Writes::From(2)),
        ..f("sscanf")
            .vague()
            .values()
            .contract(Contract::Values)
            .defined()
    },
    f("vscanf").reads(),
    f("vsscanf").vague(),
    f("getchar").character(),
    f("getchar_unlocked").character(),
    pure("getc").character(),
    pure("fgetc").character(),
    pure("ungetc").within(-1, 255),
    pure("feof"),
    pure("ferror"),
    to("fgets", &[0]).reads().bytes(0, Bytes::Line(1), Some(0)),
    f("fgets_unlocked")
        .reads()
        .bytes(0, Bytes::Line(1), Some(0)),
    to("gets", &[0]).reads().bytes(0, Bytes::Unknown, Some(0)),
    to("read", &[1])
        .reads()
        .bytes(1, Bytes::Argument(2), Some(2)),
    to("pread", &[1])
        .reads()
        .bytes(1, Bytes::Argument(2), Some(2)),
    f("pread64").reads().bytes(1, Bytes::Argument(2), Some(2)),
    to("fread", &[0])
        .reads()
        .bytes(0, Bytes::Product(1, 2), Some(2)),
    f("fread_unlocked")
        .reads()
        .bytes(0, Bytes::Product(1, 2), Some(2)),
    to("recv", &[1])
        .reads()
        .bytes(1, Bytes::Argument(2), Some(2)),
    f("getrandom").reads().bytes(0, Bytes::Argument(1), Some(1)),
    Function {
        writes: Some(Writes::Deep(&[0, 1])),
        ..f("getline").may_allocate()
    },
    Function {
        writes: Some(Writes::Deep(&[0, 1])),
        ..f("getdelim").may_allocate()
    },
    f("getopt")
        .known()
        .contract(Contract::Options(2))
        .state("remembers where it is in the arguments"),
    f("getopt_long").state("remembers where it is in the arguments"),
    f("getopt_long_only").state("remembers where it is in the arguments"),
    f("getenv").vague().keeps(),
    f("putenv").keeps(),
    to("getcwd", &[0]),
    f("getpid").reads().from(1),
    pure("getppid").reads().from(0),
    pure("getuid").reads(),
    pure("geteuid").reads(),
    pure("getgid").reads(),
    pure("getegid").reads(),
    pure("sysconf").reads().from(-1),
    pure("get_nprocs").reads().from(1),
    pure("get_nprocs_conf").reads().from(1),
    pure("getpagesize").reads().from(1),
    pure("isatty").reads().within(0, 1),
    f("stat").reads().succeeds(),
    f("fstat").reads().succeeds(),
    f("lstat").reads().succeeds(),
    f("getrusage").reads().succeeds(),
    f("uname").reads().succeeds(),
    f("sysinfo").reads().succeeds(),
    f("tcgetattr").reads().succeeds(),
];

const ENDS: &[Function] = &[
    exits("exit"),
    exits("_exit"),
    exits("_Exit"),
    exits("quick_exit"),
    exits("abort"),
    exits("__assert_fail").asserts(),
    exits("__assert").asserts(),
    exits("__assert_perror_fail").asserts(),
    exits("__builtin_trap"),
    pure("__builtin_unreachable").ends(Ends::Undefined),
    pure("pthread_exit").ends(Ends::Thread),
    f("thrd_exit").ends(Ends::Thread),
    pure("atexit").runs(Runs::AtExit("exit")),
    pure("at_quick_exit").runs(Runs::AtExit("quick_exit")),
    f("on_exit").runs(Runs::AtExit("exit")),
    f("__cxa_atexit").runs(Runs::AtExit("exit")),
    jumps("setjmp", Jump::Saves)
        .known()
        .state("saves a place to jump to"),
    jumps("_setjmp", Jump::Saves)
        .known()
        .state("saves a place to jump to"),
    jumps("sigsetjmp", Jump::Saves).state("saves a place to jump to"),
    jumps("__sigsetjmp", Jump::Saves).state("saves a place to jump to"),
    jumps("longjmp", Jump::Makes),
    jumps("_longjmp", Jump::Makes),
    jumps("siglongjmp", Jump::Makes),
];

const SIGNALS: &[Function] = &[
    Function {
        writes: Some(Writes::Nothing),
        ..handles("signal").known()
    },
    handles("sigset"),
    handles("bsd_signal"),
    handles("sysv_signal"),
    handles("ssignal"),
    handles("sigaction"),
    handles("sigvec"),
    sends("raise", SIGNAL),
    sends("kill", SIGNAL),
    sends("killpg", SIGNAL),
    sends("pthread_kill", SIGNAL),
    sends("tgkill", SIGNAL),
    sends("sigqueue", SIGNAL),
    sends("gsignal", SIGNAL),
    sends("alarm", LATER),
    sends("ualarm", LATER),
    sends("setitimer", LATER),
    sends("timer_settime", LATER),
    sends("execv", EXCHANGED),
    sends("execve", EXCHANGED),
    sends("execvp", EXCHANGED),
    sends("execvpe", EXCHANGED),
    sends("execl", EXCHANGED),
    sends("execle", EXCHANGED),
    sends("execlp", EXCHANGED),
    sends("fexecve", EXCHANGED),
];

const THREADS: &[Function] = &[
    to("pthread_create", &[0]).runs(Runs::Thread(2)).hands(0),
    to("thrd_create", &[0]).runs(Runs::Thread(1)).hands(0),
    to("pthread_join", &[1]).placed(Family::Thread).hands(1),
    pure("pthread_detach").modelled(Family::Thread),
    f("pthread_self").modelled(Family::Thread).lock(Lock::Looks),
    f("pthread_equal")
        .modelled(Family::Thread)
        .lock(Lock::Looks),
    to("thrd_join", &[1]).placed(Family::Thread).hands(1),
    f("thrd_detach").modelled(Family::Thread),
    f("thrd_current").modelled(Family::Thread).lock(Lock::Looks),
    f("thrd_equal").modelled(Family::Thread).lock(Lock::Looks),
    f("pthread_once").placed(Family::Once).runs(Runs::Here(1)),
    f("call_once").placed(Family::Once).runs(Runs::Here(1)),
    // `pthread_key_create` and `tss_create` get a destructor, which gets the key's value when a
    // thread ends.
    f("pthread_key_create").keeps(),
    f("tss_create").keeps(),
    f("pthread_setspecific").keeps(),
    f("pthread_getspecific").keeps(),
    f("tss_set").keeps(),
    f("tss_get").keeps(),
    f("pthread_cleanup_push").keeps(),
];

const LOCKS: &[Function] = &[
    f("pthread_mutex_init").modelled(Family::Mutex),
    f("pthread_mutex_destroy").placed(Family::Mutex),
    f("pthread_mutex_lock")
        .placed(Family::Mutex)
        .lock(Lock::Takes),
    f("pthread_mutex_trylock")
        .placed(Family::Mutex)
        .lock(Lock::Tries),
    f("pthread_mutex_timedlock")
        .placed(Family::Mutex)
        .lock(Lock::Tries),
    f("pthread_mutex_clocklock")
        .placed(Family::Mutex)
        .lock(Lock::Tries),
    f("pthread_mutex_unlock")
        .placed(Family::Mutex)
        .lock(Lock::Gives),
    f("pthread_mutexattr_init").modelled(Family::Mutex),
    f("pthread_mutexattr_destroy").modelled(Family::Mutex),
    f("pthread_mutexattr_settype").modelled(Family::Mutex),
    f("pthread_mutexattr_gettype").modelled(Family::Mutex),
    f("mtx_init").modelled(Family::Mtx),
    f("mtx_destroy").placed(Family::Mtx),
    f("mtx_lock").placed(Family::Mtx).lock(Lock::Takes),
    f("mtx_trylock").placed(Family::Mtx).lock(Lock::Tries),
    f("mtx_timedlock").placed(Family::Mtx).lock(Lock::Tries),
    f("mtx_unlock").placed(Family::Mtx).lock(Lock::Gives),
    f("pthread_cond_init").modelled(Family::Cond),
    f("pthread_cond_destroy").placed(Family::Cond),
    f("pthread_cond_wait").placed(Family::Cond),
    f("pthread_cond_timedwait")
        .placed(Family::Cond)
        .lock(Lock::WaitsForTime),
    f("pthread_cond_clockwait")
        .placed(Family::Cond)
        .lock(Lock::WaitsForTime),
    f("pthread_cond_signal").modelled(Family::Cond),
    f("pthread_cond_broadcast").modelled(Family::Cond),
    f("cnd_init").modelled(Family::Cnd),
    f("cnd_destroy").placed(Family::Cnd),
    f("cnd_wait").placed(Family::Cnd),
    f("cnd_timedwait")
        .placed(Family::Cnd)
        .lock(Lock::WaitsForTime),
    f("cnd_signal").modelled(Family::Cnd),
    f("cnd_broadcast").modelled(Family::Cnd),
    f("pthread_rwlock_init").modelled(Family::RwLock),
    f("pthread_rwlock_destroy").placed(Family::RwLock),
    f("pthread_rwlock_rdlock")
        .placed(Family::RwLock)
        .lock(Lock::Takes),
    f("pthread_rwlock_wrlock")
        .placed(Family::RwLock)
        .lock(Lock::Takes),
    f("pthread_rwlock_tryrdlock")
        .placed(Family::RwLock)
        .lock(Lock::Tries),
    f("pthread_rwlock_trywrlock")
        .placed(Family::RwLock)
        .lock(Lock::Tries),
    f("pthread_rwlock_timedrdlock")
        .placed(Family::RwLock)
        .lock(Lock::Tries),
    f("pthread_rwlock_timedwrlock")
        .placed(Family::RwLock)
        .lock(Lock::Tries),
    f("pthread_rwlock_unlock")
        .placed(Family::RwLock)
        .lock(Lock::Gives),
    f("pthread_barrier_init").modelled(Family::Barrier),
    f("pthread_barrier_destroy").placed(Family::Barrier),
    f("pthread_barrier_wait").placed(Family::Barrier),
    f("sem_init").modelled(Family::Semaphore),
    f("sem_destroy").placed(Family::Semaphore),
    f("sem_wait").placed(Family::Semaphore),
    f("sem_trywait")
        .modelled(Family::Semaphore)
        .lock(Lock::Tries),
    f("sem_timedwait")
        .modelled(Family::Semaphore)
        .lock(Lock::Tries),
    f("sem_post").modelled(Family::Semaphore),
    f("sem_getvalue").modelled(Family::Semaphore),
    f("pthread_spin_init").modelled(Family::Spin),
    f("pthread_spin_destroy").placed(Family::Spin),
    f("pthread_spin_lock")
        .placed(Family::Spin)
        .lock(Lock::Takes),
    f("pthread_spin_trylock")
        .placed(Family::Spin)
        .lock(Lock::Tries),
    f("pthread_spin_unlock")
        .placed(Family::Spin)
        .lock(Lock::Gives),
];
