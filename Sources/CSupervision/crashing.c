// SPDX-License-Identifier: MIT
// The handler of deadly signals: it takes the addresses of the calls, writes them to the shared memory, and has the process
// die as it would have. It calls nothing that takes a lock but the unwinder, which looks for the modules' tables; that was
// done once before, so that nothing has to be loaded. Should it hang all the same, the supervisor ends the process.
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "euripus_supervision.h"

static const int deadly[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGSYS};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };

static struct esv_memory *shared;
static int status_descriptor = -1;
static struct sigaction before[DEADLY];
// The thread that died first; 0 for none yet.
static pid_t dying;

static uint64_t instruction(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

// Has the signal come again when the handler returns, until when it is blocked, to whatever was there before it. Sent in any
// case: not every fault comes by itself a second time.
static void die(int number) {
  for (int index = 0; index < DEADLY; index++) {
    if (deadly[index] == number) sigaction(number, &before[index], NULL);
  }
  raise(number);
}

void esv_take_stack(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  stack.ss_flags = 0;
  stack.ss_size = ESV_STACK;
  stack.ss_sp = mmap(NULL, ESV_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack.ss_sp == MAP_FAILED) return;
  if (sigaltstack(&stack, NULL) != 0) munmap(stack.ss_sp, ESV_STACK);
}

void esv_give_back_stack(void) {
  stack_t none = {.ss_flags = SS_DISABLE}, own;
  if (sigaltstack(NULL, &own) != 0 || (own.ss_flags & SS_DISABLE) || own.ss_size != ESV_STACK) return;
  if (sigaltstack(&none, NULL) == 0) munmap(own.ss_sp, ESV_STACK);
}

static void handle(int number, siginfo_t *info, void *context) {
  pid_t nobody = 0, own = gettid();
  if (!__atomic_compare_exchange_n(&dying, &nobody, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    // Another thread has died first: its signal ends the process. The supervisor does, should that take too long.
    while (nobody != own) pause();
    // A fault of this handler's own.
    die(number);
    return;
  }
  struct esv_crash *crash = &shared->crash;
  crash->code = info->si_code;
  crash->address = (uint64_t)(uintptr_t)info->si_addr;
  crash->instruction = instruction(context);
  crash->slot = esv_own_slot == NULL ? 0 : (uint32_t)(esv_own_slot - shared->slots) + 1;
  crash->frame_count = 0;
  // What is known already counts, should the rest fail.
  __atomic_store_n(&crash->signal, number, __ATOMIC_RELEASE);
  while (write(status_descriptor, "C", 1) < 0 && errno == EINTR) {}
  void *frames[ESV_FRAMES];
  int count = backtrace(frames, ESV_FRAMES);
  for (int index = 0; index < count; index++) crash->frames[index] = (uint64_t)(uintptr_t)frames[index];
  __atomic_store_n(&crash->frame_count, (uint32_t)(count < 0 ? 0 : count), __ATOMIC_RELEASE);
  die(number);
}

static int note_module(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  if (shared->module_count == ESV_MODULES) return 1;
  struct esv_module *module = &shared->modules[shared->module_count];
  module->bias = info->dlpi_addr;
  module->start = UINT64_MAX;
  module->end = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uint64_t start = info->dlpi_addr + segment->p_vaddr;
    if (start < module->start) module->start = start;
    if (start + segment->p_memsz > module->end) module->end = start + segment->p_memsz;
  }
  // The program itself has no name here.
  strncpy(module->path, info->dlpi_name == NULL ? "" : info->dlpi_name, ESV_PATH - 1);
  shared->module_count++;
  return 0;
}

void esv_watch_for_crashes(struct esv_memory *memory, int status) {
  shared = memory;
  status_descriptor = status;
  memory->module_count = 0;
  dl_iterate_phdr(note_module, NULL);
  void *frames[4];
  backtrace(frames, 4);
  esv_take_stack();
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < DEADLY; index++) sigaction(deadly[index], &action, &before[index]);
}
