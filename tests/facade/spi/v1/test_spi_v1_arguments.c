/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Wrong arguments of the methods of version 1, called by slot number. Each row is one method. Wrong
 * values of each argument are generated from its kind; all other arguments are valid.
 */

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "support/refusal.h"
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

static struct v1_pair pair;
static void *objects[OBJECTS];
static INDConnector *idle;
static INDEndpoint *idle_endpoint;
static uint8_t out_place[256];
static SIZE_T length_place;
static ND_RESULT result_place;
static OVERLAPPED overlapped_place;
static ND_MW_DESCRIPTOR descriptor_place;
static ND_SGE sge;
static void *const stranger_methods[16];
static struct {
	const void *methods;
} stranger = {stranger_methods};

static const GUID *const iids[] = {&IID_INDProvider, &IID_INDAdapter, &IID_INDCompletionQueue,
	&IID_INDMemoryWindow, &IID_INDEndpoint, &IID_INDConnector, &IID_INDListen};

/*
 * Kinds of a method's arguments, in order. o: output that must not be NULL; l: pointer to a length;
 * v: OVERLAPPED of an operation; V: any OVERLAPPED; x: result; s: list of one entry; d: descriptor;
 * c: completion queue; w: window; e: endpoint of the connector; k: new connector; m: registered
 * memory; b: its address; a: address of a listener; z: length of this address; n: 0 or NULL is
 * valid; 1..9: a number.
 */
struct method {
	enum object object;
	unsigned int slot;
	const char *arguments;
	/**
	 * Invalid number at a position, and the expected status; 0: ND_INVALID_PARAMETER_position
	 */
	struct {
		unsigned int position;
		uint64_t value;
		HRESULT expected;
	} numbers[7];
};

static const struct method methods[] = {
	{PROVIDER, 3, "nl", {{0}}},
	{PROVIDER, 4, "azo", {{2, 4, ND_INVALID_ADDRESS}, {2, 0, ND_INVALID_ADDRESS}}},
	{ADAPTER, 4, "Vnn", {{0}}},
	{ADAPTER, 6, "1nl",
		{{1, 0, ND_NOT_SUPPORTED}, {1, 2, ND_NOT_SUPPORTED},
			{1, 0x20000, ND_NOT_SUPPORTED}}},
	{ADAPTER, 7, "nnnnnlv", {{1, 1, ND_NOT_SUPPORTED}}},
	{ADAPTER, 8, "1o", {{1, 0, ND_INVALID_PARAMETER}, {1, 0x10000000, ND_INVALID_PARAMETER}}},
	{ADAPTER, 9, "b1vo",
		{{1, 0, ND_ACCESS_VIOLATION}, {1, UINT64_MAX, ND_ACCESS_VIOLATION},
			{2, 0, ND_ACCESS_VIOLATION}, {2, UINT64_C(1) << 60, ND_INVALID_PARAMETER}}},
	{ADAPTER, 10, "mv", {{1, 0, ND_INVALID_HANDLE}, {1, 0x123456789, ND_INVALID_HANDLE}}},
	{ADAPTER, 11, "xo", {{0}}},
	{ADAPTER, 12, "o", {{0}}},
	{ADAPTER, 13, "n6noo", {{2, 0, 0}, {2, 256, 0}}},
	{CQ, 4, "Vnn", {{0}}},
	{CQ, 5, "1", {{1, 0, ND_INVALID_PARAMETER}, {1, 0x10000000, ND_INVALID_PARAMETER}}},
	{CQ, 6, "1v", {{1, 3, 0}}},
	{ENDPOINT, 6, "xs1n", {{3, 17, ND_DATA_OVERRUN}, {4, 0x08, 0}, {4, 0x20, 0}}},
	{ENDPOINT, 7, "xs1dn", {{3, 17, ND_DATA_OVERRUN}, {5, 0x08, 0}, {5, 0x20, 0}}},
	{ENDPOINT, 8, "xs1", {{3, 17, ND_DATA_OVERRUN}}},
	{ENDPOINT, 9, "xmwb88d",
		{{2, 0, 0}, {2, 0x123456789, 0}, {4, 8, 0}, {5, 0, 0}, {5, V1_BYTES + 1, 0},
			{6, 0, 0}, {6, 0x2c, 0}}},
	{ENDPOINT, 10, "xwn", {{3, 0x08, 0}, {3, 0x04, 0}}},
	{ENDPOINT, 11, "xs1dnn", {{3, 17, ND_DATA_OVERRUN}, {6, 0x04, 0}, {6, 0x20, 0}}},
	{ENDPOINT, 12, "xs1dnn", {{3, 17, ND_DATA_OVERRUN}, {6, 0x04, 0}, {6, 0x20, 0}}},
	{CONNECTOR, 4, "Vnn", {{0}}},
	{CONNECTOR, 5, "cc888844no",
		{{3, 0x100000, 0}, {4, 0x100000, 0}, {5, 17, 0}, {6, 17, 0}, {7, 0x10000, 0},
			{8, 0x10000, 0}}},
	{CONNECTOR, 6, "eaz6nnnv",
		{{3, 4, ND_INVALID_ADDRESS}, {4, 0, 0}, {4, 256, 0},
			{7, 57, ND_INVALID_BUFFER_SIZE}, {7, 5, ND_ACCESS_VIOLATION}}},
	{CONNECTOR, 7, "V", {{0}}},
	{CONNECTOR, 8, "ennv", {{0}}},
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
	v1_open(&pair);
	v1_connect(&pair);
	idle = v1_connector(&pair.side[0]);
	idle_endpoint = v1_endpoint(&pair.side[0], idle, &v1_limits);
	cr_assert_eq(NdOpenProvider(&IID_INDProvider, &objects[PROVIDER]), S_OK);
	cr_assert_eq(INDAdapter_Listen(pair.side[0].adapter, 0, IPPROTO_TCP, htons(7000), NULL,
			     (INDListen **)&objects[LISTEN]),
		ND_SUCCESS);
	objects[ADAPTER] = pair.side[0].adapter;
	objects[CQ] = pair.side[0].in;
	objects[WINDOW] = pair.side[0].mw;
	objects[ENDPOINT] = pair.side[0].endpoint;
	objects[CONNECTOR] = idle;
	sge = v1_sge(&pair.side[0], 0, 8);
}

