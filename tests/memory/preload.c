/* Preloaded into a program: one of its allocations fails, whose number is in the environment
 * variable FAILING_ALLOCATION, or with FAILING_ALL all from that one on, and with FAILING_THREADS
 * it gets no threads.  When the program ends, the number of allocations is written to the file that
 * ALLOCATIONS names.  Only GNU's C library has further names for the functions that are replaced
 * here; with another one nothing is replaced, and the file is not written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;
static unsigned long failing;
static int all_after;

__attribute__((constructor)) static void begin(void) {
  const char* const number = getenv("FAILING_ALLOCATION");
  if (number != NULL) failing = strtoul(number, NULL, 10);
  all_after = getenv("FAILING_ALL") != NULL;
}

__attribute__((destructor)) static void end(void) {
  const char* const path = getenv("ALLOCATIONS");
  char text[32];
  const int length = snprintf(text, sizeof(text), "%lu\n", atomic_load(&count));
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return;
  if (write(file, text, (size_t)length) != length) _exit(99);
  close(file);
}

static int fails(void) {
  const unsigned long now = atomic_fetch_add(&count, 1) + 1;
  if (now != failing && !(all_after && failing > 0 && now > failing)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t number, size_t size) { return fails() ? NULL : __libc_calloc(number, size); }
void* realloc(void* memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  void* const block = aligned_alloc(alignment, size);
  if (block == NULL) return ENOMEM;
  *memory = block;
  return 0;
}

/* Takes the place of the C library's function only if a program is not to get threads. */
typedef int (*create_thread)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  create_thread create;
  if (getenv("FAILING_THREADS") != NULL) return EAGAIN;
  *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  return create(thread, attributes, start, argument);
}

#endif
