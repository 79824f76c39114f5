/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADAPTER_H
#define NDPDK_ND_ADAPTER_H

/**
 * @file
 * Adapters: open, close, query limits and counters, create objects.
 */

#include <sys/socket.h>

#include <ndpdk/nd_config.h>
#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_adapter
 * @{
 */

nd_status nd_adapter_open_sized(
	const struct nd_adapter_config *config, size_t size, struct nd_adapter **adapter);

/**
 * Open an adapter on a port. EAL must be initialised. The call configures and starts the port,
 * unless port_configured is set. The calling thread owns the engines until the first poll or
 * launch.
 *
 * @param config copied
 * @param[out] adapter unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: a value is out of range, or path_mtu does not fit the
 *         MTU of a configured port; ND_INVALID_ADDRESS: the address has an unknown family, or is
 *         not a unicast address; ND_DEVICE_NOT_READY: the port does not exist or cannot be started,
 *         or DPDK has not loaded the mempool driver; ND_SHARING_VIOLATION: another engine uses this
 *         queue, or another adapter has this name; ND_NO_MEMORY; ND_INVALID_PARAMETER_2: config
 *         sets members of a newer version (nd_types.h). After a failure nd_adapter_open_error()
 *         returns a sentence about the cause. The caller should print the sentence, because the
 *         library logs it at level info only.
 * @note Threads: any.
 */
static inline nd_status
nd_adapter_open(const struct nd_adapter_config *config, struct nd_adapter **adapter)
{
	return nd_adapter_open_sized(config, sizeof(*config), adapter);
}

/**
 * @return why the last nd_adapter_open(), nd_adapter_open_virtual() or nd_adapter_set_dcqcn() of
 *         the calling thread failed: one sentence without line feed; "" after a success. The text
 *         is valid until the same thread calls one of these functions again.
 * @note Threads: any.
 */
const char *nd_adapter_open_error(void);

/**
 * Close an adapter and free all objects that were created on it. Pending operations end with
 * ND_CANCELED. Their callbacks run before any object is freed, and may use and release all
 * objects. In these callbacks, calls that create objects return ND_DEVICE_REMOVED, and new
 * operations end at once with ND_CANCELED. After the callbacks, the peers of established
 * connections get a disconnect request. After the return, the handles of all objects are invalid.
 *
 * Launched engines are stopped first. During this call, no other thread may call functions of this
 * adapter or poll its engines. After the threads that polled the engines have ended, any thread may
 * call this function.
 * @note Threads: owner of the engines that are polled; not from a callback of this adapter.
 */
void nd_adapter_close(struct nd_adapter *adapter);

/**
 * Return the limits of an adapter. INDAdapter::Query
 *
 * vendor_id and device_id are the identifiers of the port's PCI device. Both are 0 if the port is
 * not a PCI device, and for an adapter without a port.
 *
 * @param version ND_VERSION_1
 * @param[in,out] buffer_size in: bytes at info; out: bytes written, or with ND_BUFFER_OVERFLOW
 *        bytes needed. Bytes beyond them are unchanged
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: buffer_size is too small, or info is NULL;
 *         ND_NOT_SUPPORTED: version is not ND_VERSION_1; ND_INVALID_PARAMETER_3: buffer_size is
 *         NULL
 * @note Threads: any.
 */
nd_status nd_adapter_query(struct nd_adapter *adapter, uint32_t version,
	struct nd_adapter_info *info, size_t *buffer_size);

/**
 * @return name of the adapter: nd_adapter_config.name or, if that was NULL, a generated name.
 *         Valid until the adapter is closed.
 * @note Threads: any.
 */
const char *nd_adapter_name(const struct nd_adapter *adapter);

/**
 * @return ethdev port number of the adapter, also if the port was chosen with
 *         nd_adapter_config.port_name.
 * @note Threads: any.
 */
uint16_t nd_adapter_port_id(const struct nd_adapter *adapter);

/**
 * @return largest payload in bytes of a packet of a new connection: 256, 512, 1024, 2048 or 4096.
 * @note Threads: any.
 */
uint16_t nd_adapter_path_mtu(const struct nd_adapter *adapter);

/**
 * @return whether the port has a link, according to its driver.
 *
 * While the first engine is polled, the driver is queried every 0.2 s. Drivers with link
 * interrupts also report changes at once. The loss of the link ends no connection by itself. If
 * the link stays down, connections end when their retries or keepalives are used up. The counters
 * link_up and link_down count the changes since the adapter was opened.
 * @note Threads: any.
 */
bool nd_adapter_has_link(const struct nd_adapter *adapter);

/**
 * Install rte_flow rules that steer the adapter's RoCEv2 packets to its RX queues. This is for a
 * port that the application has configured and shares with the adapter. The rules match UDP packets
 * with destination port 4791 to the adapter's address. With several engines, the low bits of the
 * destination QP choose the queue. All other packets, also ARP and IPv6 neighbour discovery, stay
 * in their queues: see docs/tenant.md. The rules are destroyed with the adapter. If the adapter has
 * configured the port itself, the call does nothing.
 *
 * @return ND_SUCCESS, also if the rules are already installed; ND_NOT_SUPPORTED: the driver rejects
 *         the rules, and the log (type lib.ndpdk.port.steer, level info) has the reason;
 *         ND_INVALID_DEVICE_STATE: the adapter has no queues, because input_only is set;
 *         ND_DEVICE_REMOVED
 * @note Threads: any, one at a time.
 */
nd_status nd_adapter_install_flow_rules(struct nd_adapter *adapter);

/**
 * Change the parameters of ND_CONGESTION_DCQCN for all existing and future connections of the
 * adapter. A connection uses a new value the next time it needs this parameter. Rates that CNPs
 * have already reduced are not reset.
 *
 * @param parameters copied; 0 selects the default, and NULL all defaults, as in
 *        nd_adapter_config.dcqcn
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: a value is out of range; ND_INVALID_DEVICE_REQUEST: the
 *         adapter uses another congestion control. After a failure all parameters are unchanged,
 *         and nd_adapter_open_error() returns the reason.
 * @note Threads: any, one at a time.
 */
nd_status
nd_adapter_set_dcqcn(struct nd_adapter *adapter, const struct nd_dcqcn_parameters *parameters);

/**
 * Copy the address of the adapter. The port number in the copy is 0.
 *
 * @param[in,out] length in: bytes at address; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW
 * @param[out] address unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: length is too small, or address is NULL;
 *         ND_INVALID_PARAMETER_2: length is NULL
 * @note Threads: any.
 */
nd_status
nd_adapter_get_address(const struct nd_adapter *adapter, struct sockaddr *address, size_t *length);

/**
 * Create a completion queue on the first engine. INDAdapter::CreateCompletionQueue
 *
 * @param entries number of results that the queue can hold, 1 .. max_cq_entries
 * @param[out] cq unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: cq is NULL, or entries is out of range; ND_NO_MEMORY;
 *         ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status
nd_adapter_create_completion_queue(struct nd_adapter *adapter, size_t entries, struct nd_cq **cq);

/**
 * Create a connector for one connection. INDAdapter::CreateConnector
 *
 * @param[out] connector unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: connector is NULL; ND_NO_MEMORY; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_adapter_create_connector(struct nd_adapter *adapter, struct nd_connector **connector);

/**
 * Listen for connection requests. INDAdapter::Listen
 *
 * @param backlog maximum number of requests that wait for an answer; 0 = limited only by the
 *        adapter. Further requests are dropped, and their senders retransmit them
 * @param protocol IANA number, 1..255, the same on both sides. ND_PROTOCOL_TCP (nd_lookup.h) is the
 *        TCP port space of Linux' rdma_cm
 * @param port network byte order; 0 = choose a port in 49152..65535
 * @param[out] assigned_port network byte order; may be NULL unless port is 0; unchanged after a
 *        failure
 * @param[out] listener unchanged after a failure
 * @return ND_SUCCESS; ND_SHARING_VIOLATION: the port is in use; ND_INVALID_PARAMETER_2, _4, _5:
 *         protocol, assigned_port or listener is not valid (the numbers are those of the arguments
 *         of INDAdapter::Listen); ND_TOO_MANY_ADDRESSES: no free port was found;
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_adapter_listen(struct nd_adapter *adapter, size_t backlog, int protocol, uint16_t port,
	uint16_t *assigned_port, struct nd_listener **listener);

/**
 * A counter and its name. If now is false, the value counts events since the adapter was opened.
 */
struct nd_counter {
	const char *name; /**< static text in lower case, words joined by '_' */
	uint64_t value;   /**< number of events, packets or bytes, according to the name */
	const char *text; /**< static short description of the counted events */
	bool now;         /**< true: current value, which can decrease; false: count */
};

size_t nd_adapter_counters_sized(
	const struct nd_adapter *adapter, struct nd_counter *counters, size_t size, size_t count);

/**
 * Read the counters of the adapter: packets, drops by reason, NAKs, retransmissions, connection
 * messages, ends of connections by reason (end_, see nd_end.h), guesses of keys (cm_guesses,
 * cm_bars, cm_drop_barred), and the number of peer addresses whose connection requests are now
 * dropped because of guesses (cm_barred, see guesses_max). docs/security.md explains which counter
 * increases when a limit of connection requests is reached.
 *
 * @param[out] counters filled with up to count entries; may be NULL when count is 0
 * @return number of counters of the adapter, which may exceed count
 * @note Threads: any. Each value is read atomically, but not all values at the same moment.
 */
static inline size_t
nd_adapter_counters(const struct nd_adapter *adapter, struct nd_counter *counters, size_t count)
{
	return nd_adapter_counters_sized(adapter, counters, sizeof(*counters), count);
}

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
