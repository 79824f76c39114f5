/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADAPTER_H
#define NDPDK_ND_ADAPTER_H

/**
 * @file
 * Adapters: opening, limits, the objects that are made on them, counters.
 */

#include <sys/socket.h>

#include <ndpdk/nd_config.h>
#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Open an adapter on a port. EAL must be initialised. Configures and starts the port unless
 * port_configured is set. The calling thread owns the engine until the first poll or launch.
 *
 * @param config copied
 * @param[out] adapter unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: a value is out of range, or path_mtu does not fit the
 *         MTU of a configured port; ND_INVALID_ADDRESS: the address has an unknown family, or is
 *         not a unicast address; ND_DEVICE_NOT_READY: the port is absent or cannot be started, or
 *         DPDK has not loaded the mempool driver; ND_SHARING_VIOLATION: another engine uses this
 *         queue, or another adapter has this name; ND_NO_MEMORY. After a failure
 *         nd_adapter_open_error() returns a sentence about the cause. The caller should print the
 *         sentence, because the library logs it at level info only.
 * @note Threads: any.
 */
nd_status nd_adapter_open(const struct nd_adapter_config *config, struct nd_adapter **adapter);

/**
 * @return why the last nd_adapter_open(), nd_adapter_open_virtual() or nd_adapter_set_dcqcn() of
 *         this thread failed: one sentence, without line feed; "" if it succeeded. Valid until the
 *         thread calls one of these functions again.
 * @note Threads: any.
 */
const char *nd_adapter_open_error(void);

/**
 * Close an adapter and free everything made on it. Pending operations end with ND_CANCELED; their
 * callbacks run before any object is freed, and may use and release all of them. What a callback
 * would make is refused with ND_DEVICE_REMOVED, what it would wait for ends at once with
 * ND_CANCELED. Then peers of live connections get a disconnect request, and the handles of all
 * objects are invalid at the return.
 *
 * Launched engines are stopped first. No other thread may be in a call of this adapter, or poll one
 * of its engines.
 * @note Threads: owner of the engines that are polled; not from a callback of this adapter.
 */
void nd_adapter_close(struct nd_adapter *adapter);

/**
 * Tell the limits of an adapter. INDAdapter::Query
 *
 * vendor_id and device_id are those of the port's PCI device; both are 0 for ports that are none,
 * and without a port.
 *
 * @param version ND_VERSION_1
 * @param[in,out] buffer_size in: bytes at info; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: too small, or info is NULL; ND_NOT_SUPPORTED: other
 *         version
 * @note Threads: any.
 */
nd_status nd_adapter_query(struct nd_adapter *adapter, uint32_t version,
	struct nd_adapter_info *info, size_t *buffer_size);

/**
 * @return its name: nd_adapter_config.name, or the one that it got in place of NULL; valid until
 *         the adapter is closed.
 * @note Threads: any.
 */
const char *nd_adapter_name(const struct nd_adapter *adapter);

/**
 * @return number of its ethdev port, also when nd_adapter_config.port_name named it.
 * @note Threads: any.
 */
uint16_t nd_adapter_port_id(const struct nd_adapter *adapter);

/**
 * @return bytes of payload per packet of new connections: 256, 512, 1024, 2048 or 4096.
 * @note Threads: any.
 */
uint16_t nd_adapter_path_mtu(const struct nd_adapter *adapter);

/**
 * Whether the port has a link, as far as its driver knows. The driver is asked every 0.2 s while
 * the first engine is polled, and tells by itself if it can. The loss of the link ends no
 * connection: its retries, or its keepalives, do that if the link stays away for longer than these.
 * Counters link_up and link_down have the changes since the adapter was opened.
 * @note Threads: any.
 */
bool nd_adapter_has_link(const struct nd_adapter *adapter);

/**
 * Install rte_flow rules that bring the adapter's RoCEv2 packets to its RX queues, on a port that
 * the application has configured and shares with the adapter: UDP with destination port 4791 to the
 * adapter's address; with several engines, by the low bits of the destination QP. Everything else
 * stays where it is, ARP and IPv6 neighbour discovery as well: docs/tenant.md. The rules are
 * destroyed with the adapter. On a port that the adapter has configured there is nothing to do.
 *
 * @return ND_SUCCESS, also when they are installed already; ND_NOT_SUPPORTED: the driver does not
 *         take them, and the log (type lib.ndpdk.port.steer, level info) has its reason;
 *         ND_INVALID_DEVICE_STATE: input_only, so there are no queues; ND_DEVICE_REMOVED
 * @note Threads: any, one at a time.
 */
