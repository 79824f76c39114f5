/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi_scene.h"

#include "spi/device.h"

#define KEPT_MAX     512
#define OWN          0x50e
#define PATIENCE_TRY 2000000

struct spi_pair scene;

static void *kept[KEPT_MAX];
static unsigned int kept_count;
static uint8_t stamp;
static unsigned int holds;

void
scene_keep(void *object)
{
	for (unsigned int i = 0; i < kept_count; i++) {
		if (kept[i] == object)
			return;
	}
	if (object == NULL)
		return;
	cr_assert_lt(kept_count, KEPT_MAX);
	kept[kept_count++] = object;
}

static void
forget(void *object)
{
	for (unsigned int i = 0; i < kept_count; i++) {
		if (kept[i] == object)
			kept[i] = NULL;
	}
	for (unsigned int i = 0; i < 2; i++) {
		if (scene.side[i].qp == object)
			scene.side[i].qp = NULL;
		if ((void *)scene.side[i].connector == object)
			scene.side[i].connector = NULL;
	}
}

void
scene_release(void *object)
{
	forget(object);
	cr_assert_eq(IND2Overlapped_Release((IND2Overlapped *)object), 0);
}

void
scene_open_with(const char *options, unsigned int queues)
{
	spi_pair_configure_with(options, queues);
	spi_pair_open(&scene);
}

void
scene_open(void)
{
	scene_open_with("rnr_retry_count = 7", 1);
}

void
scene_connected(void)
{
	scene_open();
	spi_pair_connect(&scene);
}

void
scene_close(void)
{
	/* Undo scene_hold(), because a test may have failed before its call of scene_let_go(). */
	while (holds != 0)
		scene_let_go();
	for (unsigned int i = 0; i < 2; i++) {
		scene_keep(scene.side[i].qp);
		scene_keep(scene.side[i].connector);
		scene.side[i].qp = NULL;
		scene.side[i].connector = NULL;
	}
	while (kept_count != 0) {
		void *object = kept[--kept_count];

		if (object != NULL)
			cr_assert_eq(IND2Overlapped_Release((IND2Overlapped *)object), 0);
	}
	spi_pair_close(&scene);
}

IND2MemoryWindow *
scene_window(const struct spi_side *side)
{
	IND2MemoryWindow *mw = NULL;

	ASSERT_HR(
		IND2Adapter_CreateMemoryWindow(side->adapter, &IID_IND2MemoryWindow, (void **)&mw),
		ND_SUCCESS);
	scene_keep(mw);
	return mw;
}

IND2CompletionQueue *
scene_cq(const struct spi_side *side, ULONG depth)
{
	IND2CompletionQueue *cq = NULL;

	ASSERT_HR(IND2Adapter_CreateCompletionQueue(side->adapter, &IID_IND2CompletionQueue,
			  side->file, depth, 0, 0, (void **)&cq),
		ND_SUCCESS);
	scene_keep(cq);
	return cq;
}

IND2QueuePair *
scene_queue_pair(
	const struct spi_side *side, IND2CompletionQueue *receive, IND2CompletionQueue *initiator)
{
	IND2QueuePair *qp = NULL;

	ASSERT_HR(IND2Adapter_CreateQueuePair(side->adapter, &IID_IND2QueuePair,
			  (IUnknown *)receive, (IUnknown *)initiator, CONTEXT(0x200), SCENE_ENTRIES,
			  SCENE_ENTRIES, 4, 4, 64, (void **)&qp),
		ND_SUCCESS);
	scene_keep(qp);
	return qp;
}

IND2Connector *
scene_connector(struct spi_side *side)
{
	IND2Connector *connector = spi_pair_connector(&scene, (unsigned int)(side - scene.side));

	scene_keep(connector);
	if (side == PEER)
		ASSERT_HR(IND2Connector_Bind(connector, (struct sockaddr *)&side->address,
				  sizeof(struct sockaddr_in)),
			ND_SUCCESS);
	return connector;
}

