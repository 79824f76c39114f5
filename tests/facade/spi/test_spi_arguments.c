/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Invalid arguments for the methods of version 2. */

#include <criterion/criterion.h>
#include <rte_common.h>

#include "arguments.h"
#include "spi_pair.h"

enum object {
	PROVIDER,
	ADAPTER,
	CQ,
	SRQ,
	REGION,
	WINDOW,
	QP,
	CONNECTOR,
	LISTENER,
	OBJECTS,
};

static struct spi_pair pair;
static void *objects[OBJECTS];
static ND2_SGE sge;

static const struct arguments_interface interfaces[OBJECTS] = {
	[PROVIDER] = {&IID_IND2Provider, false},
	[ADAPTER] = {&IID_IND2Adapter, false},
	[CQ] = {&IID_IND2CompletionQueue, true},
	[SRQ] = {&IID_IND2SharedReceiveQueue, true},
	[REGION] = {&IID_IND2MemoryRegion, true},
	[WINDOW] = {&IID_IND2MemoryWindow, false},
	[QP] = {&IID_IND2QueuePair, false},
	[CONNECTOR] = {&IID_IND2Connector, true},
	[LISTENER] = {&IID_IND2Listener, true},
};

static const struct arguments_method methods[] = {
	{PROVIDER, 3, "bl", {{0}}},
	{PROVIDER, 4, "azp", {{0}}},
	{PROVIDER, 5, "IDp", {{2, 12345, ND_INVALID_PARAMETER}}},
	{ADAPTER, 3, "p", {{0}}},
	{ADAPTER, 4, "nl", {{0}}},
	{ADAPTER, 5, "nl", {{0}}},
	{ADAPTER, 6, "ih1n1p", {{3, 0, 0}, {3, 0x10000000, 0}, {4, 1, 0}}},
	{ADAPTER, 7, "ihp", {{0}}},
	{ADAPTER, 8, "ip", {{0}}},
	{ADAPTER, 9, "ih111n1p", {{3, 0, 0}, {3, 0x10000000, 0}, {4, 17, 0}, {6, 1, 0}}},
	{ADAPTER, 10, "iccn11111p",
		{{5, 0x100000, 0}, {6, 0x100000, 0}, {7, 17, 0}, {8, 17, 0}, {9, 257, 0}}},
	{ADAPTER, 11, "iccrn111p", {{6, 0x100000, 0}, {7, 17, 0}, {8, 257, 0}}},
	{ADAPTER, 12, "ihp", {{0}}},
	{ADAPTER, 13, "ihp", {{0}}},
	{CQ, 4, "V1", {{0}}},
	{CQ, 5, "pp", {{0}}},
	{CQ, 6, "1", {{1, 0, ND_INVALID_PARAMETER}, {1, 0x10000000, ND_INVALID_PARAMETER}}},
	{CQ, 7, "1V", {{1, 3, 0}}},
	{SRQ, 4, "V1", {{0}}},
	{SRQ, 5, "pp", {{0}}},
	{SRQ, 6, "11", {{1, 0x10000000, ND_INVALID_PARAMETER}}},
	{SRQ, 7, "V", {{0}}},
	{SRQ, 8, "ns1", {{0}}},
	{REGION, 4, "V1", {{0}}},
	{REGION, 5, "b1nV",
		{{1, 0, ND_INVALID_PARAMETER}, {2, 0, ND_INVALID_BUFFER_SIZE}, {3, 0x10, 0}}},
	{REGION, 6, "V", {{0}}},
	{QP, 4, "ns1n", {{4, 0x40, 0}, {4, 0x08, 0}}},
	{QP, 5, "ns1", {{0}}},
	{QP, 6, "nmwb1n", {{6, 0x20, 0}, {6, 0x04, 0}}},
	{QP, 7, "nwn", {{3, 0x20, 0}}},
	{QP, 8, "ns111n", {{6, 0x20, 0}, {6, 0x04, 0}}},
	{QP, 9, "ns111n", {{6, 0x04, 0}, {6, 0x40, 0}}},
	{CONNECTOR, 4, "V1", {{0}}},
	{CONNECTOR, 5, "az", {{0}}},
	{CONNECTOR, 6, "qaz11nnV", {{0}}},
	{CONNECTOR, 7, "V", {{0}}},
	{CONNECTOR, 8, "q11nnV", {{0}}},
	{CONNECTOR, 11, "nl", {{0}}},
	{CONNECTOR, 12, "nl", {{0}}},
	{CONNECTOR, 13, "nl", {{0}}},
	{CONNECTOR, 14, "V", {{0}}},
	{CONNECTOR, 15, "V", {{0}}},
	{LISTENER, 4, "V1", {{0}}},
	{LISTENER, 5, "az", {{0}}},
	{LISTENER, 7, "nl", {{0}}},
	{LISTENER, 8, "kV", {{0}}},
};

