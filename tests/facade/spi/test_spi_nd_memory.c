/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, sections ND L and M), version 2 of the SPI: regions,
 * adapters, addresses, references. The environment variable NDPDK_TEST_WRITES replaces WRITES, the
 * number of 4-byte writes that are checked.
 */

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "spi_scene.h"
#include "support/number.h"

#define THREADS    4
#define ROUNDS     100
#define LARGE      ((size_t)64 << 20)
#define WRITES     100000
#define LIST_BYTES 256

static ND2_ADAPTER_INFO info;

static void
open_informed(void)
{
	ULONG bytes = sizeof(info);

	scene_connected();
	info.InfoVersion = ND_VERSION_2;
	ASSERT_HR(IND2Adapter_Query(OWNER->adapter, &info, &bytes), ND_SUCCESS);
}

TestSuite(spi_nd_memory, .init = open_informed, .fini = scene_close);

/* A region has tokens only after Register has succeeded. */
Test(spi_nd_memory, nd_203_tokens_are_there_on_success_only)
{
	IND2MemoryRegion *mr = scene_region(OWNER);

	cr_assert_eq(IND2MemoryRegion_GetLocalToken(mr), 0);
	cr_assert(FAILED(scene_register(mr, NULL, 8, ND_MR_FLAG_ALLOW_REMOTE_READ)));
	cr_assert(FAILED(scene_register(mr, OWNER->memory, 0, ND_MR_FLAG_ALLOW_REMOTE_READ)));
	cr_assert_eq(IND2MemoryRegion_GetLocalToken(mr), 0);
	cr_assert_eq(IND2MemoryRegion_GetRemoteToken(mr), 0);
	ASSERT_HR(scene_register(mr, OWNER->memory, 64, ND_MR_FLAG_ALLOW_REMOTE_READ), ND_SUCCESS);
	cr_assert_neq(IND2MemoryRegion_GetLocalToken(mr), 0);
	cr_assert_neq(IND2MemoryRegion_GetRemoteToken(mr), 0);
	ASSERT_HR(scene_register(mr, OWNER->memory, 64, 0), ND_INVALID_DEVICE_STATE);
}

/*
 * Register returns ND_ACCESS_VIOLATION for an impossible buffer, and ND_INVALID_PARAMETER for more
 * bytes than the maximum.
 */
Test(spi_nd_memory, nd_204_impossible_buffers_and_sizes)
{
	IND2MemoryRegion *mr = scene_region(OWNER);

	ASSERT_HR(scene_register(mr, (void *)(UINTPTR_MAX - 99), 200, 0), ND_ACCESS_VIOLATION);
	ASSERT_HR(scene_register(mr, (void *)4096, info.MaxRegistrationSize + 1, 0),
		ND_INVALID_PARAMETER);
	ASSERT_HR(scene_register(mr, (void *)4096, info.MaxRegistrationSize, 0), ND_SUCCESS);
}

Test(spi_nd_memory, nd_205_nothing_is_an_invalid_parameter)
{
	ASSERT_HR(scene_register(scene_region(OWNER), NULL, 0, 0), (HRESULT)0xC000000D);
}

Test(spi_nd_memory, nd_206_no_bytes_are_an_invalid_buffer_size)
{
	ASSERT_HR(scene_register(scene_region(OWNER), OWNER->memory, 0, 0), (HRESULT)0xC0000206);
}

/** Register the owner's memory with these rights. @return the remote token */
static UINT32
remote_token(IND2MemoryRegion *mr, ULONG flags)
{
	ASSERT_HR(scene_register(mr, OWNER->memory, SPI_PAIR_BYTES, flags), ND_SUCCESS);
	return IND2MemoryRegion_GetRemoteToken(mr);
}

/*
 * Until it is deregistered, a region can be used by every queue pair of the adapter, and by the
 * peers of these queue pairs.
 */