IND2MemoryRegion *
scene_region(const struct spi_side *side)
{
	IND2MemoryRegion *mr = NULL;

	ASSERT_HR(IND2Adapter_CreateMemoryRegion(
			  side->adapter, &IID_IND2MemoryRegion, side->file, (void **)&mr),
		ND_SUCCESS);
	scene_keep(mr);
	return mr;
}

HRESULT
scene_register(IND2MemoryRegion *mr, const void *buffer, size_t bytes, ULONG flags)
{
	OVERLAPPED overlapped = {0};

	return spi_pair_finish(
		mr, IND2MemoryRegion_Register(mr, buffer, bytes, flags, &overlapped), &overlapped);
}

HRESULT
scene_deregister(IND2MemoryRegion *mr)
{
	OVERLAPPED overlapped = {0};

	return spi_pair_finish(mr, IND2MemoryRegion_Deregister(mr, &overlapped), &overlapped);
}

void
scene_join(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		scene_keep(scene.side[i].connector);
		scene_keep(scene.side[i].qp);
	}
	spi_pair_connect(&scene);
}

void
scene_second(struct spi_side first[2])
{
	if (first != NULL)
		memcpy(first, scene.side, sizeof(scene.side));
	for (unsigned int i = 0; i < 2; i++) {
		scene_keep(scene.side[i].qp);
		scene_keep(scene.side[i].connector);
		scene.side[i].qp = spi_pair_queue_pair(&scene, i, SCENE_ENTRIES);
	}
	scene_join();
}

void
scene_swap(struct spi_side other[2])
{
	struct spi_side now[2];

	for (unsigned int i = 0; i < 2; i++) {
		scene_keep(scene.side[i].qp);
		scene_keep(scene.side[i].connector);
	}
	memcpy(now, scene.side, sizeof(now));
	memcpy(scene.side, other, sizeof(now));
	memcpy(other, now, sizeof(now));
}

HRESULT
scene_disconnect(const struct spi_side *side)
{
	OVERLAPPED overlapped = {0};

	return spi_pair_finish(side->connector,
		IND2Connector_Disconnect(side->connector, &overlapped), &overlapped);
}

HRESULT
scene_bind_post(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags)
{
	/* Add the offset as an integer, because the start may be outside the memory. */
	void *start = (void *)((uintptr_t)OWNER->memory + offset);

	return IND2QueuePair_Bind(OWNER->qp, CONTEXT(OWN), (IUnknown *)OWNER->mr, (IUnknown *)mw,
		start, bytes, flags);
}

HRESULT
scene_bind(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags)
{
	HRESULT status = scene_bind_post(mw, offset, bytes, flags);

	if (status != ND_SUCCESS)
		return status;
	return spi_pair_expect(OWNER->cq, Nd2RequestTypeBind, CONTEXT(OWN));
}

HRESULT
scene_invalidate(IND2MemoryWindow *mw, ULONG flags)
{
	HRESULT status = IND2QueuePair_Invalidate(OWNER->qp, CONTEXT(OWN), (IUnknown *)mw, flags);

	if (status != ND_SUCCESS)
		return status;
	return spi_pair_expect(OWNER->cq, Nd2RequestTypeInvalidate, CONTEXT(OWN));
}

UINT32
scene_bound(ULONG flags)
{
	ASSERT_HR(scene_bind(OWNER->mw, 0, SCENE_WINDOW_BYTES, flags), ND_SUCCESS);
	return IND2MemoryWindow_GetRemoteToken(OWNER->mw);
}

HRESULT
scene_write_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags)
{
	ND2_SGE sge = spi_pair_sge(PEER, offset, bytes);

	return IND2QueuePair_Write(
		PEER->qp, CONTEXT(context), &sge, 1, REMOTE(offset), token, flags);
}

