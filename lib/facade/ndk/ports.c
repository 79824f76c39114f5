/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/ports.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void
ports_init(struct ndk_ports *ports)
{
	uint16_t start = 0;

	memset(ports->taken, 0, sizeof(ports->taken));
	/* Without a random number, start with the first ephemeral port. */
	if (getrandom(&start, sizeof(start), GRND_NONBLOCK) != (ssize_t)sizeof(start))
		start = 0;
	ports->next = start % (PORT_NUMBERS - PORT_EPHEMERAL);
	pthread_mutex_init(&ports->lock, NULL);
}

void
ports_fini(struct ndk_ports *ports)
{
	pthread_mutex_destroy(&ports->lock);
}

/** Mark a port number as in use. @return whether it was free */
static bool
mark(struct ndk_ports *ports, unsigned int number)
{
	uint8_t bit = (uint8_t)(1u << (number % 8));

	if ((ports->taken[number / 8] & bit) != 0)
		return false;
	ports->taken[number / 8] |= bit;
	return true;
}

/** @return a free port number in 49152..65535, now marked as in use; 0: none is free */
static uint16_t
mark_any(struct ndk_ports *ports)
{
	const unsigned int count = PORT_NUMBERS - PORT_EPHEMERAL;

	for (unsigned int i = 0; i < count; i++) {
		unsigned int number = PORT_EPHEMERAL + ports->next;

		ports->next = (ports->next + 1) % count;
		if (mark(ports, number))
			return (uint16_t)number;
	}
	return 0;
}

NTSTATUS
port_take(struct ndk_ports *ports, uint16_t number, struct ndk_port **port)
{
	struct ndk_port *taken = malloc(sizeof(*taken));
	NTSTATUS status = STATUS_SUCCESS;

	if (taken == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	*taken = (struct ndk_port){.ports = ports, .number = number, .references = 1};
	pthread_mutex_lock(&ports->lock);
	if (number == 0) {
		taken->number = mark_any(ports);
		if (taken->number == 0)
			status = STATUS_TOO_MANY_ADDRESSES;
	} else if (!mark(ports, number)) {
		status = STATUS_SHARING_VIOLATION;
	}
	pthread_mutex_unlock(&ports->lock);
	if (status == STATUS_SUCCESS)
		*port = taken;
	else
		free(taken);
	return status;
}

void
port_hold(struct ndk_port *port)
{
	if (port == NULL)
		return;
	pthread_mutex_lock(&port->ports->lock);
	port->references++;
	pthread_mutex_unlock(&port->ports->lock);
}

void
port_drop(struct ndk_port *port)
{
	struct ndk_ports *ports;

	if (port == NULL)
		return;
	ports = port->ports;
	pthread_mutex_lock(&ports->lock);
	if (--port->references == 0) {
		ports->taken[port->number / 8] &= (uint8_t) ~(1u << (port->number % 8));
		free(port);
	}
	pthread_mutex_unlock(&ports->lock);
}