Test(spi_nd_memory, nd_208_region_serves_every_queue_pair)
{
	IND2MemoryRegion *mr = scene_region(OWNER);
	UINT32 token =
		remote_token(mr, ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE);

	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_HR(scene_write(i * 100, 100, token), ND_SUCCESS);
		ASSERT_HR(scene_read(SPI_PAIR_BYTES - 100, 100, token), ND_SUCCESS);
		scene_receive(OWNER, 1, 0, 8);
		ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
		ASSERT_HR(
			spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
		scene_second(NULL);
	}
	ASSERT_HR(scene_deregister(mr), ND_SUCCESS);
	cr_assert_eq(IND2MemoryRegion_GetRemoteToken(mr), 0);
	ASSERT_HR(scene_write(0, 100, token), ND_ACCESS_VIOLATION);
	scene_over();
}

Test(spi_nd_memory, nd_209_buffer_with_several_registrations)
{
	IND2MemoryRegion *reading = scene_region(OWNER), *writing = scene_region(OWNER);
	UINT32 read = remote_token(reading, ND_MR_FLAG_ALLOW_REMOTE_READ);
	UINT32 write = remote_token(writing, ND_MR_FLAG_ALLOW_REMOTE_WRITE);

	cr_assert_neq(
		IND2MemoryRegion_GetLocalToken(reading), IND2MemoryRegion_GetLocalToken(writing));
	ASSERT_HR(scene_read(0, 100, read), ND_SUCCESS);
	ASSERT_HR(scene_write(0, 100, write), ND_SUCCESS);
	ASSERT_HR(scene_deregister(reading), ND_SUCCESS);
	ASSERT_HR(scene_write(0, 100, write), ND_SUCCESS);
	ASSERT_HR(scene_read(0, 100, write), ND_ACCESS_VIOLATION);
}

/** A thread that registers memory. Only the main thread calls assertions. */
struct registrar {
	pthread_t thread;
	IND2MemoryRegion *mr;
	HRESULT failure;
};

static HRESULT
register_round(IND2MemoryRegion *mr, void *buffer, size_t bytes)
{
	OVERLAPPED overlapped = {0};
	HRESULT status = spi_pair_finish(
		mr, IND2MemoryRegion_Register(mr, buffer, bytes, 0, &overlapped), &overlapped);

	if (status != ND_SUCCESS)
		return status;
	return spi_pair_finish(mr, IND2MemoryRegion_Deregister(mr, &overlapped), &overlapped);
}

static void *
registrar_run(void *arg)
{
	struct registrar *registrar = arg;
	/* The largest buffer needs no memory, because nobody accesses its bytes. */
	void *buffer = (void *)4096;

	for (unsigned int i = 0; i < ROUNDS && registrar->failure == ND_SUCCESS; i++)
		registrar->failure = register_round(registrar->mr, buffer,
			i % 8 == 0 ? info.MaxRegistrationSize : 1u << i % 24);
	return NULL;
}

/*
 * Several threads repeatedly register and deregister one object each, from 1 byte up to the
 * maximum.
 */
Test(spi_nd_memory, nd_210_register_again_and_again)
{
	static struct registrar registrars[THREADS];

	for (unsigned int i = 0; i < THREADS; i++) {
		registrars[i].mr = scene_region(OWNER);
		cr_assert_eq(
			pthread_create(&registrars[i].thread, NULL, registrar_run, &registrars[i]),
			0);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(registrars[i].thread, NULL);
		ASSERT_HR(registrars[i].failure, ND_SUCCESS);
	}
}

/*
 * If the lowest bit of hEvent is set, an operation queues no packet to the completion port. If
 * hEvent is NULL, it queues one packet.
 */
Test(spi_nd_memory, nd_211_reports_of_the_completion_port)
{
	HANDLE port = CreateIoCompletionPort(OWNER->file, NULL, 3, 0);
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
	IND2MemoryRegion *mr = scene_region(OWNER);
	OVERLAPPED overlapped = {0}, *got = NULL;
	ULONG_PTR key = 0;
	DWORD bytes;

	overlapped.hEvent = (HANDLE)((uintptr_t)event | 1);
	ASSERT_HR(IND2MemoryRegion_Register(mr, OWNER->memory, 64, 0, &overlapped), ND_PENDING);
	ASSERT_HR(IND2MemoryRegion_GetOverlappedResult(mr, &overlapped, TRUE), ND_SUCCESS);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	cr_assert_null(got);
	memset(&overlapped, 0, sizeof(overlapped));
	ASSERT_HR(IND2MemoryRegion_Deregister(mr, &overlapped), ND_PENDING);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, INFINITE), TRUE);
	cr_assert_eq(got, &overlapped);
	cr_assert_eq(key, 3);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	cr_assert_null(got);
	CloseHandle(event);
	CloseHandle(port);
}

