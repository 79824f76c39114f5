/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADAPTER_H
#define NDPDK_ND_ADAPTER_H

#include <sys/socket.h>

#include <ndpdk/nd_config.h>
#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Open an adapter on a port. EAL must be initialised. Configures and starts the port unless
 * port_configured.
 *
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: a value out of range; ND_INVALID_ADDRESS: address of no
 *         family known, or not a unicast address; ND_DEVICE_NOT_READY: port absent, cannot be
 *         started, or cannot do zero_copy; ND_SHARING_VIOLATION: another engine works on this
 *         queue; ND_NO_MEMORY. nd_adapter_open_error() has a sentence about the cause, which is
 *         logged at level info only: it is the caller's to print.
 */
nd_status nd_adapter_open(const struct nd_adapter_config *config, struct nd_adapter **adapter);

/**
 * @return why the last nd_adapter_open() of this thread failed: one sentence, without line feed; ""
 *         if it did not.
 */
const char *nd_adapter_open_error(void);

/**
 * Close an adapter and free everything made on it; the handles of its objects are invalid
 * afterwards. Peers of live connections get a disconnect request, pending operations end with
 * ND_CANCELED; a deregistration that ends so waited for packets that the port still has, and with
 * zero_copy the memory must stay until these are gone, as any that is registered still. Call it
 * from the thread that owns its engines, engines stopped, no other thread in a call, and not from a
 * callback.
 */
void nd_adapter_close(struct nd_adapter *adapter);

/**
 * @param version ND_VERSION_1
 * @param buffer_size in: bytes at info; out: bytes needed or used
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: too small, info untouched; ND_NOT_SUPPORTED: other
 *         version. INDAdapter::Query
 */
nd_status nd_adapter_query(struct nd_adapter *adapter, uint32_t version,
	struct nd_adapter_info *info, size_t *buffer_size);

/** @return bytes of payload per packet of new connections: 256, 512, 1024, 2048 or 4096. */
uint16_t nd_adapter_path_mtu(const struct nd_adapter *adapter);

/**
 * Copy the adapter's own address. *length in: bytes at address; out: bytes used. @return as
 * GetLocalAddress.
 */
nd_status
nd_adapter_get_address(const struct nd_adapter *adapter, struct sockaddr *address, size_t *length);

/**
 * Register memory for use in requests and windows. Completes at once.
 *
 * @param buffer owned by the caller, who keeps it until deregistration is complete; size > 0 bytes
 * @param overlapped not used, may be NULL
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: NULL buffer, or beyond max_registration_size;
 *         ND_INVALID_BUFFER_SIZE: size 0; ND_ACCESS_VIOLATION: buffer + size wraps;
 *         ND_INSUFFICIENT_RESOURCES. INDAdapter::RegisterMemory
 */
nd_status nd_adapter_register_memory(struct nd_adapter *adapter, const void *buffer, size_t size,
	struct nd_overlapped *overlapped, struct nd_mr **mr);

/**
 * Register several buffers as one piece of memory, in this order, as an MDL chain is in NDK; the
 * native API has no such call. Requests, binds and descriptors name its bytes as [base, base +
 * total): the first buffer begins at base, each further one where the one before ends, wherever the
 * buffers really are. A request, a window or a peer's access may run across any of their borders.
 *
 * @param buffers  copied; what they point to is owned by the caller as in
 *                 nd_adapter_register_memory(). In any order, of any lengths; the same bytes may be
 *                 in it twice
 * @param buffer_count 1 .. ND_REGION_BUFFERS_MAX
 * @param base     only a number, need not be the address of anything; NULL: address of the first
 *                 buffer, as in NDK
 * @param overlapped not used, may be NULL
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: no buffers or too many, NULL buffer, total beyond
 *         max_registration_size; ND_INVALID_BUFFER_SIZE: a length is 0; ND_ACCESS_VIOLATION: a
 *         buffer, or base + total, wraps; ND_INSUFFICIENT_RESOURCES
 */
nd_status
nd_adapter_register_memory_chain(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, struct nd_overlapped *overlapped, struct nd_mr **mr);

/**
 * End a registration. From the return on no new access begins; when the operation is complete none
 * is under way and the memory may go.
 *
 * @return ND_SUCCESS; ND_PENDING: an engine is still busy with a packet, or the port with one that
 *         zero_copy has attached to the memory; ND_INVALID_HANDLE: not
 *         registered memory of this adapter; ND_DEVICE_BUSY: a window is bound to it.
 *         INDAdapter::DeregisterMemory
 */
nd_status nd_adapter_deregister_memory(
	struct nd_adapter *adapter, struct nd_mr *mr, struct nd_overlapped *overlapped);

/**
 * Look at registered memory, from any thread.
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: info is NULL
 */
nd_status nd_mr_query(struct nd_adapter *adapter, const struct nd_mr *mr, struct nd_mr_info *info);

/**
 * Find the bound windows through which the peer can reach at least one byte of [buffer, buffer +
 * size), from any thread. Binds count when executed, not when posted.
 *
 * @param buffer in mr's address space; parts of the range that are outside it have no windows
 * @param windows filled with as many as there is room for, in no particular order; may be NULL when
 *         *count is 0
 * @param count in: room; out: how many there are
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more than room; ND_INVALID_HANDLE: not registered memory
 *         of this adapter; ND_INVALID_PARAMETER: count is NULL, or windows is and *count is not 0
 */
