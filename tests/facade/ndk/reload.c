/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A program that is not linked with the library of the kernel interface. The program repeatedly
 * loads the library, opens an adapter, and unloads the library. The program finds all functions by
 * name, including functions of DPDK.
 *
 * usage: reload LIBRARY closed|open
 *
 * With `closed`, the program closes the adapters before it unloads the library. With `open`, the
 * program leaves the adapters open.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ndpdk/nd.h>
#include <ndpdk/ndkpi.h>

#define ROUNDS 20

struct functions {
	int (*eal_init)(int, char **);
	nd_status (*open)(const struct nd_adapter_config *, size_t, struct nd_adapter **);
	void (*close)(struct nd_adapter *);
	NTSTATUS (*ndk_open)(struct nd_adapter *, NDK_VERSION, NDK_ADAPTER **);
	NTSTATUS (*ndk_close)(NDK_ADAPTER *);
};

static void
must(bool condition, const char *otherwise)
{
	if (condition)
		return;
	fprintf(stderr, "reload: %s\n", otherwise);
	_exit(1);
}

/** @return address of a function in the library or in one of its dependencies */
static void *
find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	must(function != NULL, dlerror());
	return function;
}

static void
eal_start(const struct functions *functions)
{
	static char program[] = "reload", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", no_telemetry[] = "--no-telemetry", memory[] = "-m",
		    megabytes[] = "64", log_level[] = "--log-level=lib.eal:warning",
		    device[] = "--vdev=net_null0,no-rx=1";
	static char *arguments[] = {program, no_huge, no_shconf, no_pci, no_telemetry, memory,
		megabytes, log_level, device};

	must(functions->eal_init((int)(sizeof(arguments) / sizeof(arguments[0])), arguments) >= 0,
		"EAL does not start");
}

static void
round_play(void *library, bool first, bool closes)
{
	struct nd_adapter_config config = {.port_name = "net_null0", .mbuf_count = 1024};
	struct sockaddr_in *address = (struct sockaddr_in *)&config.address;
	const NDK_VERSION version = {1, 2};
	static struct nd_adapter *native;
	static NDK_ADAPTER *adapter;
	struct functions functions;

	*(void **)&functions.eal_init = find(library, "rte_eal_init");
	*(void **)&functions.open = find(library, "nd_adapter_open_sized");
	*(void **)&functions.close = find(library, "nd_adapter_close");
	*(void **)&functions.ndk_open = find(library, "ndk_adapter_open");
	*(void **)&functions.ndk_close = find(library, "ndk_adapter_close");
	/* Start EAL in the first round only, because EAL remains initialized. */
	if (first)
		eal_start(&functions);
	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(0xC6336401);
	must(functions.open(&config, sizeof(config), &native) == ND_SUCCESS,
		"there is no native adapter");
	must(functions.ndk_open(native, version, &adapter) == STATUS_SUCCESS,
		"there is no adapter");
	if (!closes)
		return;
	must(functions.ndk_close(adapter) == STATUS_SUCCESS, "the adapter does not close");
	functions.close(native);
}

int
main(int argc, char *argv[])
{
	bool closes = argc == 3 && strcmp(argv[2], "closed") == 0;

	if (argc != 3)
		return 2;
	for (unsigned int i = 0; i < (closes ? ROUNDS : 1); i++) {
		void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);

		must(library != NULL, "the library cannot be loaded");
		round_play(library, i == 0, closes);
		must(dlclose(library) == 0, "dlclose fails");
		/*
		 * DPDK's lcores and telemetry may call the library, so its code must stay mapped.
		 * RTLD_NOLOAD only succeeds if the library is still mapped.
		 */
		library = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
		must(library != NULL, "the library does not stay");
		must(dlclose(library) == 0, "the second dlclose fails");
	}
	return 0;
}