Test(spi_nd_memory, nd_212_size_of_the_information)
{
	ND2_ADAPTER_INFO untouched;
	ULONG bytes = 0;

	memset(&untouched, 0x77, sizeof(untouched));
	ASSERT_HR(IND2Adapter_Query(OWNER->adapter, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(ND2_ADAPTER_INFO));
	bytes--;
	ASSERT_HR(IND2Adapter_Query(OWNER->adapter, &untouched, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(ND2_ADAPTER_INFO));
	for (size_t i = 0; i < sizeof(untouched); i++)
		cr_assert_eq(((uint8_t *)&untouched)[i], 0x77);
}

Test(spi_nd_memory, nd_213_unknown_version)
{
	static const ULONG versions[] = {0, 2, 0x10000, 0x30000, UINT32_MAX};

	for (unsigned int i = 0; i < 5; i++) {
		ND2_ADAPTER_INFO other = {.InfoVersion = versions[i]};
		ULONG bytes = sizeof(other);

		ASSERT_HR(IND2Adapter_Query(OWNER->adapter, &other, &bytes), ND_NOT_SUPPORTED);
	}
}

Test(spi_nd_memory, nd_214_structure_is_large_enough)
{
	ND2_ADAPTER_INFO got = {.InfoVersion = ND_VERSION_2};
	ULONG bytes = sizeof(got);

	ASSERT_HR(IND2Adapter_Query(OWNER->adapter, &got, &bytes), ND_SUCCESS);
	cr_assert_gt(got.MaxTransferLength, 0);
	cr_assert_gt(got.MaxCompletionQueueDepth, 0);
}

/* Query accepts InfoVersion 0x20000 and 1, and does not change it. */
Test(spi_nd_memory, nd_215_versions_that_are_accepted)
{
	static const ULONG versions[] = {0x20000, 1};

	for (unsigned int i = 0; i < 2; i++) {
		ND2_ADAPTER_INFO got = {.InfoVersion = versions[i]};
		ULONG bytes = 1000;

		ASSERT_HR(IND2Adapter_Query(OWNER->adapter, &got, &bytes), ND_SUCCESS);
		cr_assert_eq(got.InfoVersion, versions[i]);
	}
}

Test(spi_nd_memory, nd_216_entries_of_a_read)
{
	cr_assert_leq(info.MaxReadSge, info.MaxInitiatorSge);
	cr_assert_gt(info.MaxReadSge, 0);
}

/** Write from the peer, and check the owner's memory after each turn of the owner's engine. */
static void
watch_bytes(size_t bytes, UINT32 token)
{
	volatile uint8_t *memory = OWNER->memory;
	size_t seen = 0;

	memset(PEER->memory, 0xEE, bytes);
	memset(OWNER->memory, 0, bytes);
	scene_hold();
	ASSERT_HR(
		scene_write_post(1, 0, (ULONG)bytes, token, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	while (memory[bytes - 1] == 0) {
		scene_turn(PEER, 1);
		scene_turn(OWNER, 1);
		while (seen < bytes && memory[seen] != 0)
			seen++;
		for (size_t i = seen; i < bytes; i++)
			cr_assert_eq(memory[i], 0, "byte %zu is there before byte %zu", i, seen);
	}
	cr_assert_eq(seen, bytes);
	scene_let_go();
}

/*
 * IN_ORDER_DMA is set, so even a thread that polls for the last byte of a Write sees this byte
 * last.
 */
Test(spi_nd_memory, nd_217_last_byte_comes_last)
{
	static const size_t sizes[] = {1, 2, 1024, 1025, 40000, SPI_PAIR_BYTES};
	UINT32 token;

	cr_assert((info.AdapterFlags & ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0);
	ASSERT_HR(scene_bind(OWNER->mw, 0, SPI_PAIR_BYTES, READ_WRITE), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	for (unsigned int i = 0; i < 6; i++)
		watch_bytes(sizes[i], token);
	/*
	 * No thread takes results. The library's thread receives, while this thread polls the
	 * memory.
	 */
	for (unsigned int i = 1; i < 200; i++) {
		ULONG bytes = i % 2 == 0 ? 1 : 4096;
		volatile uint8_t *last = OWNER->memory + bytes - 1;

		memset(PEER->memory, (int)i, bytes);
		ASSERT_HR(scene_write_post(i, 0, bytes, token, 0), ND_SUCCESS);
		while (__atomic_load_n(last, __ATOMIC_ACQUIRE) != i)
			Sleep(0);
		cr_assert_eq(OWNER->memory[0], i);
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(i)), ND_SUCCESS);
	}
}

/*
 * QueryAddressList first returns the size. The list has at least one address, and each passes
 * NdCheckAddress.
 */
Test(spi_nd_memory, nd_218_addresses)
{
	_Alignas(16) uint8_t place[LIST_BYTES];
	SOCKET_ADDRESS_LIST *list = (SOCKET_ADDRESS_LIST *)(void *)place;
	SIZE_T bytes = 0;
	ULONG narrow = 0;

	ASSERT_HR(NdQueryAddressList(0, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert(bytes > 0 && bytes <= LIST_BYTES);
	ASSERT_HR(NdQueryAddressList(0, list, &bytes), S_OK);
	cr_assert_eq(list->iAddressCount, 2);
	for (int i = 0; i < 2; i++)
		ASSERT_HR(NdCheckAddress(list->Address[i].lpSockaddr,
				  (SIZE_T)list->Address[i].iSockaddrLength),
			S_OK);
	ASSERT_HR(IND2Adapter_QueryAddressList(OWNER->adapter, NULL, &narrow), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2Adapter_QueryAddressList(OWNER->adapter, list, &narrow), ND_SUCCESS);
	cr_assert_eq(list->iAddressCount, 1);
}

static void
query_check(void *object, const GUID *iid)
{
	const GUID *const good[] = {&IID_IUnknown, iid};
	IND2Overlapped *unknown = object;
	void *got;

	scene_keep(object);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_HR(IND2Overlapped_QueryInterface(unknown, good[i], &got), S_OK);
		cr_assert_eq(got, object);
		IND2Overlapped_Release(unknown);
	}
	ASSERT_HR(IND2Overlapped_QueryInterface(unknown, &IID_INDProvider, &got), E_NOINTERFACE);
	cr_assert_null(got);
}

/* QueryInterface of each object finds IUnknown and the object's own interface, and no other. */
Test(spi_nd_memory, nd_219_query_interface)
{
	IND2Adapter *adapter = NULL;
	IND2Provider *provider = NULL;
	void *out;

	ASSERT_HR(NdOpenProvider(&IID_IND2Provider, (void **)&provider), S_OK);
	query_check(provider, &IID_IND2Provider);
	ASSERT_HR(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr *)&OWNER->address,
			  sizeof(OWNER->address), (void **)&adapter),
		S_OK);
	query_check(adapter, &IID_IND2Adapter);
	query_check(scene_cq(OWNER, 4), &IID_IND2CompletionQueue);
	query_check(scene_window(OWNER), &IID_IND2MemoryWindow);
	query_check(scene_region(OWNER), &IID_IND2MemoryRegion);
	query_check(scene_connector(OWNER), &IID_IND2Connector);
	query_check(scene_queue_pair(OWNER, OWNER->cq, OWNER->cq), &IID_IND2QueuePair);
	ASSERT_HR(IND2Adapter_CreateListener(OWNER->adapter, &IID_IND2Listener, OWNER->file, &out),
		ND_SUCCESS);
	query_check(out, &IID_IND2Listener);
	ASSERT_HR(IND2Adapter_CreateSharedReceiveQueue(OWNER->adapter, &IID_IND2SharedReceiveQueue,
			  OWNER->file, 4, 1, 0, 0, 0, &out),
		ND_SUCCESS);
	query_check(out, &IID_IND2SharedReceiveQueue);
}

static uint8_t *
large_buffer(IND2MemoryRegion *mr)
{
	uint8_t *buffer =
		mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert(buffer != MAP_FAILED);
	ASSERT_HR(scene_register(mr, buffer, LARGE,
			  ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK),
		ND_SUCCESS);
	return buffer;
}

/** Write increasing 4-byte numbers. Fail if the number in memory ever decreases. */
static void
write_numbers(uint8_t *from, UINT32 local, const uint8_t *to, UINT32 remote)
{
	uint32_t writes = test_number("NDPDK_TEST_WRITES", WRITES), last = 0;
	ND2_RESULT result;

	for (uint32_t i = 1; i <= writes; i++) {
		uint32_t *number = (uint32_t *)(void *)from + i % 1024, now;
		ND2_SGE sge = {number, sizeof(*number), local};
		HRESULT status;

		*number = i;
		while ((status = IND2QueuePair_Write(PEER->qp, CONTEXT(i), &sge, 1,
				(UINT64)(uintptr_t)to, remote,
				i == writes ? 0 : ND_OP_FLAG_SILENT_SUCCESS)) ==
			ND_NO_MORE_ENTRIES) {
			cr_assert_eq(IND2CompletionQueue_GetResults(PEER->cq, &result, 1), 0);
			cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, &result, 1), 0);
		}
		ASSERT_HR(status, ND_SUCCESS);
		now = __atomic_load_n((const uint32_t *)(const void *)to, __ATOMIC_ACQUIRE);
		cr_assert(now >= last && now <= i);
		last = now;
	}
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(writes)), ND_SUCCESS);
	cr_assert_eq(*(const uint32_t *)(const void *)to, writes);
}