nd_status nd_adapter_install_flow_rules(struct nd_adapter *adapter);

/**
 * Change the parameters of ND_CONGESTION_DCQCN of all connections of the adapter, including those
 * that are made later. A connection uses the new value when it next needs the parameter. Rates that
 * CNPs have reduced are not reset.
 *
 * @param parameters copied; 0 stands for the default, as in nd_adapter_config.dcqcn
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: a value is out of range; ND_INVALID_DEVICE_REQUEST: the
 *         adapter has another congestion control. After a failure all parameters are unchanged, and
 *         nd_adapter_open_error() returns the reason.
 * @note Threads: any, one at a time.
 */
nd_status
nd_adapter_set_dcqcn(struct nd_adapter *adapter, const struct nd_dcqcn_parameters *parameters);

/**
 * Copy the adapter's own address; its port is 0.
 *
 * @param[in,out] length in: bytes at address; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW
 * @param[out] address unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: too small, or address is NULL
 * @note Threads: any.
 */
nd_status
nd_adapter_get_address(const struct nd_adapter *adapter, struct sockaddr *address, size_t *length);

/**
 * Make a completion queue on the first engine. INDAdapter::CreateCompletionQueue
 *
 * @param entries results it can hold, 1 .. max_cq_entries
 * @param[out] cq unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: cq is NULL, or entries out of range; ND_NO_MEMORY;
 *         ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status
nd_adapter_create_completion_queue(struct nd_adapter *adapter, size_t entries, struct nd_cq **cq);

/**
 * Make a connector, for one connection. INDAdapter::CreateConnector
 *
 * @param[out] connector unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: connector is NULL; ND_NO_MEMORY; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_adapter_create_connector(struct nd_adapter *adapter, struct nd_connector **connector);

/**
 * Take connection requests. INDAdapter::Listen
 *
 * @param backlog most requests that wait for an answer at a time; 0 = as many as the adapter has
 *        room for. More are dropped, and repeated by their senders
 * @param protocol IANA number: ND_PROTOCOL_TCP (nd_lookup.h), as Linux' rdma_cm uses for its TCP
 *        port space, or any of 1..255
 * @param port network byte order; 0 = choose one in 49152..65535
 * @param[out] assigned_port network byte order; may be NULL unless port is 0
 * @param[out] listener unchanged after a failure, as assigned_port is
 * @return ND_SUCCESS; ND_SHARING_VIOLATION: port in use; ND_INVALID_PARAMETER_2, _4, _5: protocol,
 *         assigned_port, listener, counted as in INDAdapter::Listen; ND_TOO_MANY_ADDRESSES: no free
 *         port; ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_adapter_listen(struct nd_adapter *adapter, size_t backlog, int protocol, uint16_t port,
	uint16_t *assigned_port, struct nd_listener **listener);

/** A named count since the adapter was opened; cm_barred, cm_half_open_now and cm_held_now: now. */
struct nd_counter {
	const char *name; /**< lower case, words joined by '_'; static */
	uint64_t value;   /**< events, packets or bytes, as the name says */
	const char *text; /**< what is counted, in a few words; static */
	bool now;         /**< a number of this moment, which may fall: it is no count */
};

/**
 * Read the adapter's counters: packets, drops by reason, NAKs, retransmissions, connection
 * messages, ends of connections by reason (end_, see nd_end.h), guesses of keys (cm_guesses,
 * cm_bars, cm_drop_barred) and the peer addresses that are barred for them now (cm_barred, see
 * guesses_max). docs/security.md says which counter grows when a limit of connection requests is
 * reached.
 *
 * @param[out] counters filled with up to count entries; may be NULL when count is 0
 * @return how many there are, which may exceed count
 * @note Threads: any. Each value is read at once, the set of them is not.
 */
size_t
nd_adapter_counters(const struct nd_adapter *adapter, struct nd_counter *counters, size_t count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
