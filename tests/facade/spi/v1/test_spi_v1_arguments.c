/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Invalid arguments for the methods of version 1. */

#include <rte_common.h>

#include "../arguments.h"
#include "v1_pair.h"

enum object {
	PROVIDER,
	ADAPTER,
	CQ,
	WINDOW,
	ENDPOINT,
	CONNECTOR,
	LISTEN,
	OBJECTS,
};

static void *objects[OBJECTS];
static INDConnector *idle;
static INDEndpoint *idle_endpoint;
static ND_SGE sge;

static const struct arguments_interface interfaces[OBJECTS] = {
	[PROVIDER] = {&IID_INDProvider, false},
	[ADAPTER] = {&IID_INDAdapter, true},
	[CQ] = {&IID_INDCompletionQueue, true},
	[WINDOW] = {&IID_INDMemoryWindow, false},
	[ENDPOINT] = {&IID_INDEndpoint, false},
	[CONNECTOR] = {&IID_INDConnector, true},
	[LISTEN] = {&IID_INDListen, true},
};

static const struct arguments_method methods[] = {
	{PROVIDER, 3, "nl", {{0}}},
	{PROVIDER, 4, "azp", {{2, 4, ND_INVALID_ADDRESS}, {2, 0, ND_INVALID_ADDRESS}}},
	{ADAPTER, 4, "Vnn", {{0}}},
	{ADAPTER, 6, "1nl",
		{{1, 0, ND_NOT_SUPPORTED}, {1, 2, ND_NOT_SUPPORTED},
			{1, 0x20000, ND_NOT_SUPPORTED}}},
	{ADAPTER, 7, "nnnnnbb", {{1, 1, ND_NOT_SUPPORTED}}},
	{ADAPTER, 8, "1p", {{1, 0, ND_INVALID_PARAMETER}, {1, 0x10000000, ND_INVALID_PARAMETER}}},
	{ADAPTER, 9, "b1vp",
		{{1, 0, ND_ACCESS_VIOLATION}, {1, UINT64_MAX, ND_ACCESS_VIOLATION},
			{2, 0, ND_ACCESS_VIOLATION}, {2, UINT64_C(1) << 60, ND_INVALID_PARAMETER}}},
	{ADAPTER, 10, "Mv", {{1, 0, ND_INVALID_HANDLE}, {1, 0x123456789, ND_INVALID_HANDLE}}},
	{ADAPTER, 11, "xp", {{0}}},
	{ADAPTER, 12, "p", {{0}}},
	{ADAPTER, 13, "n6npp", {{2, 0, 0}, {2, 256, 0}}},
	{CQ, 4, "Vnn", {{0}}},
	{CQ, 5, "1", {{1, 0, ND_INVALID_PARAMETER}, {1, 0x10000000, ND_INVALID_PARAMETER}}},
	{CQ, 6, "1v", {{1, 3, 0}}},
	{ENDPOINT, 6, "xs1n", {{3, 17, ND_DATA_OVERRUN}, {4, 0x08, 0}, {4, 0x20, 0}}},
	{ENDPOINT, 7, "xs1dn", {{3, 17, ND_DATA_OVERRUN}, {5, 0x08, 0}, {5, 0x20, 0}}},
	{ENDPOINT, 8, "xs1", {{3, 17, ND_DATA_OVERRUN}}},
	{ENDPOINT, 9, "xMwb88d",
		{{2, 0, 0}, {2, 0x123456789, 0}, {4, 8, 0}, {5, 0, 0}, {5, V1_BYTES + 1, 0},
			{6, 0, 0}, {6, 0x2c, 0}}},
	{ENDPOINT, 10, "xwn", {{3, 0x08, 0}, {3, 0x04, 0}}},
	{ENDPOINT, 11, "xs1dnn", {{3, 17, ND_DATA_OVERRUN}, {6, 0x04, 0}, {6, 0x20, 0}}},
	{ENDPOINT, 12, "xs1dnn", {{3, 17, ND_DATA_OVERRUN}, {6, 0x04, 0}, {6, 0x20, 0}}},
	{CONNECTOR, 4, "Vnn", {{0}}},
	{CONNECTOR, 5, "cc888844np",
		{{3, 0x100000, 0}, {4, 0x100000, 0}, {5, 17, 0}, {6, 17, 0}, {7, 0x10000, 0},
			{8, 0x10000, 0}}},
	{CONNECTOR, 6, "qaz6nnnv",
		{{3, 4, ND_INVALID_ADDRESS}, {4, 0, 0}, {4, 256, 0},
			{7, 57, ND_INVALID_BUFFER_SIZE}, {7, 5, ND_ACCESS_VIOLATION}}},
	{CONNECTOR, 7, "V", {{0}}},
	{CONNECTOR, 8, "qnnv", {{0}}},
	{CONNECTOR, 11, "nl", {{0}}},
	{CONNECTOR, 12, "nl", {{0}}},
	{CONNECTOR, 13, "v", {{0}}},
	{CONNECTOR, 14, "v", {{0}}},
	{LISTEN, 4, "Vnn", {{0}}},
	{LISTEN, 5, "kv", {{0}}},
};

