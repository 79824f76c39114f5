/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Memory regions and windows of version 2. */

#include "spi/memory.h"

#include <ndpdk/nd_region.h>

#include "spi/operation.h"
#include "spi/refuse.h"
#include "win/win.h"

/** Flags of IND2MemoryRegion::Register that the native API supports. */
#define REGION_FLAGS                                                                               \
	(ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |                             \
		ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK)
/** Flags with which a registration has a remote token. */
#define REMOTE_FLAGS                                                                               \
	(ND_MR_FLAG_ALLOW_REMOTE_READ |                                                            \
		(ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE))

SPI_OVERLAPPED2_METHODS(mr, IND2MemoryRegion)
SPI_UNKNOWN_METHODS(mw, IND2MemoryWindow)

static void
mr_destroy(struct spi_object *object)
{
	struct spi_mr *mr = (struct spi_mr *)object;
	struct nd_adapter *adapter = spi_device_of(object)->native;

	/*
	 * Deregister memory that the application has left registered. No handle of it is left, so
	 * invalidate windows that are still bound to it.
	 */
	if (mr->native != NULL && nd_adapter_deregister_memory(adapter, mr->native, NULL) != 0) {
		(void)nd_mr_invalidate_windows(adapter, mr->native, NULL, NULL);
		(void)nd_adapter_deregister_memory(adapter, mr->native, NULL);
	}
}

HRESULT
spi_mr2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	HRESULT status = spi_create_check(
		"IND2Adapter_CreateMemoryRegion", &spi_mr2_class, iid, out, 3, "ppMemoryRegion");
	struct spi_mr *mr;

	if (FAILED(status))
		return status;
	if (!win_file_ref(file))
		return ND_INVALID_HANDLE;
	mr = spi_object_create(&spi_mr2_class, &adapter->object, file);
	if (mr == NULL)
		return ND_NO_MEMORY;
	*out = mr;
	return ND_SUCCESS;
}

static HRESULT
register_check(const void *buffer, SIZE_T bytes, ULONG flags, const OVERLAPPED *overlapped)
{
	static const char method[] = "IND2MemoryRegion_Register";

	if (overlapped == NULL)
		return SPI_REFUSE(method, 4, "pOverlapped is NULL");
	if (buffer == NULL)
		return SPI_REFUSE(method, 0, "pBuffer is NULL");
	if (bytes == 0)
		return ND_INVALID_BUFFER_SIZE;
	if ((flags & ~(REGION_FLAGS | ND_MR_FLAG_DO_NOT_SECURE_VM)) != 0)
		return SPI_REFUSE(method, 3, "flags 0x%x: expected a subset of 0x%x", flags,
			REGION_FLAGS | ND_MR_FLAG_DO_NOT_SECURE_VM);
	return ND_SUCCESS;
}

/**
 * Begin to register or deregister. Only one of several concurrent calls succeeds.
 *
 * @param from state that the region must have
 */
