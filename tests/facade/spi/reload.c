/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A program that is not linked with the library. The program repeatedly loads the library, uses an
 * adapter, and unloads the library.
 * usage: reload LIBRARY closed|open
 *
 * With `closed`, all objects are released before the library is unloaded. With `open`, no object is
 * released.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Do not replace printf(), because this program is not linked with the library that has the
 * replacement.
 */
#define NDWIN_NO_PRINTF
#include <ndpdk/ndspi.h>

#define ROUNDS   20
/** Time in us after which each thread of the library has run at least once. */
#define AFTER_US 300000

static const char setup[] =
	"eal = --no-huge --no-shconf --no-pci --no-telemetry -m 64 --log-level=lib.eal:warning"
	" --vdev=net_null0,no-rx=1; [adapter]; port = net_null0; mbuf_count = 1024;"
	"address = 198.51.100.1/24";

struct objects {
	IND2Adapter *adapter;
	HANDLE file;
	IND2CompletionQueue *cq;
	IND2Listener *listener;
	OVERLAPPED notified, asked;
};

static void
must(bool condition, const char *otherwise)
{
	if (condition)
		return;
	fprintf(stderr, "reload: %s\n", otherwise);
	_exit(1);
}

/** @return address of a function of the library. The caller casts it to the function's type. */
static void *
find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	must(function != NULL, dlerror());
	return function;
}

static void
use(void *library, struct objects *objects)
{
	HRESULT (*start)(void);
	HRESULT (*open)(REFIID, const struct sockaddr *, SIZE_T, VOID **);
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC6336401)};
	IND2Adapter *adapter;

	*(void **)&start = find(library, "NdStartup");
	*(void **)&open = find(library, "NdOpenAdapter");
	must(start() == S_OK, "NdStartup fails");
	must(open(&IID_IND2Adapter, (const struct sockaddr *)&address, sizeof(address),
		     (VOID **)&objects->adapter) == S_OK,
		"NdOpenAdapter fails");
	adapter = objects->adapter;
	must(IND2Adapter_CreateOverlappedFile(adapter, &objects->file) == ND_SUCCESS, "no file");
	must(IND2Adapter_CreateCompletionQueue(adapter, &IID_IND2CompletionQueue, objects->file, 16,
		     0, 0, (VOID **)&objects->cq) == ND_SUCCESS,
		"there is no queue");
	must(IND2Adapter_CreateListener(adapter, &IID_IND2Listener, objects->file,
		     (VOID **)&objects->listener) == ND_SUCCESS,
		"there is no listener");
	must(IND2Listener_Bind(objects->listener, (const struct sockaddr *)&address,
		     sizeof(address)) == ND_SUCCESS,
		"Bind fails");
	must(IND2Listener_Listen(objects->listener, 0) == ND_SUCCESS, "Listen fails");
	must(IND2CompletionQueue_Notify(objects->cq, ND_CQ_NOTIFY_ANY, &objects->notified) ==
			ND_PENDING,
		"Notify fails");
}

static void
leave(void *library, struct objects *objects)
{
	BOOL (*handle_close)(HANDLE);
	HRESULT (*cleanup)(void);

	*(void **)&handle_close = find(library, "ndwin_CloseHandle");
	*(void **)&cleanup = find(library, "NdCleanup");
	IND2Listener_Release(objects->listener);
	IND2CompletionQueue_Release(objects->cq);
	IND2Adapter_Release(objects->adapter);
	must(handle_close(objects->file), "CloseHandle fails");
	must(cleanup() == S_OK, "NdCleanup fails");
}

static void *
load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	must(library != NULL, "the library cannot be loaded");
	return library;
}

/** Call dlclose(). The code must stay mapped for threads, the exit() handler and DPDK callbacks. */
static void
unload(const char *path, void *library)
{
	must(dlclose(library) == 0, "dlclose fails");
	library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	must(library != NULL, "the library does not stay");
	must(dlclose(library) == 0, "the second dlclose fails");
}

/** Unload the library with open objects, let its threads run, and use the adapter again. */
static void
leave_open(const char *path)
{
	static struct objects first, second;
	void *library = load(path);

	use(library, &first);
	unload(path, library);
	usleep(AFTER_US);
	library = load(path);
	use(library, &second);
	leave(library, &second);
	unload(path, library);
}

int
main(int argc, char *argv[])
{
	static struct objects objects;

	if (argc != 3)
		return 2;
	setenv("NDPDK_SPI_CONFIG", setup, 1);
	if (strcmp(argv[2], "open") == 0) {
		leave_open(argv[1]);
		return 0;
	}
	for (unsigned int i = 0; i < ROUNDS; i++) {
		void *library = load(argv[1]);

		memset(&objects, 0, sizeof(objects));
		use(library, &objects);
		leave(library, &objects);
		unload(argv[1], library);
	}
	return 0;
}
