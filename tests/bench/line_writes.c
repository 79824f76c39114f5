/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "line_writes.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "bench.h"

#define PAGE_BYTES       UINT64_C(4096)
#define ENTRIES          (1u << 16) /**< number of entries of the hash table line_writes.entries */
#define AREAS_MAX        1024u
#define MAPS_BYTES       (1u << 19)
#define STACK_BYTES      (1u << 20)
#define ALT_STACK_BYTES  (1u << 16)
/** Maximum number of pages to which one instruction may write. */
#define OPEN_MAX         4u
#define TRAP_FLAG        0x100
#define PAGE_FAULT_WRITE 2

struct area {
	uintptr_t start;
	uintptr_t end;
};

/** A page that is writable while the processor executes a single instruction. */
struct open_page {
	uintptr_t start;
	uint8_t before[PAGE_BYTES];
};

/** State that the signal handlers write. The memory of this state is not watched. */
struct recorder {
	uint8_t stack[STACK_BYTES];
	uint8_t alt_stack[ALT_STACK_BYTES];
	char maps[MAPS_BYTES];
	struct area areas[AREAS_MAX];
	size_t area_count;
	struct open_page open[OPEN_MAX];
	size_t open_count;
	uintptr_t instruction;      /**< address of the instruction that is being executed */
	struct line_writes *writes; /**< current recording; NULL: none */
	void (*function)(void *arg);
	void *arg;
	int begin[2]; /**< pipe that tells the new thread to start */
	int done[2];
};

static struct recorder *recorder;

static void *
unwatched(size_t bytes)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	BENCH_REQUIRE(memory != MAP_FAILED);
	return memory;
}

/**
 * Change the protection of memory. The system call is direct, because the C library's function
 * writes variables.
 */
static void
protect(uintptr_t start, size_t bytes, int protection)
{
	if (syscall(SYS_mprotect, start, bytes, protection) != 0)
		abort();
}

/** @return entry of `line` in the set; if the set does not contain `line`, a free entry */
static struct line_write *
place_of(const struct line_writes *writes, uintptr_t line)
{
	size_t at = (size_t)((line / LINE_WRITES_BYTES * UINT64_C(0x9E3779B97F4A7C15)) >> 48);

	while (writes->entries[at].line != 0 && writes->entries[at].line != line)
		at = (at + 1) % ENTRIES;
	return &writes->entries[at];
}

/**
 * Add a line to the set. The caller's count of lines is updated only at the end of the recording.
 */
static void
line_add(uintptr_t address)
{
	const uintptr_t line = address & ~(uintptr_t)(LINE_WRITES_BYTES - 1);
	struct line_write *entry = place_of(recorder->writes, line);

	if (entry->line == 0)
		*entry = (struct line_write){line, recorder->instruction};
}

static bool
watched(uintptr_t address)
{
	for (size_t i = 0; i < recorder->area_count; i++)
		if (address >= recorder->areas[i].start && address < recorder->areas[i].end)
			return true;
	return false;
}

static void
on_write(int number, siginfo_t *info, void *context)
{
	const uintptr_t address = (uintptr_t)info->si_addr;
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	struct open_page *page = &recorder->open[recorder->open_count];

	if (recorder->writes == NULL || !watched(address) ||
		(registers[REG_ERR] & PAGE_FAULT_WRITE) == 0 || recorder->open_count == OPEN_MAX) {
		signal(number, SIG_DFL);
		return;
	}
	recorder->instruction = (uintptr_t)registers[REG_RIP];
	line_add(address);
	page->start = address & ~(uintptr_t)(PAGE_BYTES - 1);
	memcpy(page->before, (const void *)page->start, PAGE_BYTES);
	protect(page->start, PAGE_BYTES, PROT_READ | PROT_WRITE);
	recorder->open_count++;
	registers[REG_EFL] |= TRAP_FLAG;
}

/**
 * Called after the single step of an instruction. The instruction may have written more lines than
 * the line that caused the fault. Compare each page with its copy to find these lines.
 */
static void
on_trap(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	for (size_t i = 0; i < recorder->open_count; i++) {
		const struct open_page *page = &recorder->open[i];

		for (size_t at = 0; at < PAGE_BYTES; at += LINE_WRITES_BYTES)
			if (memcmp(page->before + at, (const void *)(page->start + at),
				    LINE_WRITES_BYTES) != 0)
				line_add(page->start + at);
		protect(page->start, PAGE_BYTES, PROT_READ);
	}
	recorder->open_count = 0;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void
maps_read(void)
{
	int file = open("/proc/self/maps", O_RDONLY);
	size_t length = 0;
	ssize_t got;

	BENCH_REQUIRE(file >= 0);
	while ((got = read(file, recorder->maps + length, MAPS_BYTES - 1 - length)) > 0)
		length += (size_t)got;
	BENCH_REQUIRE(got == 0 && length < MAPS_BYTES - 1);
	recorder->maps[length] = '\0';
	close(file);
}

static bool
inside(uintptr_t start, uintptr_t end, const void *memory)
{
	return (uintptr_t)memory >= start && (uintptr_t)memory < end;
}

/** Find all writable memory except the stack of the first thread and the recorder. */
static void
areas_find(void)
{
	char *rest = recorder->maps, *line;

	maps_read();
	recorder->area_count = 0;
	while ((line = strsep(&rest, "\n")) != NULL) {
		unsigned long start, end;
		char rights[5];

		if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 ||
			strncmp(rights, "rw-", 3) != 0 || strstr(line, "[stack]") != NULL ||
			inside(start, end, recorder) ||
			inside(start, end, recorder->writes->entries))
			continue;
		BENCH_REQUIRE(recorder->area_count < AREAS_MAX);
		recorder->areas[recorder->area_count++] = (struct area){start, end};
	}
}