static bool
change_begin(struct spi_mr *mr, uint32_t from)
{
	return __atomic_compare_exchange_n(
		&mr->state, &from, SPI_MR_CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void
change_end(struct spi_mr *mr, enum spi_mr_state state)
{
	__atomic_store_n(&mr->state, state, __ATOMIC_RELEASE);
}

/** Register the memory natively, and store the tokens of the region. */
static nd_status
region_open(struct spi_mr *mr, const void *buffer, SIZE_T bytes, ULONG flags)
{
	struct nd_adapter *adapter = spi_device_of(&mr->object)->native;
	const struct nd_buffer buffers = {(void *)(uintptr_t)buffer, bytes};
	uint32_t local = 0, remote = 0;
	struct nd_mr *native;
	nd_status status;

	/*
	 * The flag for remote write has two bits, because it includes local write. A program may
	 * set only the bit of remote write, so add the bit of local write.
	 */
	if ((flags & REMOTE_FLAGS & ND_MR_FLAG_ALLOW_REMOTE_WRITE) != 0)
		flags |= ND_MR_FLAG_ALLOW_LOCAL_WRITE;
	status = nd_adapter_register_region(
		adapter, &buffers, 1, NULL, flags & REGION_FLAGS, NULL, &native);
	if (nd_failed(status)) {
		change_end(mr, SPI_MR_EMPTY);
		return status;
	}
	(void)nd_mr_get_local_token(adapter, native, &local);
	if ((flags & REMOTE_FLAGS) != 0)
		(void)nd_mr_get_remote_token(adapter, native, &remote);
	mr->flags = flags;
	__atomic_store_n(&mr->local_token, local, __ATOMIC_RELAXED);
	__atomic_store_n(&mr->remote_token, remote, __ATOMIC_RELAXED);
	__atomic_store_n(&mr->native, native, __ATOMIC_RELEASE);
	change_end(mr, SPI_MR_REGISTERED);
	return ND_SUCCESS;
}

static HRESULT
mr_register(IND2MemoryRegion *self, const VOID *buffer, SIZE_T bytes, ULONG flags,
	OVERLAPPED *overlapped)
{
	struct spi_mr *mr = (struct spi_mr *)self;
	HRESULT status = register_check(buffer, bytes, flags, overlapped);
	struct spi_operation *operation;

	if (FAILED(status))
		return status;
	if (!change_begin(mr, SPI_MR_EMPTY))
		return ND_INVALID_DEVICE_STATE;
	status = spi_operation_begin(&mr->object, overlapped, &operation);
	if (FAILED(status)) {
		change_end(mr, SPI_MR_EMPTY);
		return status;
	}
	return spi_operation_end(operation, region_open(mr, buffer, bytes, flags));
}

static nd_status
region_close(struct spi_mr *mr)
{
	nd_status status =
		nd_adapter_deregister_memory(spi_device_of(&mr->object)->native, mr->native, NULL);

	if (nd_failed(status)) {
		change_end(mr, SPI_MR_REGISTERED);
		return status;
	}
	__atomic_store_n(&mr->local_token, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&mr->remote_token, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&mr->native, NULL, __ATOMIC_RELEASE);
	change_end(mr, SPI_MR_EMPTY);
	return ND_SUCCESS;
}

static HRESULT
mr_deregister(IND2MemoryRegion *self, OVERLAPPED *overlapped)
{
	struct spi_mr *mr = (struct spi_mr *)self;
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE("IND2MemoryRegion_Deregister", 1, "pOverlapped is NULL");
	if (!change_begin(mr, SPI_MR_REGISTERED))
		return ND_INVALID_DEVICE_STATE;
	status = spi_operation_begin(&mr->object, overlapped, &operation);
	if (nd_failed(status)) {
		change_end(mr, SPI_MR_REGISTERED);
		return status;
	}
	return spi_operation_end(operation, region_close(mr));
}

static UINT32
mr_get_local_token(IND2MemoryRegion *self)
{
	return __atomic_load_n(&((struct spi_mr *)self)->local_token, __ATOMIC_RELAXED);
}

static UINT32
mr_get_remote_token(IND2MemoryRegion *self)
{
	return __atomic_load_n(&((struct spi_mr *)self)->remote_token, __ATOMIC_RELAXED);
}

/**
 * Context that all windows of version 2 use for their invalidate results. Version 2 does not return
 * these results, so they are removed from the completion queue and discarded.
 */
static struct spi_window_context unwanted;

nd_status
spi_mw_open(struct spi_mw *mw, struct spi_window_context *invalidated)
{
	return nd_adapter_create_memory_window(
		spi_device_of(&mw->object)->native, (void *)invalidated, &mw->native);
}

void
spi_mw_destroy(struct spi_object *object)
{
	struct spi_mw *mw = (struct spi_mw *)object;

	/*
	 * If a bind of the window is queued, this call fails, and the native window remains. The
	 * bind ends with its endpoint.
	 */
	if (mw->native != NULL)
		(void)nd_mw_release(spi_device_of(object)->native, mw->native);
}

HRESULT
spi_mw2_create(IND2Adapter *self, REFIID iid, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	HRESULT status = spi_create_check(
		"IND2Adapter_CreateMemoryWindow", &spi_mw2_class, iid, out, 2, "ppMemoryWindow");
	struct spi_mw *mw;

	if (FAILED(status))
		return status;
	mw = spi_object_create(&spi_mw2_class, &adapter->object, NULL);
	if (mw == NULL)
		return ND_NO_MEMORY;
	return spi_object_finish(&mw->object, spi_mw_open(mw, &unwanted), (void *)out);
}

static UINT32
mw_get_remote_token(IND2MemoryWindow *self)
{
	return __atomic_load_n(&((struct spi_mw *)self)->token, __ATOMIC_RELAXED);
}

static const IND2MemoryRegionVtbl mr_methods = {
	SPI_OVERLAPPED_ROWS(mr),
	.Register = mr_register,
	.Deregister = mr_deregister,
	.GetLocalToken = mr_get_local_token,
	.GetRemoteToken = mr_get_remote_token,
};

const struct spi_class spi_mr2_class = {
	.methods = &mr_methods,
	.iid = &IID_IND2MemoryRegion,
	.base = &IID_IND2Overlapped,
	.size = sizeof(struct spi_mr),
	.destroy = mr_destroy,
};

static const IND2MemoryWindowVtbl mw_methods = {
	SPI_UNKNOWN_ROWS(mw),
	.GetRemoteToken = mw_get_remote_token,
};

const struct spi_class spi_mw2_class = {
	.methods = &mw_methods,
	.iid = &IID_IND2MemoryWindow,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_mw),
	.destroy = spi_mw_destroy,
};