static void
setup(void)
{
	spi_pair_configure();
	spi_pair_open(&pair);
	pair.side[0].connector = spi_pair_connector(&pair, 0);
	cr_assert_eq(NdOpenProvider(&IID_IND2Provider, &objects[PROVIDER]), S_OK);
	cr_assert_eq(IND2Adapter_CreateListener(pair.side[0].adapter, &IID_IND2Listener,
			     pair.side[0].file, &objects[LISTENER]),
		ND_SUCCESS);
	cr_assert_eq(IND2Adapter_CreateSharedReceiveQueue(pair.side[0].adapter,
			     &IID_IND2SharedReceiveQueue, pair.side[0].file, 8, 2, 0, 0, 0,
			     &objects[SRQ]),
		ND_SUCCESS);
	objects[ADAPTER] = pair.side[0].adapter;
	objects[CQ] = pair.side[0].cq;
	objects[REGION] = pair.side[0].mr;
	objects[WINDOW] = pair.side[0].mw;
	objects[QP] = pair.side[0].qp;
	objects[CONNECTOR] = pair.side[0].connector;
	sge = spi_pair_sge(&pair.side[0], 0, 8);
}

static void
teardown(void)
{
	cr_assert_eq(IND2Overlapped_Release((IND2Overlapped *)objects[LISTENER]), 0);
	cr_assert_eq(IND2Overlapped_Release((IND2Overlapped *)objects[SRQ]), 0);
	cr_assert_eq(IND2Provider_Release((IND2Provider *)objects[PROVIDER]), 0);
	spi_pair_close(&pair);
}

TestSuite(spi_arguments, .init = setup, .fini = teardown);

/* ND-086: each method returns its documented status for each invalid argument. */
Test(spi_arguments, ND_086_wrong_arguments_of_all_methods)
{
	const struct spi_side *own = &pair.side[0], *other = &pair.side[1];
	UINT64 id;
	struct arguments_value values[] = {
		{'h', (uintptr_t)own->file, 0},
		{'b', (uintptr_t)arguments_out, 0},
		{'s', (uintptr_t)&sge, 0},
		{'a', (uintptr_t)&own->address, 0},
		{'c', (uintptr_t)own->cq, (uintptr_t)other->cq},
		{'r', (uintptr_t)objects[SRQ], 0},
		{'m', (uintptr_t)own->mr, (uintptr_t)other->mr},
		{'w', (uintptr_t)own->mw, (uintptr_t)other->mw},
		{'q', (uintptr_t)own->qp, (uintptr_t)other->qp},
		{'k', (uintptr_t)own->connector, 0},
		{'D', 0, 0},
		{0, 0, 0},
	};
	const struct arguments arguments = {objects, values};

	cr_assert_eq(
		IND2Provider_ResolveAddress((IND2Provider *)objects[PROVIDER],
			(const struct sockaddr *)&own->address, sizeof(struct sockaddr_in), &id),
		ND_SUCCESS);
	values[RTE_DIM(values) - 2].valid = id;
	arguments_check(&arguments, methods, RTE_DIM(methods));
}

/* ND-219: QueryInterface of each object finds IUnknown and the object's own interface. */
Test(spi_arguments, ND_219_query_interface)
{
	arguments_query_interface(
		objects, interfaces, OBJECTS, &IID_IND2Overlapped, &IID_INDProvider);
}

/* ND-212, ND-214, ND-215, ND-217, ND-218: queries of limits and addresses. */
Test(spi_arguments, ND_214_query)
{
	ND2_ADAPTER_INFO info = {.InfoVersion = ND_VERSION_2};
	SOCKET_ADDRESS_LIST *list = (SOCKET_ADDRESS_LIST *)(void *)arguments_out;
	ULONG bytes = 0;
	SIZE_T wide = 0;

	cr_assert_eq(IND2Adapter_Query(pair.side[0].adapter, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(info));
	cr_assert_eq(IND2Adapter_Query(pair.side[0].adapter, &info, &bytes), ND_SUCCESS);
	cr_assert_eq(info.InfoVersion, ND_VERSION_2);
	cr_assert_leq(info.MaxReadSge, info.MaxInitiatorSge);
	cr_assert((info.AdapterFlags & ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0);
	cr_assert_eq(NdQueryAddressList(0, NULL, &wide), ND_BUFFER_OVERFLOW);
	cr_assert_leq(wide, sizeof(arguments_out));
	cr_assert_eq(NdQueryAddressList(0, list, &wide), S_OK);
	cr_assert_eq(list->iAddressCount, 2);
	for (int i = 0; i < 2; i++)
		cr_assert_eq(NdCheckAddress(list->Address[i].lpSockaddr,
				     (SIZE_T)list->Address[i].iSockaddrLength),
			S_OK);
}
