/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/sleep.h"

#include <unistd.h>

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <rte_atomic.h>
#include <rte_interrupts.h>
#include <rte_log.h>

#include "engine/control.h"

RTE_LOG_REGISTER(sleep_log, lib.ndpdk.sleep, NOTICE)

bool
engine_sleep_interrupt(struct engine *engine, enum port_interrupt what)
{
	const struct port_io *io = engine->io;

	return io->interrupt != NULL && io->interrupt(io->arg, what, engine->sleep.epoll_fd);
}

void
engine_sleep_init(struct engine *engine)
{
	struct engine_sleep *sleep = &engine->sleep;
	struct epoll_event event = {.events = EPOLLIN};
	int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (wake_fd < 0)
		return;
	sleep->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	/*
	 * Leave event.data.ptr NULL, so that rte_epoll_wait() does not treat it as an event of EAL.
	 */
	if (sleep->epoll_fd < 0 ||
		epoll_ctl(sleep->epoll_fd, EPOLL_CTL_ADD, wake_fd, &event) != 0) {
		if (sleep->epoll_fd >= 0)
			close(sleep->epoll_fd);
		close(wake_fd);
		return;
	}
	sleep->ready = true;
	sleep->interrupts = engine_sleep_interrupt(engine, PORT_INTERRUPT_ATTACH);
	rte_log(RTE_LOG_INFO, sleep_log, "engine %u waits for %s\n", engine->index,
		sleep->interrupts ? "interrupts of its port" : "frames in naps");
	__atomic_store_n(&engine->commands.wake_fd, wake_fd, __ATOMIC_RELEASE);
}

void
engine_sleep_fini(struct engine *engine)
{
	if (!engine->sleep.ready)
		return;
	if (engine->sleep.interrupts)
		(void)engine_sleep_interrupt(engine, PORT_INTERRUPT_DETACH);
	close(engine->sleep.epoll_fd);
	close(engine->commands.wake_fd);
	engine->sleep.ready = false;
}

void
engine_wake(struct engine *engine)
{
	command_wake(&engine->commands);
}

void
engine_sleepers_tell(struct engine *engine)
{
	struct engine_sleep *sleep = &engine->sleep;
	uint64_t now = engine_activity(engine);

	if (sleep->seen == now && engine_deadline_ns(engine) >= sleep->until_ns)
		return;
	sleep->seen = now;
	command_ring_filled(&engine->commands);
}
