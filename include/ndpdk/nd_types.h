/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TYPES_H
#define NDPDK_ND_TYPES_H

/**
 * @file
 * Handles, flags, results and descriptors, and operations that complete later.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_status.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct nd_adapter;   /**< a queue of a port, with an address */
struct nd_engine;    /**< the loop that does an adapter's work */
struct nd_mr;        /**< registered memory */
struct nd_mw;        /**< memory window */
struct nd_cq;        /**< completion queue */
struct nd_listener;  /**< takes connection requests */
struct nd_connector; /**< one connection */
struct nd_endpoint;  /**< the queue pair of a connection */
struct nd_srq;       /**< receives that several endpoints share */

/*
 * Flags of requests. The lower 16 bits are those of Network Direct and NDK, and have their numbers;
 * flags of this library's own are above them.
 */
#define ND_OP_FLAG_SILENT_SUCCESS         0x00000001u /**< no result when the request succeeds */
#define ND_OP_FLAG_READ_FENCE             0x00000002u /**< start after earlier reads, atomics */
#define ND_OP_FLAG_SEND_AND_SOLICIT_EVENT 0x00000004u /**< sends, write_with_imm only */
#define ND_OP_FLAG_ALLOW_READ             0x00000008u /**< bind only: the peer may read */
#define ND_OP_FLAG_ALLOW_WRITE            0x00000010u /**< bind only: the peer may write */
#define ND_OP_FLAG_ALLOW_ATOMIC           0x00010000u /**< bind only: nd_extension.h */
#define ND_OP_FLAG_ALLOW_ANY_ENDPOINT     0x00020000u /**< bind only: nd_region.h */
#define ND_OP_FLAG_ALLOW_NOTHING          0x00040000u /**< bind only: nd_region.h */
#define ND_OP_FLAG_ALLOW_LOCAL_WRITE      0x00080000u /**< fast register only: nd_region.h */
#define ND_OP_FLAG_RDMA_READ_SINK         0x00100000u /**< fast register only: nd_region.h */

/* What nd_cq_notify() waits for. */
#define ND_CQ_NOTIFY_ERRORS    0u /**< results that are failures */
#define ND_CQ_NOTIFY_ANY       1u /**< all results */
#define ND_CQ_NOTIFY_SOLICITED 2u /**< failures, receives with SOLICIT_EVENT */

/* Flags of results, those of receives; see nd_extension.h. */
#define ND_RESULT_WITH_IMM 0x00000001u /**< the message brought immediate data */
#define ND_RESULT_WRITE    0x00000002u /**< and was written into a window, not received here */
#define ND_RESULT_INVALIDATED                                                                      \
	0x00000004u /**< the message has invalidated the token that is in imm_data */

/** What is sent again after a loss. Both are understood by every peer. */
enum nd_recovery {
	/**
	 * The packets that were lost, if the peer is found to keep the others; requests that arrive
	 * ahead of one that was lost are kept.
	 */
	ND_RECOVERY_SELECTIVE = 0,
	/** Everything from the first lost packet on; requests that arrive ahead are dropped. */
	ND_RECOVERY_GO_BACK_N = 1,
};

/** Version that nd_adapter_query() answers. */
#define ND_VERSION_1 1u

/**
 * Result of one request. Owned by the caller; one for each request in flight; must stay valid until
 * nd_cq_get_results() has handed it back, for a silent request until a later request of the same
 * direction has completed. Applications embed it in a larger structure to find their context.
 * ND_RESULT of ND v1.
 */
struct nd_result {
	nd_status status;         /**< ND_SUCCESS, or why the request failed */
	size_t bytes_transferred; /**< message length; 0 for bind and invalidate */
	/* Beyond ND, see nd_extension.h; 0 wherever the peer used nothing of it. */
	uint32_t flags;         /**< ND_RESULT_ */
	uint32_t imm_data;      /**< with ND_RESULT_WITH_IMM or _INVALIDATED; network byte order */
	void *endpoint_context; /**< of the endpoint that completed it: nd_endpoint_set_context() */
};

/**
 * One piece of registered memory: address is one of mr's address space (struct nd_mr_info), and is
 * never dereferenced, the bytes are those that were registered there. mr NULL means: unregistered
 * memory whose bytes are copied from address during the call (inline data; all entries of a request
 * or none; in total at most the endpoint's inline limit; send, send_and_invalidate and write only).
 */
struct nd_sge {
	void *address;    /**< in mr's address space */
	size_t length;    /**< bytes */
	struct nd_mr *mr; /**< NULL: inline data */
};

/**
 * What the peer needs to reach a bound window; travels as it is inside an application's message.
 * All members are in network byte order. 20 bytes. ND_MW_DESCRIPTOR.
 */