Test(spi_nd_memory, nd_220_large_requests_and_many_small_ones)
{
	IND2MemoryRegion *mr[2] = {scene_region(PEER), scene_region(OWNER)};
	uint8_t *memory[2] = {large_buffer(mr[0]), large_buffer(mr[1])};
	const ULONG read = (32u << 20) - 1024, written = 16u << 20;
	ND2_SGE sge = {memory[0], read, IND2MemoryRegion_GetLocalToken(mr[0])};
	UINT32 token;

	ASSERT_HR(IND2QueuePair_Bind(OWNER->qp, NULL, (IUnknown *)mr[1], (IUnknown *)OWNER->mw,
			  memory[1], LARGE, READ_WRITE),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeBind, NULL), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	for (size_t i = 0; i < LARGE; i += 64)
		memory[1][i] = (uint8_t)(i >> 6 ^ i >> 14 ^ i >> 22);
	ASSERT_HR(IND2QueuePair_Read(PEER->qp, CONTEXT(1), &sge, 1,
			  (UINT64)(uintptr_t)memory[1] + LARGE - read, token, 0),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_SUCCESS);
	cr_assert_eq(memcmp(memory[0], memory[1] + LARGE - read, read), 0);
	sge.BufferLength = written;
	ASSERT_HR(IND2QueuePair_Write(
			  PEER->qp, CONTEXT(2), &sge, 1, (UINT64)(uintptr_t)memory[1], token, 0),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(2)), ND_SUCCESS);
	cr_assert_eq(memcmp(memory[0], memory[1], written), 0);
	memset(memory[1], 0, 4);
	write_numbers(memory[0], sge.MemoryRegionToken, memory[1], token);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_HR(scene_deregister(mr[i]), ND_SUCCESS);
		munmap(memory[i], LARGE);
	}
}

Test(spi_nd_memory, deregistered_region_has_no_tokens)
{
	IND2MemoryRegion *mr = scene_region(OWNER);

	ASSERT_HR(
		scene_register(mr, OWNER->memory, 4096, ND_MR_FLAG_ALLOW_REMOTE_READ), ND_SUCCESS);
	cr_assert_neq(IND2MemoryRegion_GetLocalToken(mr), 0);
	cr_assert_neq(IND2MemoryRegion_GetRemoteToken(mr), 0);
	ASSERT_HR(scene_deregister(mr), ND_SUCCESS);
	cr_assert_eq(IND2MemoryRegion_GetLocalToken(mr), 0);
	cr_assert_eq(IND2MemoryRegion_GetRemoteToken(mr), 0);
}