static void
setup(void)
{
	v1_open(&v1);
	v1_connect(&v1);
	idle = v1_connector(&v1.side[0]);
	idle_endpoint = v1_endpoint(&v1.side[0], idle, &v1_limits);
	cr_assert_eq(NdOpenProvider(&IID_INDProvider, &objects[PROVIDER]), S_OK);
	V1_OK(INDAdapter_Listen(v1.side[0].adapter, 0, IPPROTO_TCP, htons(7000), NULL,
		(INDListen **)&objects[LISTEN]));
	objects[ADAPTER] = v1.side[0].adapter;
	objects[CQ] = v1.side[0].in;
	objects[WINDOW] = v1.side[0].mw;
	objects[ENDPOINT] = v1.side[0].endpoint;
	objects[CONNECTOR] = idle;
	sge = v1_sge(&v1.side[0], 0, 8);
}

static void
teardown(void)
{
	v1_release(objects[PROVIDER]);
	v1_release(objects[LISTEN]);
	v1_close(&v1);
}

TestSuite(spi_v1_arguments, .init = setup, .fini = teardown);

/* Each method returns its documented status for each invalid argument (ND-085 and others). */
Test(spi_v1_arguments, wrong_arguments_of_all_methods)
{
	const struct v1_side *own = &v1.side[0], *other = &v1.side[1];
	const struct arguments_value values[] = {
		{'s', (uintptr_t)&sge, 0},
		{'a', (uintptr_t)&v1.listening, 0},
		{'b', (uintptr_t)own->memory, 0},
		{'M', (uintptr_t)own->mr, 0},
		{'c', (uintptr_t)own->in, (uintptr_t)other->in},
		{'w', (uintptr_t)own->mw, (uintptr_t)other->mw},
		{'q', (uintptr_t)idle_endpoint, (uintptr_t)own->endpoint},
		{'k', (uintptr_t)idle, (uintptr_t)other->connector},
		{0, 0, 0},
	};
	const struct arguments arguments = {objects, values};

	arguments_check(&arguments, methods, RTE_DIM(methods));
	/* The refused calls have posted no request and ended no connection. */
	v1_quiet(own->in);
	v1_quiet(own->out);
	(void)v1_bound(&v1.side[0], 0, 8, V1_BOTH);
}

/*
 * Calls with valid arguments in a wrong state: GetResults without an array, a second endpoint, a
 * connector that is already used.
 */
Test(spi_v1_arguments, wrong_states)
{
	struct v1_side *side = &v1.side[0];
	OVERLAPPED overlapped = {0};
	INDEndpoint *endpoint = NULL;

	cr_assert_eq(INDCompletionQueue_GetResults(side->in, NULL, 0), 0);
	cr_assert_eq(INDCompletionQueue_GetResults(side->in, NULL, 5), 0);
	cr_assert_eq(INDConnector_CreateEndpoint(
			     idle, side->in, side->out, 1, 1, 1, 1, 0, 0, NULL, &endpoint),
		ND_NOT_SUPPORTED);
	cr_assert_null(endpoint);
	cr_assert_eq(INDListen_GetConnectionRequest(
			     (INDListen *)objects[LISTEN], side->connector, &overlapped),
		ND_CONNECTION_ACTIVE);
	cr_assert_eq(INDConnector_Accept(idle, idle_endpoint, NULL, 0, &overlapped),
		ND_CONNECTION_INVALID);
	cr_assert_eq(INDConnector_Reject(idle, NULL, 0), ND_CONNECTION_INVALID);
	cr_assert_eq(INDConnector_GetConnectionData(idle, NULL, NULL, NULL, NULL),
		ND_CONNECTION_INVALID);
}