struct __attribute__((packed)) nd_mw_descriptor {
	uint64_t base;   /**< address of the window's first byte */
	uint64_t length; /**< bytes */
	uint32_t token;  /**< key of the window, another one for each bind */
};

static_assert(sizeof(struct nd_mw_descriptor) == 20, "the descriptor is 20 bytes");

/** Buffers that one registration may have. */
#define ND_REGION_BUFFERS_MAX 65536u

/** One buffer of a registration, see nd_adapter_register_memory_chain(). */
struct nd_buffer {
	void *address; /**< of its first byte; not NULL */
	size_t length; /**< bytes, > 0 */
};

/** Registered memory at the moment of nd_mr_query(). */
struct nd_mr_info {
	const void *base;     /**< requests name its bytes as [base, base + length) */
	size_t length;        /**< of all buffers together */
	size_t buffer_count;  /**< 1, or as many as were registered as one */
	size_t windows_bound; /**< deregistering is ND_DEVICE_BUSY unless this and the next are 0 */
	size_t binds_queued;  /**< posted, not executed yet */
	uint32_t flags;       /**< ND_MR_FLAG_, see nd_region.h */
};

/** A memory window at the moment of nd_mw_query(). */
struct nd_mw_info {
	bool bound;         /**< binds count when executed, not when posted; false: the rest is 0 */
	struct nd_mr *mr;   /**< memory it opens ... */
	const void *buffer; /**< ... from here on */
	size_t length;      /**< bytes */
	uint32_t flags;     /**< ND_OP_FLAG_ALLOW_READ, _WRITE, _ATOMIC, _ANY_ENDPOINT */
	struct nd_mw_descriptor descriptor; /**< as of the bind */
};

/** Limits of an adapter. ND_ADAPTER_INFO. Sizes and lengths in bytes. */
struct nd_adapter_info {
	uint32_t vendor_id;             /**< of the port's PCI device; 0: it is none */
	uint32_t device_id;             /**< likewise */
	size_t max_inbound_sge;         /**< list entries of a receive */
	size_t max_inbound_requests;    /**< receives outstanding on an endpoint */
	size_t max_inbound_length;      /**< message that a receive can take */
	size_t max_outbound_sge;        /**< list entries of any other request */
	size_t max_outbound_requests;   /**< other requests outstanding on an endpoint */
	size_t max_outbound_length;     /**< message of a send, read or write */
	size_t max_inline_data;         /**< inline data of a request */
	size_t max_inbound_read_limit;  /**< reads of the peer in progress on an endpoint */
	size_t max_outbound_read_limit; /**< own reads in progress on an endpoint */
	size_t max_cq_entries;          /**< results that a completion queue can hold */
	size_t max_registration_size;   /**< one registration, all its buffers together */
	size_t max_window_size;         /**< one window */
	size_t large_request_threshold; /**< from here on copying costs more than registering */
	size_t max_caller_data;         /**< private data of a connect */
	size_t max_callee_data;         /**< private data of an accept or a reject */
	size_t max_srq_entries;         /**< receives that a shared receive queue can hold */
};

/**
 * One asynchronous operation. Zero it, then set event_fd and/or callback before the call that takes
 * it. It belongs to the library from a return of ND_PENDING until it is complete, and must stay
 * where it is: until the callback is called or the eventfd has been written, when it has one, else
 * until its status is no longer ND_PENDING. When the call returns anything but ND_PENDING, it is
 * finished and nothing is reported.
 */
struct nd_overlapped {
	int event_fd; /**< eventfd to which 1 is added at completion; 0 or negative = none */
	/**
	 * Called at completion, from within nd_engine_poll() or the call that causes it; may be
	 * NULL.
	 */
	void (*callback)(struct nd_overlapped *overlapped, void *arg);
	void *callback_arg; /**< second argument of callback */

	/* Owned by the library. */
	nd_status status;  /**< read it with nd_overlapped_get_result() */
	void *internal[6]; /**< not for applications */
};

/**
 * Tell the status of an operation. INDOverlapped::GetOverlappedResult
 *
 * @param[out] bytes always set to 0 (no operation reports a count); may be NULL
 * @param wait wait for the end; engines that the calling thread owns, and shared ones, are polled
 *        meanwhile. A thread that is inside a shared one lets others in between two turns
 * @return status of the operation; ND_PENDING while it runs and wait is false, or when a callback
 *         waits, within which the engine cannot go on
 * @note Threads: any.
 */
nd_status nd_overlapped_get_result(struct nd_overlapped *overlapped, size_t *bytes, bool wait);

/**
 * Cancel one pending operation: it completes with ND_CANCELED before the return, or, when a
 * callback calls this, after that callback. A connect or accept is abandoned with its operation.
 *
 * @return ND_SUCCESS, also when it was already complete
 * @note Threads: control.
 */
nd_status nd_overlapped_cancel(struct nd_overlapped *overlapped);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
