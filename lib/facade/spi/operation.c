/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/operation.h"

#include <stdlib.h>

#include "spi/refuse.h"
#include "win/win.h"

static HANDLE
file_of(const struct spi_operation *operation)
{
	const struct spi_object *object = operation->object;

	return object->file != NULL ? object->file : object->parent->file;
}

static void
operation_free(struct spi_operation *operation)
{
	struct spi_object *object = operation->object;

	free(operation);
	spi_object_unhold(object);
}

static void
report(struct spi_operation *operation, nd_status status)
{
	if (operation->translate != NULL)
		status = operation->translate(operation, status);
	win_overlapped_complete(file_of(operation), operation->overlapped, status, 0);
	operation_free(operation);
}

/** Callback of struct nd_overlapped. */
static void
told(struct nd_overlapped *native, void *arg)
{
	report(arg, native->status);
}

nd_status
spi_operation_begin(
	struct spi_object *object, OVERLAPPED *overlapped, struct spi_operation **operation)
{
	struct spi_operation *made = calloc(1, sizeof(*made));
	nd_status status;

	if (made == NULL)
		return ND_NO_MEMORY;
	made->object = object;
	status = win_overlapped_begin(file_of(made), overlapped);
	if (nd_failed(status)) {
		free(made);
		return status == ND_INVALID_HANDLE ? ND_INVALID_HANDLE : ND_NO_MEMORY;
	}
	made->native.callback = told;
	made->native.callback_arg = made;
	made->overlapped = overlapped;
	spi_object_hold(object);
	*operation = made;
	return ND_SUCCESS;
}

nd_status
spi_operation_end(struct spi_operation *operation, nd_status status)
{
	if (status == ND_PENDING)
		return ND_PENDING;
	if (nd_failed(status)) {
		win_overlapped_abandon(file_of(operation), operation->overlapped, status);
		operation_free(operation);
		return status;
	}
	report(operation, status);
	return ND_PENDING;
}

nd_status
spi_overlapped_result(const char *method, OVERLAPPED *overlapped, BOOL wait)
{
	if (overlapped == NULL)
		return SPI_REFUSE(method, 1, "pOverlapped is NULL");
	return win_overlapped_status(overlapped, wait);
}