/**
 * QueryInterface of each object finds IUnknown and the object's own interface. Overlapped objects
 * also have the overlapped interface.
 */
Test(spi_v1_arguments, nd_219_query_interface)
{
	arguments_query_interface(
		objects, interfaces, OBJECTS, &IID_INDOverlapped, &IID_IND2Adapter);
}

Test(spi_v1_arguments, nd_212_query_says_how_many_bytes_it_needs)
{
	INDAdapter *adapter = v1.side[0].adapter;
	ND_ADAPTER_INFO info = {.VendorId = 0xa5a5a5a5};
	SIZE_T bytes = 0;

	cr_assert_eq(INDAdapter_Query(adapter, 1, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(info));
	bytes--;
	cr_assert_eq(INDAdapter_Query(adapter, 1, &info, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(info));
	cr_assert_eq(info.VendorId, 0xa5a5a5a5);
	bytes = 1000;
	V1_OK(INDAdapter_Query(adapter, 1, &info, &bytes));
	cr_assert_eq(bytes, sizeof(info));
	cr_assert_eq(info.VendorId, 0);
	cr_assert_geq(info.MaxCallerData, 56);
	cr_assert_geq(info.MaxCalleeData, 148);
	cr_assert_gt(info.MaxCqEntries, 0);
	cr_assert_gt(info.MaxWindowSize, 0);
}

Test(spi_v1_arguments, nd_213_query_of_another_version)
{
	ND_ADAPTER_INFO info;
	SIZE_T bytes = sizeof(info);

	cr_assert_eq(INDAdapter_Query(v1.side[0].adapter, ND_VERSION_2, &info, &bytes),
		ND_NOT_SUPPORTED);
	cr_assert_eq(INDAdapter_Query(v1.side[0].adapter, 0, &info, &bytes), ND_NOT_SUPPORTED);
	V1_OK(INDAdapter_Query(v1.side[0].adapter, ND_VERSION_1, &info, &bytes));
}

Test(spi_v1_arguments, nd_218_address_list_has_addresses_of_adapters)
{
	INDProvider *provider = objects[PROVIDER];
	SOCKET_ADDRESS_LIST *list = (SOCKET_ADDRESS_LIST *)(void *)arguments_out;
	SIZE_T bytes = 0;

	cr_assert_eq(INDProvider_QueryAddressList(provider, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_gt(bytes, 0);
	cr_assert_leq(bytes, sizeof(arguments_out));
	V1_OK(INDProvider_QueryAddressList(provider, list, &bytes));
	cr_assert_eq(list->iAddressCount, 2);
	for (int i = 0; i < 2; i++) {
		INDAdapter *adapter = NULL;

		cr_assert_eq(NdCheckAddress(list->Address[i].lpSockaddr,
				     (SIZE_T)list->Address[i].iSockaddrLength),
			S_OK);
		V1_OK(INDProvider_OpenAdapter(provider, list->Address[i].lpSockaddr,
			(SIZE_T)list->Address[i].iSockaddrLength, &adapter));
		v1_release(adapter);
	}
}

Test(spi_v1_arguments, nd_207_deregistering_a_bad_handle)
{
	OVERLAPPED overlapped = {0};
	ND_MR_HANDLE mr = NULL;

	cr_assert_eq(INDAdapter_DeregisterMemory(v1.side[0].adapter, NULL, &overlapped),
		ND_INVALID_HANDLE);
	cr_assert_eq(INDAdapter_DeregisterMemory(v1.side[0].adapter, v1.side[1].mr, &overlapped),
		ND_INVALID_HANDLE);
	cr_assert_eq(INDAdapter_RegisterMemory(v1.side[0].adapter, arguments_out,
			     sizeof(arguments_out), &overlapped, &mr),
		ND_PENDING);
	cr_assert_eq(INDAdapter_DeregisterMemory(v1.side[0].adapter, mr, &overlapped), ND_PENDING);
	V1_OK(v1_finish(v1.side[0].adapter, ND_PENDING, &overlapped));
	cr_assert_eq(INDAdapter_DeregisterMemory(v1.side[0].adapter, mr, &overlapped),
		ND_INVALID_HANDLE);
}