static void
areas_protect(int protection)
{
	for (size_t i = 0; i < recorder->area_count; i++)
		protect(recorder->areas[i].start, recorder->areas[i].end - recorder->areas[i].start,
			protection);
}

static void
handle(int number, void (*handler)(int number, siginfo_t *info, void *context))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigemptyset(&action.sa_mask);
	BENCH_REQUIRE(sigaction(number, &action, NULL) == 0);
}

void
line_writes_record(struct line_writes *writes, void (*function)(void *arg), void *arg)
{
	if (writes->entries == NULL)
		writes->entries = unwatched(ENTRIES * sizeof(*writes->entries));
	recorder->writes = writes;
	areas_find();
	areas_protect(PROT_READ);
	function(arg);
	areas_protect(PROT_READ | PROT_WRITE);
	recorder->writes = NULL;
	writes->count = 0;
	for (size_t i = 0; i < ENTRIES; i++)
		writes->count += writes->entries[i].line != 0;
	BENCH_REQUIRE(writes->count < ENTRIES / 2);
}

/*
 * Send a byte by a direct system call. The first thread waits in such a call, because it must not
 * write memory while memory is protected. read() and pthread_join() would write memory of the C
 * library.
 */

static void
byte_send(const int pipe[2])
{
	const char byte = 0;

	if (syscall(SYS_write, pipe[1], &byte, 1) != 1)
		abort();
}

static void
byte_wait(const int pipe[2])
{
	char byte;

	if (syscall(SYS_read, pipe[0], &byte, 1) != 1)
		abort();
}

static void *
thread_main(void *arg)
{
	const stack_t stack = {.ss_sp = recorder->alt_stack, .ss_size = ALT_STACK_BYTES};

	(void)arg;
	BENCH_REQUIRE(sigaltstack(&stack, NULL) == 0);
	handle(SIGSEGV, on_write);
	handle(SIGTRAP, on_trap);
	byte_wait(recorder->begin);
	/* At this time, the first thread waits in a system call and writes only its stack. */
	recorder->function(recorder->arg);
	byte_send(recorder->done);
	return NULL;
}

/** @param path file "stat" of a thread in /proc. @return whether the thread is running (state R) */
static bool
runs(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256] = "";
	const char *name_end;

	if (file == NULL)
		return false;
	if (fgets(line, sizeof(line), file) == NULL)
		line[0] = '\0';
	fclose(file);
	name_end = strrchr(line, ')');
	return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'R';
}

/**
 * Wait until all other threads sleep, seen in three checks in a row. If another thread writes to
 * memory while the memory is protected, the process crashes. For example, the thread that sends
 * criterion's messages may still run when a test begins.
 */
static void
others_wait(void)
{
	unsigned int running, idle = 0;
	glob_t paths;

	while (idle < 3) {
		usleep(5000);
		BENCH_REQUIRE(glob("/proc/self/task/*/stat", 0, NULL, &paths) == 0);
		running = 0;
		for (size_t i = 0; i < paths.gl_pathc; i++)
			running += runs(paths.gl_pathv[i]);
		globfree(&paths);
		/* One thread always runs: the calling thread. */
		idle = running > 1 ? 0 : idle + 1;
	}
}

void
line_writes_thread(void (*function)(void *arg), void *arg)
{
	pthread_attr_t attributes;
	pthread_t thread;

	others_wait();
	recorder = unwatched(sizeof(*recorder));
	recorder->function = function;
	recorder->arg = arg;
	BENCH_REQUIRE(pthread_attr_init(&attributes) == 0);
	BENCH_REQUIRE(pthread_attr_setstack(&attributes, recorder->stack, STACK_BYTES) == 0);
	BENCH_REQUIRE(pipe(recorder->begin) == 0 && pipe(recorder->done) == 0);
	BENCH_REQUIRE(pthread_create(&thread, &attributes, thread_main, NULL) == 0);
	byte_send(recorder->begin);
	byte_wait(recorder->done);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

size_t
line_writes_common(const struct line_writes *a, const struct line_writes *b,
	void (*visit)(const struct line_write *of_a, const struct line_write *of_b))
{
	size_t count = 0;

	for (size_t i = 0; i < ENTRIES; i++) {
		const struct line_write *of_a = &a->entries[i], *of_b;

		if (of_a->line == 0)
			continue;
		of_b = place_of(b, of_a->line);
		if (of_b->line == 0)
			continue;
		count++;
		if (visit != NULL)
			visit(of_a, of_b);
	}
	return count;
}

void
line_writes_function(uintptr_t instruction, char *text, size_t size)
{
	char command[512], file[256];
	Dl_info info, own;
	FILE *pipe;

	snprintf(text, size, "%#lx", (unsigned long)instruction);
	if (dladdr((const void *)instruction, &info) == 0 || dladdr(__func__, &own) == 0)
		return;
	/* The test framework changes the program's name, so use /proc to find the file. */
	if (info.dli_fbase == own.dli_fbase)
		snprintf(file, sizeof(file), "/proc/%d/exe", (int)getpid());
	else
		snprintf(file, sizeof(file), "%s", info.dli_fname);
	instruction -= (uintptr_t)info.dli_fbase;
	snprintf(command, sizeof(command), "addr2line -f -e '%s' %#lx 2>/dev/null", file,
		(unsigned long)instruction);
	pipe = popen(command, "r");
	if (pipe == NULL)
		return;
	if (fgets(command, sizeof(command), pipe) != NULL && command[0] != '?') {
		command[strcspn(command, "\n")] = '\0';
		snprintf(text, size, "%s()", command);
	}
	pclose(pipe);
}
