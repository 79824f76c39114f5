/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_VIRTUAL_H
#define NDPDK_ND_VIRTUAL_H

/**
 * @file
 * An adapter without a port, whose clock and random numbers are the program's: for simulators, and
 * for programs that play recorded traffic. Frames come in through nd_engine_input(), and leave
 * through nd_adapter_config.transmit. Nothing happens by itself: the program moves its clock, gives
 * frames, and polls. The same calls with the same frames at the same times, from the same seed,
 * give the same frames out, byte for byte; docs/virtual.md says what that needs.
 *
 * EAL must be initialised, because packets are mbufs; `--no-huge --no-pci --no-shconf` is enough.
 */

#include <ndpdk/nd_engine.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** Bytes of nd_virtual_config.seed. */
#define ND_VIRTUAL_SEED_BYTES 32

/**
 * Reads the clock of a virtual adapter. It is called often, also within calls of the library, on
 * the thread of the engine, and may call no function of the adapter.
 *
 * @return time in ns, not less than at the call before; any moment may be 0
 */
typedef uint64_t (*nd_clock_fn)(void *arg);

/** What an adapter without a port has in place of a port and of the machine's clock. */
struct nd_virtual_config {
	nd_clock_fn clock; /**< not NULL */
	void *clock_arg;   /**< passed to it */
	uint8_t mac[6];    /**< unicast address that its frames have */
	/** IP packet in bytes, 352..65535 [4192, which holds a path MTU of 4096] */
	uint16_t mtu;
	/**
	 * Random numbers of the adapter come from these ND_VIRTUAL_SEED_BYTES bytes, copied: queue
	 * pair numbers, PSNs, keys. NULL: from the system, as those of other adapters do. Who knows
	 * the seed knows all keys.
	 */
	const uint8_t *seed;
};

/**
 * Open an adapter without a port. Members of config that are about a port are not used: port_id,
 * port_name, port_configured, queue_id, input_only, own_port. transmit must be set; its queue_id is
 * the number of the engine. The calling thread owns the engines until the first poll or launch. The
 * adapter is not in the answers of telemetry.
 *
 * @param config as of nd_adapter_open(), copied
 * @param virtual_config copied
 * @param[out] adapter unchanged after a failure; nd_adapter_close() closes it
 * @return as nd_adapter_open(), nd_adapter_open_error() has the sentence; ND_INVALID_PARAMETER:
 *         also without transmit or clock, with a MAC address that is not unicast, or with an mtu
 *         out of range or too small for path_mtu
 * @note Threads: any.
 */
nd_status nd_adapter_open_virtual(const struct nd_adapter_config *config,
	const struct nd_virtual_config *virtual_config, struct nd_adapter **adapter);

/**
 * When nd_engine_poll() has something to do if no frame comes and nothing is posted: the time to
 * which a program may set its clock at once. It searches all deadlines of the engine, so a program
 * asks once in a turn, and not per frame. Timers count in steps of 16.4 us: a poll at this time may
 * find nothing to do yet.
 *
 * @return time of the adapter's clock in ns, which may have passed; UINT64_MAX: there is none
 * @note Threads: owner.
 */
uint64_t nd_engine_next_deadline(const struct nd_engine *engine);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
