/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_PORTS_H
#define NDPDK_NDK_PORTS_H

#include <pthread.h>

#include <stdbool.h>

#include <ndpdk/ndkpi.h>

#define PORT_NUMBERS   65536u
#define PORT_EPHEMERAL 49152u

/** Port numbers that listeners, shared endpoints and connectors use. */
struct ndk_ports {
	pthread_mutex_t lock;
	uint8_t taken[PORT_NUMBERS / 8];
	unsigned int next; /* ephemeral port number that is tried first */
};

/** A port number in use, with a reference count. */
struct ndk_port {
	struct ndk_ports *ports;
	uint16_t number;         /* host byte order */
	unsigned int references; /* protected by the lock of struct ndk_ports */
};

void ports_init(struct ndk_ports *ports);
void ports_fini(struct ndk_ports *ports);

/**
 * Take a free port number; it has one reference.
 *
 * @param number host byte order; 0: any of 49152..65535
 * @return STATUS_SUCCESS; STATUS_SHARING_VIOLATION; STATUS_TOO_MANY_ADDRESSES;
 *         STATUS_INSUFFICIENT_RESOURCES
 */
NTSTATUS port_take(struct ndk_ports *ports, uint16_t number, struct ndk_port **port);

/** Take and release a reference. NULL has no effect. */
void port_hold(struct ndk_port *port);
void port_drop(struct ndk_port *port);

#endif