HRESULT
scene_read_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags)
{
	ND2_SGE sge = spi_pair_sge(PEER, offset, bytes);

	return IND2QueuePair_Read(
		PEER->qp, CONTEXT(context), &sge, 1, REMOTE(offset), token, flags);
}

/** Fill this part of both memories with new bytes, so that the two sides differ. */
static void
differ(size_t offset, ULONG bytes)
{
	stamp = (uint8_t)(stamp == 250 ? 1 : stamp + 1);
	for (ULONG i = 0; i < bytes; i++) {
		PEER->memory[offset + i] = (uint8_t)(stamp ^ i ^ i >> 8);
		OWNER->memory[offset + i] = (uint8_t)~PEER->memory[offset + i];
	}
}

static void
arrived(size_t offset, ULONG bytes, HRESULT status)
{
	bool same = memcmp(PEER->memory + offset, OWNER->memory + offset, bytes) == 0;

	if (bytes != 0)
		cr_assert_eq(same, status == ND_SUCCESS, "status %#x, but the bytes are %s",
			(unsigned int)status, same ? "there" : "not there");
}

HRESULT
scene_write(size_t offset, ULONG bytes, UINT32 token)
{
	HRESULT status;

	differ(offset, bytes);
	status = scene_write_post(OWN, offset, bytes, token, 0);
	if (status == ND_SUCCESS)
		status = spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(OWN));
	arrived(offset, bytes, status);
	return status;
}

HRESULT
scene_read(size_t offset, ULONG bytes, UINT32 token)
{
	HRESULT status;

	differ(offset, bytes);
	status = scene_read_post(OWN, offset, bytes, token, 0);
	if (status == ND_SUCCESS)
		status = spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(OWN));
	arrived(offset, bytes, status);
	return status;
}

HRESULT
scene_send_post(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes, ULONG flags)
{
	ND2_SGE sge = spi_pair_sge(side, offset, bytes);

	return IND2QueuePair_Send(side->qp, CONTEXT(context), &sge, bytes == 0 ? 0 : 1, flags);
}

void
scene_receive(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes)
{
	ND2_SGE sge = spi_pair_sge(side, offset, bytes);

	ASSERT_HR(IND2QueuePair_Receive(side->qp, CONTEXT(context), &sge, bytes == 0 ? 0 : 1),
		ND_SUCCESS);
}

void
scene_alive(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct spi_side *from = &scene.side[i], *to = &scene.side[1 - i];

		scene_receive(to, OWN, 0, 0);
		ASSERT_HR(scene_send_post(from, OWN, 0, 0, 0), ND_SUCCESS);
		ASSERT_HR(spi_pair_expect(to->cq, Nd2RequestTypeReceive, CONTEXT(OWN)), ND_SUCCESS);
		ASSERT_HR(spi_pair_expect(from->cq, Nd2RequestTypeSend, CONTEXT(OWN)), ND_SUCCESS);
	}
}

void
scene_over(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct spi_side *side = &scene.side[i];
		unsigned int tries = 0;
		ND2_RESULT result;

		while (IND2QueuePair_Send(side->qp, CONTEXT(OWN), NULL, 0, 0) !=
			ND_CONNECTION_INVALID) {
			cr_assert_lt(tries++, PATIENCE_TRY, "the connection of side %u lives", i);
			while (IND2CompletionQueue_GetResults(side->cq, &result, 1) != 0)
				continue;
			Sleep(0);
		}
		/*
		 * Take the results of the Sends that were posted before this side detected the end
		 * of the connection.
		 */
		while (tries != 0 && IND2CompletionQueue_GetResults(side->cq, &result, 1) != 0)
			continue;
	}
}

void
scene_quiet(void)
{
	spi_pair_quiet(OWNER->cq);
	spi_pair_quiet(PEER->cq);
}

