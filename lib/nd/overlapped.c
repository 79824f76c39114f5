/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/overlapped.h"

#include "base/assert.h"
#include "engine/eventfd.h"
#include "nd/adapter.h"

nd_status
overlapped_begin(struct nd_overlapped *overlapped, struct nd_engine *home, void *object,
	struct base_list *list, overlapped_cancel_fn cancel)
{
	struct overlapped_core *core = overlapped_core(overlapped);

	if (home->adapter->closing)
		return ND_CANCELED;
	core->home = home;
	core->object = object;
	core->cancel = cancel;
	core->finished = false;
	base_list_append(list, &core->node);
	__atomic_store_n(&overlapped->status, ND_PENDING, __ATOMIC_RELEASE);
	return ND_PENDING;
}

void
overlapped_finish(struct nd_overlapped *overlapped, nd_status status)
{
	struct overlapped_core *core;

	if (overlapped == NULL)
		return;
	core = overlapped_core(overlapped);
	if (core->finished)
		return;
	core->finished = true;
	core->final = status;
	base_list_remove(&core->node);
	base_list_append(&core->home->finished, &core->node);
}

void
overlapped_finish_all(struct base_list *list, nd_status status)
{
	struct base_list *node;

	while ((node = base_list_first(list)) != NULL)
		overlapped_finish(overlapped_of_node(node), status);
}

static void
tell(struct nd_overlapped *overlapped)
{
	struct overlapped_core *core = overlapped_core(overlapped);
	void (*callback)(struct nd_overlapped *, void *) = overlapped->callback;
	void *arg = overlapped->callback_arg;
	int fd = overlapped->event_fd;

	/*
	 * After this store the structure belongs to the operation's owner, who may free it. The
	 * library must not read it any more; only the callback may.
	 */
	__atomic_store_n(&overlapped->status, core->final, __ATOMIC_RELEASE);
	if (fd > 0)
		engine_eventfd_raise(fd);
	if (callback != NULL)
		callback(overlapped, arg);
}

__thread const struct nd_adapter *overlapped_teller __attribute__((tls_model("initial-exec")));

void
overlapped_settle_within(struct nd_engine *home)
{
	const struct nd_adapter *outer = overlapped_teller;

	overlapped_teller = NULL;
	overlapped_settle(home);
	overlapped_teller = outer;
}

void
overlapped_settle(struct nd_engine *home)
{
	const struct nd_adapter *outer = overlapped_teller;
	struct base_list *node;

	/*
	 * This call comes from a callback, which may finish further operations. The outer call of
	 * this function reports these operations.
	 */
	if (outer == home->adapter)
		return;
	overlapped_teller = home->adapter;
	while ((node = base_list_first(&home->finished)) != NULL) {
		base_list_remove(node);
		home->engine->told++;
		tell(overlapped_of_node(node));
	}
	overlapped_teller = outer;
}