static void
teardown(void)
{
	v1_release(objects[PROVIDER]);
	v1_release(objects[LISTEN]);
	v1_release(idle);
	v1_release(idle_endpoint);
	v1_close(&pair);
}

TestSuite(spi_v1_arguments, .init = setup, .fini = teardown);

static uintptr_t
good_argument(char letter)
{
	switch (letter) {
	case 'o':
		return (uintptr_t)out_place;
	case 'l':
		length_place = sizeof(out_place);
		return (uintptr_t)&length_place;
	case 'v':
	case 'V':
		return (uintptr_t)&overlapped_place;
	case 'x':
		return (uintptr_t)&result_place;
	case 's':
		return (uintptr_t)&sge;
	case 'd':
		return (uintptr_t)&descriptor_place;
	case 'a':
		return (uintptr_t)&pair.listening;
	case 'z':
		return sizeof(struct sockaddr_in);
	case 'c':
		return (uintptr_t)objects[CQ];
	case 'w':
		return (uintptr_t)objects[WINDOW];
	case 'e':
		return (uintptr_t)idle_endpoint;
	case 'k':
		return (uintptr_t)idle;
	case 'm':
		return (uintptr_t)pair.side[0].mr;
	case 'b':
		return (uintptr_t)pair.side[0].memory;
	case 'n':
		return 0;
	default:
		return (uintptr_t)(letter - '0');
	}
}

/** A method has up to ten arguments. A method with fewer arguments ignores the others. */
typedef HRESULT (*slot_fn)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
	uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static HRESULT
