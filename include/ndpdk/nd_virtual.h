/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_VIRTUAL_H
#define NDPDK_ND_VIRTUAL_H

/**
 * @file
 * An adapter without a port. The program controls the adapter's clock and random numbers, for
 * simulators and for programs that replay captures. Frames arrive through nd_engine_input(), and
 * leave through nd_adapter_config.transmit. Nothing happens by itself: the program advances the
 * clock, passes frames, and polls. The same calls with the same frames, times and seed produce the
 * same output frames, byte for byte; docs/virtual.md lists the requirements.
 *
 * EAL must be initialised, because packets are mbufs; `--no-huge --no-pci --no-shconf` is enough.
 */

#include <ndpdk/nd_engine.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_virtual
 * @{
 */

/** Bytes of nd_virtual_config.seed. */
#define ND_VIRTUAL_SEED_BYTES 32

/**
 * Function that returns the time of a virtual adapter. It is called often, also within calls of
 * the library, on the thread of the engine. The function must not call functions of the adapter.
 *
 * @return time in ns, not less than in the previous call; the zero point is arbitrary
 */
typedef uint64_t (*nd_clock_fn)(void *arg);

/** Clock, MAC address and random numbers of a virtual adapter, which has no port. */
struct nd_virtual_config {
	nd_clock_fn clock; /**< not NULL */
	void *clock_arg;   /**< passed to clock */
	uint8_t mac[6];    /**< unicast MAC address of the adapter */
	/**
	 * Maximum length of an IP packet in bytes, 352..65535 [4192, enough for a path MTU of
	 * 4096].
	 */
	uint16_t mtu;
	/**
	 * Seed of ND_VIRTUAL_SEED_BYTES bytes, copied, for the adapter's random numbers: queue pair
	 * numbers, PSNs, keys. NULL: random numbers of the system, as for other adapters. The seed
	 * reveals all keys.
	 */
	const uint8_t *seed;
};

nd_status nd_adapter_open_virtual_sized(const struct nd_adapter_config *config, size_t config_size,
	const struct nd_virtual_config *virtual_config, size_t virtual_size,
	struct nd_adapter **adapter);

/**
 * Open an adapter without a port. These members of config are not used: port_id, port_name,
 * port_configured, queue_id, input_only, own_port. transmit must be set; its argument queue_id is
 * the number of the engine. The calling thread owns the engines until the first poll or launch.
 * Telemetry does not list the adapter.
 *
 * @param config as for nd_adapter_open(), copied
 * @param virtual_config copied
 * @param[out] adapter unchanged after a failure; close it with nd_adapter_close()
 * @return as nd_adapter_open(); nd_adapter_open_error() has the reason of a failure;
 *         ND_INVALID_PARAMETER: also if transmit or clock is NULL, the MAC address is not unicast,
 *         or mtu is out of range or too small for path_mtu
 * @note Threads: any.
 */
static inline nd_status
nd_adapter_open_virtual(const struct nd_adapter_config *config,
	const struct nd_virtual_config *virtual_config, struct nd_adapter **adapter)
{
	return nd_adapter_open_virtual_sized(
		config, sizeof(*config), virtual_config, sizeof(*virtual_config), adapter);
}

/**
 * Return the time of the next deadline of an engine. If no frame arrives and nothing is posted,
 * the program may advance its clock directly to this time. The call searches all deadlines, so
 * call it once per turn and not for each frame. Timers have a resolution of 16.4 us, so a poll at
 * the returned time may still find nothing to do.
 *
 * @return time in ns on the adapter's clock; it may be in the past. UINT64_MAX: there is no
 *         deadline
 * @note Threads: owner.
 */
uint64_t nd_engine_next_deadline(const struct nd_engine *engine);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
