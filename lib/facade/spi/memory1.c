/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Registered memory and windows of version 1. */

#include "spi/memory1.h"

#include <search.h>
#include <stdlib.h>

#include "spi/overlapped1.h"
#include "spi/refuse.h"

SPI_UNKNOWN_METHODS(mw, INDMemoryWindow)

static int
order(const void *one, const void *other)
{
	uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;

	return (a > b) - (a < b);
}

static nd_status
memory_register(
	struct spi_adapter1 *adapter, const void *buffer, SIZE_T bytes, ND_MR_HANDLE *handle)
{
	struct nd_adapter *device = adapter->adapter.device->native;
	struct nd_mr *mr;
	nd_status status = nd_adapter_register_memory(device, buffer, bytes, NULL, &mr);
	bool kept;

	if (nd_failed(status))
		return status;
	pthread_mutex_lock(&adapter->lock);
	kept = tsearch(mr, &adapter->registered, order) != NULL;
	pthread_mutex_unlock(&adapter->lock);
	if (!kept) {
		(void)nd_adapter_deregister_memory(device, mr, NULL);
		return ND_NO_MEMORY;
	}
	*handle = (ND_MR_HANDLE)mr;
	return ND_SUCCESS;
}

HRESULT
spi_memory1_register(INDAdapter *self, const void *buffer, SIZE_T bytes, OVERLAPPED *overlapped,
	ND_MR_HANDLE *handle)
{
	struct spi_adapter1 *adapter = (struct spi_adapter1 *)self;
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE("INDAdapter_RegisterMemory", 3, "pOverlapped is NULL");
	if (handle == NULL)
		return SPI_REFUSE("INDAdapter_RegisterMemory", 4, "phMr is NULL");
	if (buffer == NULL || bytes == 0)
		return ND_ACCESS_VIOLATION;
	if (bytes > adapter->adapter.device->info.max_registration_size)
		return SPI_REFUSE("INDAdapter_RegisterMemory", 0,
			"BufferSize %zu: expected 1 to %zu", bytes,
			(size_t)adapter->adapter.device->info.max_registration_size);
	status = spi_operation_begin(&adapter->adapter.object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	return spi_operation_end(operation, memory_register(adapter, buffer, bytes, handle));
}

/** Deregister memory. Handles of other adapter objects are refused. */
static nd_status
memory_deregister(struct spi_adapter1 *adapter, ND_MR_HANDLE handle)
{
	nd_status status = ND_INVALID_HANDLE;

	pthread_mutex_lock(&adapter->lock);
	if (tfind(handle, &adapter->registered, order) != NULL)
		status = nd_adapter_deregister_memory(
			adapter->adapter.device->native, (struct nd_mr *)handle, NULL);
	if (status == ND_SUCCESS)
		(void)tdelete(handle, &adapter->registered, order);
	pthread_mutex_unlock(&adapter->lock);
	return status;
}

HRESULT
spi_memory1_deregister(INDAdapter *self, ND_MR_HANDLE handle, OVERLAPPED *overlapped)
{
	struct spi_adapter1 *adapter = (struct spi_adapter1 *)self;
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE("INDAdapter_DeregisterMemory", 2, "pOverlapped is NULL");
	status = spi_operation_begin(&adapter->adapter.object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	return spi_operation_end(operation, memory_deregister(adapter, handle));
}

void
spi_memory1_end(struct spi_adapter1 *adapter)
{
	/* All windows were released before, because each window has a hold on the adapter. */
	while (adapter->registered != NULL) {
		struct nd_mr *mr = *(struct nd_mr **)adapter->registered;

		(void)nd_adapter_deregister_memory(adapter->adapter.device->native, mr, NULL);
		(void)tdelete(mr, &adapter->registered, order);
	}
}

/** A native window whose object was destroyed while a bind of the window was queued. */
struct left_window {
	struct nd_mw *native;
	struct spi_device *device;
	struct spi_window_context *invalidated;
	LIST_ENTRY(left_window) entry;
};

static LIST_HEAD(, left_window) left_windows = LIST_HEAD_INITIALIZER(left_windows);
static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;

/**
 * Keep the context of a window, because the native window still refers to it. Requires left_lock.
 */
static void
window_leave(const struct spi_mw1 *mw)
{
	struct left_window *left = calloc(1, sizeof(*left));

	mw->invalidated->result = NULL;
	/* If memory is exhausted, the window and its context stay valid and are never freed. */
	if (left == NULL)
		return;
	left->native = mw->mw.native;
	left->device = spi_device_of(&mw->mw.object);
	left->invalidated = mw->invalidated;
	LIST_INSERT_HEAD(&left_windows, left, entry);
}

void
spi_mw1_release_left(void)
{
	struct left_window *left, *next;

	pthread_mutex_lock(&left_lock);
	for (left = LIST_FIRST(&left_windows); left != NULL; left = next) {
		next = LIST_NEXT(left, entry);
		if (left->device->native != NULL &&
			nd_mw_release(left->device->native, left->native) == ND_DEVICE_BUSY)
			continue;
		LIST_REMOVE(left, entry);
		free(left->invalidated);
		free(left);
	}
	pthread_mutex_unlock(&left_lock);
}

static void
mw_destroy(struct spi_object *object)
{
	struct spi_mw1 *mw = (struct spi_mw1 *)object;
	nd_status status = ND_SUCCESS;

	if (mw->mw.native != NULL) {
		/*
		 * Take the lock, because another thread may be destroying the endpoint of a queued
		 * bind.
		 */
		pthread_mutex_lock(&left_lock);
		status = nd_mw_release(spi_device_of(object)->native, mw->mw.native);
		if (status == ND_DEVICE_BUSY)
			window_leave(mw);
		pthread_mutex_unlock(&left_lock);
	}
	if (status != ND_DEVICE_BUSY)
		free(mw->invalidated);
}

HRESULT
spi_mw1_create(INDAdapter *self, ND_RESULT *invalidated, INDMemoryWindow **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	struct spi_mw1 *mw;
	nd_status status = ND_NO_MEMORY;

	if (invalidated == NULL)
		return SPI_REFUSE("INDAdapter_CreateMemoryWindow", 1, "pInvalidateResult is NULL");
	if (out == NULL)
		return SPI_REFUSE("INDAdapter_CreateMemoryWindow", 2, "ppMw is NULL");
	mw = spi_object_create(&spi_mw1_class, &adapter->object, NULL);
	if (mw == NULL)
		return ND_NO_MEMORY;
	mw->invalidated = calloc(1, sizeof(*mw->invalidated));
	if (mw->invalidated != NULL) {
		mw->invalidated->result = invalidated;
		status = spi_mw_open(&mw->mw, mw->invalidated);
	}
	return spi_object_finish(&mw->mw.object, status, (void *)out);
}

static const INDMemoryWindowVtbl methods = {SPI_UNKNOWN_ROWS(mw)};

const struct spi_class spi_mw1_class = {
	.methods = &methods,
	.iid = &IID_INDMemoryWindow,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_mw1),
	.destroy = mw_destroy,
};
