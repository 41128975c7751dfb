/* This starts the programs of the wheels (see build-wheel).  Before the GNU C library 2.34, a
 * program brought the function that calls its constructors; newer libraries do it themselves, and
 * what they link into programs has no such function.  This is linked with --wrap=__libc_start_main.
 */
#include <stddef.h>

typedef void initializer(int, char**, char**);
extern initializer* __init_array_start[] __attribute__((visibility("hidden")));
extern initializer* __init_array_end[] __attribute__((visibility("hidden")));

static void call_constructors(int count, char** arguments, char** environment) {
  for (initializer** each = __init_array_start; each != __init_array_end; ++each) {
    (*each)(count, arguments, environment);
  }
}

typedef int main_function(int, char**, char**);
int __real___libc_start_main(main_function* start, int count, char** arguments, initializer* init,
                             void (*finish)(void), void (*loader_finish)(void), void* stack_end);
int __wrap___libc_start_main(main_function* start, int count, char** arguments, initializer* init,
                             void (*finish)(void), void (*loader_finish)(void), void* stack_end);
int __wrap___libc_start_main(main_function* start, int count, char** arguments, initializer* init,
                             void (*finish)(void), void (*loader_finish)(void), void* stack_end) {
  return __real___libc_start_main(start, count, arguments, init != NULL ? init : call_constructors,
                                  finish, loader_finish, stack_end);
}