nd_status nd_mr_get_windows(struct nd_adapter *adapter, struct nd_mr *mr, const void *buffer,
	size_t size, struct nd_mw **windows, size_t *count);

/**
 * Close all windows that are bound to registered memory, whatever endpoints bound them, from any
 * thread. From the return on no new access through them begins; when the operation is complete none
 * is under way, and no byte of the memory changes or is read through them any more. A
 * deregistration then succeeds, unless binds were queued or posted meanwhile: these are not
 * affected, and open their windows when executed.
 *
 * Nothing comes through a completion queue: neither a result of this, nor the windows' invalidate
 * results. The windows can be bound again. An invalidate that is posted, or was and is not executed
 * yet, finds its window not bound: ND_INVALIDATION_ERROR ends that connection.
 *
 * Peers are not told. One that goes on, in the middle of a message or with the next, is answered
 * with NAK "remote access error" (syndrome 0x62), and the connection ends: its request completes
 * with ND_REMOTE_ERROR, all others on both sides with ND_CANCELED. So does one that sends and
 * invalidates, whose message's receive completes with ND_INVALIDATION_ERROR.
 *
 * @param overlapped as of nd_adapter_deregister_memory(); NULL: the end cannot be waited for
 * @param count out: how many windows were closed; may be NULL
 * @return ND_SUCCESS; ND_PENDING: an engine is still busy with a packet; ND_INVALID_HANDLE: not
 *         registered memory of this adapter
 */
nd_status nd_mr_invalidate_windows(struct nd_adapter *adapter, struct nd_mr *mr,
	struct nd_overlapped *overlapped, size_t *count);

/**
 * Make a memory window, unbound.
 *
 * @param invalidate_result comes through the inbound completion queue of the endpoint it is bound
 *         to when the peer invalidates it, right before the result of the receive; stays the
 *         caller's, valid until then, until a nd_endpoint_invalidate() has succeeded (when it has
 *         not, the peer's may have come first: then this comes, too), or until the window is
 *         released
 * @return ND_SUCCESS; ND_INVALID_PARAMETER; ND_INSUFFICIENT_RESOURCES.
 *         INDAdapter::CreateMemoryWindow
 */
nd_status nd_adapter_create_memory_window(
	struct nd_adapter *adapter, struct nd_result *invalidate_result, struct nd_mw **mw);

/**
 * Release a window; a bound one is invalidated. Its invalidate result, if it has not been taken
 * yet, does not come any more. @return ND_SUCCESS; ND_INVALID_HANDLE; ND_DEVICE_BUSY: a bind is
 * queued.
 */
nd_status nd_mw_release(struct nd_adapter *adapter, struct nd_mw *mw);

/**
 * Look at a window, from any thread.
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not a window of this adapter; ND_INVALID_PARAMETER: info
 *         is NULL
 */
nd_status nd_mw_query(struct nd_adapter *adapter, const struct nd_mw *mw, struct nd_mw_info *info);

/**
 * @param entries results it can hold, 1 .. max_cq_entries
 * @return ND_SUCCESS; ND_INVALID_PARAMETER; ND_NO_MEMORY. INDAdapter::CreateCompletionQueue
 */
nd_status
nd_adapter_create_completion_queue(struct nd_adapter *adapter, size_t entries, struct nd_cq **cq);

/** @return ND_SUCCESS; ND_NO_MEMORY. INDAdapter::CreateConnector */
nd_status nd_adapter_create_connector(struct nd_adapter *adapter, struct nd_connector **connector);

/**
 * Take connection requests.
 *
 * @param backlog most requests waiting for an answer; 0 = as many as the adapter allows
 * @param protocol IANA number: 6, as Linux' rdma_cm uses for its TCP port space, or any of 1..255
 * @param port network byte order; 0 = choose one in 49152..65535
 * @param assigned_port network byte order; may be NULL unless port is 0
 * @return ND_SUCCESS; ND_SHARING_VIOLATION: port in use; ND_INVALID_PARAMETER_2, _4, _5: protocol,
 *         assigned_port, listener, counted as in INDAdapter::Listen; ND_TOO_MANY_ADDRESSES: no free
 *         port; ND_INSUFFICIENT_RESOURCES. INDAdapter::Listen
 */
nd_status nd_adapter_listen(struct nd_adapter *adapter, size_t backlog, int protocol, uint16_t port,
	uint16_t *assigned_port, struct nd_listener **listener);

/** A named count, since the adapter was opened; cm_barred is one of now. */
struct nd_counter {
	const char *name; /**< lower case, words joined by '_'; static */
	uint64_t value;
};

/**
 * Read the adapter's counters: packets, drops by reason, NAKs, retransmissions, connection
 * messages, guesses of keys (cm_guesses, cm_bars, cm_drop_barred) and the peer addresses that are
 * barred for them now (cm_barred, see guesses_max).
 *
 * @param counters filled with up to count entries; NULL when count is 0
 * @return how many there are
 */
size_t
nd_adapter_counters(const struct nd_adapter *adapter, struct nd_counter *counters, size_t count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
