/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Round trips of a message between two polling processes of one machine, either through shared
 * memory, which is the floor for all transports between processes, or through two UDP sockets of
 * the kernel. Prints the time of a round trip in ns, in the format of a bench's row.
 *
 * usage: ping_pong shm|udp BYTES ROUND_TRIPS
 *
 * With shared memory, each side copies the message in and out. It announces a message by a number
 * in a separate cache line. If the machine has two processors, each process runs on one of them.
 */

#include <arpa/inet.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define BYTES_MAX 65000u
/** Number of round trips per sample. It is large, because reading the clock takes time. */
#define BATCH     32u
#define LINE      64

struct mailbox {
	_Alignas(LINE) uint32_t number; /**< number of the newest message, counted from 1 */
	_Alignas(LINE) uint8_t bytes[BYTES_MAX];
};

struct side {
	struct mailbox *out, *in;
	int socket;
	uint32_t bytes;
	uint8_t own[BYTES_MAX]; /**< private copy of the message */
};

struct way {
	const char *name;
	void (*send)(struct side *side, uint32_t number);
	void (*receive)(struct side *side, uint32_t number);
};

static _Noreturn void
fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void
memory_send(struct side *side, uint32_t number)
{
	memcpy(side->out->bytes, side->own, side->bytes);
	__atomic_store_n(&side->out->number, number, __ATOMIC_RELEASE);
}

static void
memory_receive(struct side *side, uint32_t number)
{
	while (__atomic_load_n(&side->in->number, __ATOMIC_ACQUIRE) != number)
		;
	memcpy(side->own, side->in->bytes, side->bytes);
}

static void
udp_send(struct side *side, uint32_t number)
{
	(void)number;
	if (send(side->socket, side->own, side->bytes, 0) != (ssize_t)side->bytes)
		fail("send");
}

static void
udp_receive(struct side *side, uint32_t number)
{
	(void)number;
	while (recv(side->socket, side->own, sizeof(side->own), MSG_DONTWAIT) < 0)
		;
}

static const struct way ways[] = {
	{"shm", memory_send, memory_receive},
	{"udp", udp_send, udp_receive},
};

static void
sockets_make(struct side sides[2])
{
	struct sockaddr_in addresses[2];
	socklen_t length = sizeof(addresses[0]);

	for (unsigned int i = 0; i < 2; i++) {
		addresses[i] = (struct sockaddr_in){
			.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		sides[i].socket = socket(AF_INET, SOCK_DGRAM, 0);
		if (sides[i].socket < 0 ||
			bind(sides[i].socket, (struct sockaddr *)&addresses[i], length) != 0 ||
			getsockname(sides[i].socket, (struct sockaddr *)&addresses[i], &length) !=
				0)
			fail("socket");
	}
	for (unsigned int i = 0; i < 2; i++)
		if (connect(sides[i].socket, (struct sockaddr *)&addresses[1 - i], length) != 0)
			fail("connect");
}

static struct side *
sides_make(uint32_t bytes)
{
	struct side *sides = calloc(2, sizeof(*sides));
	struct mailbox *boxes = mmap(NULL, 2 * sizeof(*boxes), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (sides == NULL || boxes == MAP_FAILED)
		fail("memory");
	for (unsigned int i = 0; i < 2; i++)
		sides[i] = (struct side){.out = &boxes[i], .in = &boxes[1 - i], .bytes = bytes};
	sockets_make(sides);
	return sides;
}

/** Bind this process to the first or the last processor that it may use. */
static void
pin(bool last)
{
	cpu_set_t allowed, chosen;
	int found = -1;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		fail("sched_getaffinity");
	for (int core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &allowed) && (last || found < 0))
			found = core;
	CPU_ZERO(&chosen);
	CPU_SET(found, &chosen);
	if (sched_setaffinity(0, sizeof(chosen), &chosen) != 0)
		fail("sched_setaffinity");
}

static void
answer(const struct way *way, struct side *side, uint32_t count)
{
	for (uint32_t number = 1; number <= count; number++) {
		way->receive(side, number);
		way->send(side, number);
	}
}

static double
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
measure(const struct way *way, struct side *side, uint32_t batches)
{
	double *samples = calloc(batches, sizeof(*samples));
	char name[32];
	uint32_t number = 0;

	if (samples == NULL)
		fail("memory");
	for (uint32_t batch = 0; batch < batches; batch++) {
		double start = now_ns();

		for (uint32_t i = 0; i < BATCH; i++) {
			way->send(side, ++number);
			way->receive(side, number);
		}
		samples[batch] = (now_ns() - start) / BATCH;
	}
	qsort(samples, batches, sizeof(*samples), compare);
	snprintf(name, sizeof(name), "%s_%u", way->name, side->bytes);
	printf("{\"name\":\"%s\",\"unit\":\"ns\",\"median\":%.3f,\"p99\":%.3f}\n", name,
		samples[batches / 2], samples[(uint64_t)batches * 99 / 100]);
	free(samples);
}

int
main(int argc, char **argv)
{
	const struct way *way = NULL;
	unsigned long bytes, batches;
	struct side *sides;
	pid_t parent = getpid(), child;

	for (unsigned int i = 0; argc == 4 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			way = &ways[i];
	bytes = way != NULL ? strtoul(argv[2], NULL, 10) : 0;
	batches = way != NULL ? strtoul(argv[3], NULL, 10) / BATCH : 0;
	if (bytes == 0 || bytes > BYTES_MAX || batches == 0 || batches > UINT32_MAX / BATCH) {
		fprintf(stderr, "usage: ping_pong shm|udp BYTES ROUND_TRIPS\n");
		return 2;
	}
	sides = sides_make((uint32_t)bytes);
	child = fork();
	if (child < 0)
		fail("fork");
	if (child == 0) {
		/*
		 * End this process when the parent ends, because otherwise this process would poll
		 * forever.
		 */
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
			fail("prctl");
		pin(true);
		answer(way, &sides[1], (uint32_t)batches * BATCH);
		_exit(EXIT_SUCCESS);
	}
	pin(false);
	measure(way, &sides[0], (uint32_t)batches);
	free(sides);
	return EXIT_SUCCESS;
}