void
scene_hold(void)
{
	for (size_t i = 0; i < 2; i++) {
		struct spi_device *device = spi_device_get(i);

		for (size_t n = 0; n < device->engine_count; n++)
			spi_engine_enter(&device->engines[n]);
	}
	holds++;
}

void
scene_let_go(void)
{
	for (size_t i = 0; i < 2; i++) {
		struct spi_device *device = spi_device_get(i);

		for (size_t n = 0; n < device->engine_count; n++)
			spi_engine_leave(&device->engines[n]);
	}
	holds--;
}

void
scene_hold_a_read(uintptr_t context)
{
	ND2_SGE sge = spi_pair_sge(OWNER, 40000, 64);
	IND2MemoryRegion *mr = scene_region(PEER);

	ASSERT_HR(scene_register(mr, PEER->memory, SPI_PAIR_BYTES, ND_MR_FLAG_ALLOW_REMOTE_READ),
		ND_SUCCESS);
	scene_hold();
	ASSERT_HR(IND2QueuePair_Read(OWNER->qp, CONTEXT(context), &sge, 1,
			  (UINT64)(uintptr_t)PEER->memory, IND2MemoryRegion_GetRemoteToken(mr), 0),
		ND_SUCCESS);
}

void
scene_turn(const struct spi_side *side, unsigned int turns)
{
	ND2_RESULT result;

	for (unsigned int i = 0; i < turns; i++)
		cr_assert_eq(IND2CompletionQueue_GetResults(side->cq, &result, 1), 0,
			"a result of type %u comes too early", (unsigned int)result.RequestType);
}

bool
scene_notified(IND2CompletionQueue *cq, OVERLAPPED *overlapped, BOOL wait)
{
	HRESULT status = IND2CompletionQueue_GetOverlappedResult(cq, overlapped, wait);

	if (status == ND_PENDING)
		return false;
	ASSERT_HR(status, ND_SUCCESS);
	return true;
}

HRESULT
scene_connect_post(IND2Connector *connector, const struct sockaddr_in *to, ULONG inbound,
	ULONG outbound, ULONG bytes, OVERLAPPED *overlapped)
{
	static uint8_t data[256];

	for (unsigned int i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i + 1);
	memset(overlapped, 0, sizeof(*overlapped));
	return IND2Connector_Connect(connector, (IUnknown *)PEER->qp, (const struct sockaddr *)to,
		sizeof(*to), inbound, outbound, data, bytes, overlapped);
}

struct sockaddr_in
scene_listening(void)
{
	struct sockaddr_in address;

	memcpy(&address, &scene.listening, sizeof(address));
	return address;
}

HRESULT
scene_accept_post(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *overlapped)
{
	static uint8_t data[256] = {9, 8, 7};

	memset(overlapped, 0, sizeof(*overlapped));
	return IND2Connector_Accept(OWNER->connector, (IUnknown *)OWNER->qp, inbound, outbound,
		data, bytes, overlapped);
}

void
scene_request(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *connect)
{
	struct sockaddr_in to;
	OVERLAPPED asked = {0};

	if (scene.listener == NULL)
		spi_pair_listen(&scene);
	to = scene_listening();
	PEER->connector = scene_connector(PEER);
	OWNER->connector = scene_connector(OWNER);
	ASSERT_HR(scene_connect_post(PEER->connector, &to, inbound, outbound, bytes, connect),
		ND_PENDING);
	ASSERT_HR(spi_pair_finish(scene.listener,
			  IND2Listener_GetConnectionRequest(
				  scene.listener, (IUnknown *)OWNER->connector, &asked),
			  &asked),
		ND_SUCCESS);
}

void
scene_complete(OVERLAPPED *connect, OVERLAPPED *accept)
{
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, connect), ND_SUCCESS);
	ASSERT_HR(IND2Connector_CompleteConnect(PEER->connector, connect), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(OWNER->connector, ND_PENDING, accept), ND_SUCCESS);
}