slot_call(const struct method *method, unsigned int position, uintptr_t value)
{
	void *object = objects[method->object];
	void *const *table = *(void *const *const *)object;
	slot_fn function = (slot_fn)(uintptr_t)table[method->slot];
	uintptr_t a[10] = {0};

	for (size_t i = 0; method->arguments[i] != '\0'; i++)
		a[i] = good_argument(method->arguments[i]);
	a[position - 1] = value;
	return function(object, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
}

/** @return whether the call has changed no output */
static bool
outputs_untouched(void)
{
	const uint8_t *result = (const uint8_t *)&result_place;

	for (size_t i = 0; i < sizeof(out_place); i++) {
		if (out_place[i] != 0xa5)
			return false;
	}
	for (size_t i = 0; i < sizeof(result_place); i++) {
		if (result[i] != 0xa5)
			return false;
	}
	return true;
}

static void
check(const struct method *method, unsigned int position, uintptr_t value, HRESULT expected)
{
	const unsigned int refusals = refusal_count();
	HRESULT status;
	char text[64];

	memset(out_place, 0xa5, sizeof(out_place));
	memset(&result_place, 0xa5, sizeof(result_place));
	status = slot_call(method, position, value);
	if (expected == 0)
		expected = ND_INVALID_PARAMETER_1 + (HRESULT)position - 1;
	cr_expect_eq(status, expected,
		"object %u, slot %u: argument %u = %#lx gives %#x instead of %#x", method->object,
		method->slot, position, value, (unsigned int)status, (unsigned int)expected);
	cr_expect(outputs_untouched(), "object %u, slot %u writes outputs", method->object,
		method->slot);
	snprintf(text, sizeof(text), "object %u, slot %u, argument %u", method->object,
		method->slot, position);
	refusal_check(text, status, refusals);
}

/** @return an object of the same kind of the other adapter, or of another connection */
static void *
stranger_of(char letter)
{
	switch (letter) {
	case 'c':
		return pair.side[1].in;
	case 'w':
		return pair.side[1].mw;
	case 'e':
		return pair.side[0].endpoint;
	default:
		return pair.side[1].connector;
	}
}

static void
argument_check(const struct method *method, unsigned int position, char letter)
{
	OVERLAPPED bad_event = {.hEvent = INDAdapter_GetFileHandle(pair.side[0].adapter)};

	switch (letter) {
	case 'v':
		/* Control checks no arguments. */
		if (method->object == ADAPTER && method->slot == 7)
			break;
		check(method, position, (uintptr_t)&bad_event, ND_INVALID_HANDLE);
		check(method, position, 0, 0);
		break;
	case 'l':
		if (method->object == ADAPTER && method->slot == 7)
			break;
		/* fall through */
	case 'o':
	case 'V':
	case 'x':
	case 's':
	case 'd':
	case 'a':
		check(method, position, 0, 0);
		break;
	case 'c':
	case 'w':
	case 'e':
	case 'k':
		check(method, position, 0, 0);
		check(method, position, (uintptr_t)objects[ADAPTER], 0);
		check(method, position, (uintptr_t)&stranger, 0);
		check(method, position, (uintptr_t)stranger_of(letter), 0);
		break;
	default:
		break;
	}
}

/* The documented status codes of all methods, including ND-085. */
Test(spi_v1_arguments, wrong_arguments_of_all_methods)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		const struct method *method = &methods[i];

		for (unsigned int n = 0; method->arguments[n] != '\0'; n++)
			argument_check(method, n + 1, method->arguments[n]);
		for (size_t n = 0; n < 7 && method->numbers[n].position != 0; n++)
			check(method, method->numbers[n].position, method->numbers[n].value,
				method->numbers[n].expected);
	}
	/* The refused calls have left no request, and the connection still exists. */
	v1_quiet(pair.side[0].in);
	v1_quiet(pair.side[0].out);
	(void)v1_bound(&pair.side[0], 0, 8, V1_BOTH);
}

