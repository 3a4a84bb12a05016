/* Preloaded into a server: shifts its wall clock by the seconds in a shared file, as when the machine's clock is set. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static volatile long long *shift;

int clock_gettime(clockid_t clock, struct timespec *found) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
        int file = open(getenv("CLOCK_SHIFT"), O_RDONLY);
        if (file >= 0) shift = mmap(0, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
    }
    int failed = real(clock, found);
    if (!failed && clock == CLOCK_REALTIME && shift && shift != MAP_FAILED) found->tv_sec += *shift;
    return failed;
}
