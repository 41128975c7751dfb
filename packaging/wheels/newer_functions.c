/* The C++ library and the headers of newer systems ask for these functions of GNU C libraries after
 * 2.17.  They are made of older ones here, for the wheels (see build-wheel).  What is linked with
 * this keeps them to itself. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

/* The C++ library may leave out atomic operations if this is not 0, which is never necessary
 * (2.32). */
char __libc_single_threaded = 0;

/* Until 2.33, these took the version of the structure. */
#ifdef __x86_64__
enum { kStatVersion = 1 };
#else
enum { kStatVersion = 0 };
#endif
int __xstat(int version, const char* path, struct stat* status);
int __lxstat(int version, const char* path, struct stat* status);
int __fxstat(int version, int file, struct stat* status);
int stat(const char* path, struct stat* status) { return __xstat(kStatVersion, path, status); }
int lstat(const char* path, struct stat* status) { return __lxstat(kStatVersion, path, status); }
int fstat(int file, struct stat* status) { return __fxstat(kStatVersion, file, status); }
/* The structures are the same on systems of 64 bits. */
int fstat64(int file, struct stat64* status) { return fstat(file, (struct stat*)status); }

/* Waits by a clock of the caller's choice (2.30): it computes the time that is left, and waits that
 * long on the clock of the condition variable, which is the system's unless it was made with
 * attributes.  If that clock is set meanwhile, the wait ends later or sooner, as it does with C++
 * libraries that were built for these systems. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* end) {
  enum { kSecond = 1000000000 };
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += end->tv_sec - now.tv_sec;
  wall.tv_nsec += end->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) {
    wall.tv_nsec += kSecond;
    --wall.tv_sec;
  } else if (wall.tv_nsec >= kSecond) {
    wall.tv_nsec -= kSecond;
    ++wall.tv_sec;
  }
  return pthread_cond_timedwait(condition, mutex, &wall);
}

/* These give random bytes of the system (2.25 and 2.36).  std::random_device needs them, which
 * libstdc++ links with other parts of it. */
int getentropy(void* buffer, size_t size) {
  const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  size_t done = 0;
  if (file < 0) return -1;
  while (done < size) {
    const ssize_t count = read(file, (char*)buffer + done, size - done);
    if (count > 0) done += (size_t)count;
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  close(file);
  if (done == size) return 0;
  errno = EIO;
  return -1;
}

uint32_t arc4random(void) {
  uint32_t value = 0;
  if (getentropy(&value, sizeof value) != 0) _exit(1); /* as it has no way to fail */
  return value;
}