/* GetResults without an array, a second endpoint, a connector that is not new. */
Test(spi_v1_arguments, wrong_states)
{
	struct v1_side *side = &pair.side[0];
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
 * Each object has its interface, the interface of overlapped objects if it has one, and IUnknown.
 */
Test(spi_v1_arguments, nd_219_query_interface)
{
	for (unsigned int i = PROVIDER; i < OBJECTS; i++) {
		INDOverlapped *object = objects[i], *got = NULL;
		bool overlapped = i == ADAPTER || i == CQ || i == CONNECTOR || i == LISTEN;

		cr_assert_eq(INDOverlapped_QueryInterface(object, iids[i], (void **)&got), S_OK);
		cr_assert_eq(got, object);
		cr_assert_eq(INDOverlapped_AddRef(got), 3);
		cr_assert_eq(INDOverlapped_Release(got), 2);
		cr_assert_eq(INDOverlapped_Release(got), 1);
		got = NULL;
		cr_assert_eq(
			INDOverlapped_QueryInterface(object, &IID_IUnknown, (void **)&got), S_OK);
		cr_assert_eq(got, object);
		cr_assert_eq(INDOverlapped_Release(got), 1);
		cr_assert_eq(
			INDOverlapped_QueryInterface(object, &IID_INDOverlapped, (void **)&got),
			overlapped ? S_OK : E_NOINTERFACE);
		cr_assert_eq(got, overlapped ? object : NULL);
		if (overlapped)
			cr_assert_eq(INDOverlapped_Release(got), 1);
		cr_assert_eq(INDOverlapped_QueryInterface(object, &IID_IND2Adapter, (void **)&got),
			E_NOINTERFACE);
		cr_assert_null(got);
		cr_assert_eq(INDOverlapped_QueryInterface(object, NULL, (void **)&got), E_POINTER);
		cr_assert_eq(INDOverlapped_QueryInterface(object, iids[i], NULL), E_POINTER);
	}
}

Test(spi_v1_arguments, nd_212_query_says_how_many_bytes_it_needs)
{
	INDAdapter *adapter = pair.side[0].adapter;
	ND_ADAPTER_INFO info = {.VendorId = 0xa5a5a5a5};
	SIZE_T bytes = 0;

	cr_assert_eq(INDAdapter_Query(adapter, 1, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(info));
	bytes--;
	cr_assert_eq(INDAdapter_Query(adapter, 1, &info, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(info));
	cr_assert_eq(info.VendorId, 0xa5a5a5a5);
	bytes = 1000;
	cr_assert_eq(INDAdapter_Query(adapter, 1, &info, &bytes), ND_SUCCESS);
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

	cr_assert_eq(INDAdapter_Query(pair.side[0].adapter, ND_VERSION_2, &info, &bytes),
		ND_NOT_SUPPORTED);
	cr_assert_eq(INDAdapter_Query(pair.side[0].adapter, 0, &info, &bytes), ND_NOT_SUPPORTED);
	cr_assert_eq(
		INDAdapter_Query(pair.side[0].adapter, ND_VERSION_1, &info, &bytes), ND_SUCCESS);
}

Test(spi_v1_arguments, nd_218_address_list_has_addresses_of_adapters)
{
	INDProvider *provider = objects[PROVIDER];
	SOCKET_ADDRESS_LIST *list = (SOCKET_ADDRESS_LIST *)(void *)out_place;
	SIZE_T bytes = 0;

	cr_assert_eq(INDProvider_QueryAddressList(provider, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_gt(bytes, 0);
	cr_assert_leq(bytes, sizeof(out_place));
	cr_assert_eq(INDProvider_QueryAddressList(provider, list, &bytes), ND_SUCCESS);
	cr_assert_eq(list->iAddressCount, 2);
	for (int i = 0; i < 2; i++) {
		INDAdapter *adapter = NULL;

		cr_assert_eq(NdCheckAddress(list->Address[i].lpSockaddr,
				     (SIZE_T)list->Address[i].iSockaddrLength),
			S_OK);
		cr_assert_eq(INDProvider_OpenAdapter(provider, list->Address[i].lpSockaddr,
				     (SIZE_T)list->Address[i].iSockaddrLength, &adapter),
			ND_SUCCESS);
		v1_release(adapter);
	}
}

/* An adapter rejects handles of another adapter. */
Test(spi_v1_arguments, nd_207_deregistering_a_bad_handle)
{
	OVERLAPPED overlapped = {0};
	ND_MR_HANDLE mr = NULL;

	cr_assert_eq(INDAdapter_DeregisterMemory(pair.side[0].adapter, NULL, &overlapped),
		ND_INVALID_HANDLE);
	cr_assert_eq(
		INDAdapter_DeregisterMemory(pair.side[0].adapter, pair.side[1].mr, &overlapped),
		ND_INVALID_HANDLE);
	cr_assert_eq(INDAdapter_RegisterMemory(
			     pair.side[0].adapter, out_place, sizeof(out_place), &overlapped, &mr),
		ND_PENDING);
	cr_assert_eq(
		INDAdapter_DeregisterMemory(pair.side[0].adapter, mr, &overlapped), ND_PENDING);
	cr_assert_eq(v1_finish(pair.side[0].adapter, ND_PENDING, &overlapped), ND_SUCCESS);
	cr_assert_eq(INDAdapter_DeregisterMemory(pair.side[0].adapter, mr, &overlapped),
		ND_INVALID_HANDLE);
}
