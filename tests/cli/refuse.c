/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <unistd.h>

#include <ndpdk/nd_adapter.h>

void *__libc_calloc(size_t count, size_t size);

/*
 * Loaded with LD_PRELOAD. If REFUSE_LISTEN is defined, nd_adapter_listen() fails. Otherwise
 * calloc() fails in all threads except the main thread.
 */
#ifdef REFUSE_LISTEN
nd_status
nd_adapter_listen(struct nd_adapter *adapter, size_t backlog, int protocol, uint16_t port,
	uint16_t *assigned_port, struct nd_listener **listener)
{
	(void)adapter;
	(void)backlog;
	(void)protocol;
	(void)port;
	(void)assigned_port;
	(void)listener;
	return ND_ADDRESS_ALREADY_EXISTS;
}
#else
void *
calloc(size_t count, size_t size)
{
	return gettid() == getpid() ? __libc_calloc(count, size) : NULL;
}
#endif
