/* Finds the table of a program or library by which exceptions find their handlers.  libgcc asks the
 * GNU C library for it by this function, which musl does not have (see musl-compiler). */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <string.h>

/* As in dlfcn.h of the GNU C library 2.35. */
struct dl_find_object {
  unsigned long long flags;
  void* begin;
  void* end;
  struct link_map* map;
  void* frame_header;
  unsigned long long reserved[7];
};

struct search {
  const char* address;
  struct dl_find_object* found;
};

/* Returns 1 if the address is in this program or library. */
static int look(struct dl_phdr_info* info, size_t size, void* user) {
  struct search* const search = user;
  void* header = NULL;
  int is_inside = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &info->dlpi_phdr[i];
    char* const begin = (char*)(info->dlpi_addr + part->p_vaddr);
    char* const end = begin + part->p_memsz;
    if (part->p_type == PT_GNU_EH_FRAME) header = begin;
    if (part->p_type == PT_LOAD && search->address >= begin && search->address < end) {
      search->found->begin = begin;
      search->found->end = end;
      is_inside = 1;
    }
  }
  search->found->frame_header = header;
  return is_inside;
}

int _dl_find_object(void* address, struct dl_find_object* found);
int _dl_find_object(void* address, struct dl_find_object* found) {
  struct search search = {address, found};
  memset(found, 0, sizeof *found);
  return dl_iterate_phdr(look, &search) ? 0 : -1;
}
