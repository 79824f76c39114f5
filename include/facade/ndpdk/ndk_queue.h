/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QUEUE_H
#define NDPDK_NDK_QUEUE_H

/**
 * @file
 * Completion queues and shared receive queues of the kernel interface.
 */

#include <ndpdk/ndk_memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types for NdkArmCq(): the completions after which the notification callback is called. */
#define NDK_CQ_NOTIFY_ERRORS 0u /**< failures only */
#define NDK_CQ_NOTIFY_ANY    1u /**< all completions */
#define NDK_CQ_NOTIFY_SOLICITED                                                                    \
	2u /**< failures, and receives of messages with NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT */

/**
 * Called when an armed completion queue has a result, once for each arming. Two calls for a queue
 * never run at the same time. The callback may take results and arm the queue again.
 *
 * @param CqStatus STATUS_SUCCESS; STATUS_BUFFER_OVERFLOW: the queue has overrun, and the queue and
 *         its queue pairs are unusable; STATUS_INTERNAL_ERROR
 */
typedef VOID (*NDK_FN_CQ_NOTIFICATION_CALLBACK)(PVOID CqNotificationContext, NTSTATUS CqStatus);

/**
 * NdkResizeCq: change the number of results that the queue can hold. Completes at once.
 *
 * @param CqDepth 1 .. MaxCqDepth
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or out of range;
 *         STATUS_BUFFER_OVERFLOW: the queue contains more results, nothing changed;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: owner, because the queue contains results.
 */
typedef NTSTATUS (*NDK_FN_RESIZE_CQ)(NDK_CQ *pNdkCq, ULONG CqDepth,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkArmCq: request one call of the notification callback. If a completion has arrived since the
 * last call of the callback, the callback is called at once, otherwise at the next completion of
 * this type. If the queue is armed again before the callback, the wider of the two types is valid:
 * ANY includes SOLICITED, which includes ERRORS. Does nothing if the type is unknown or the queue
 * is not open.
 *
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_ARM_CQ)(NDK_CQ *pNdkCq, ULONG Type);

/**
 * NdkGetCqResults: take completed requests, in the order of completion.
 *
 * @param[out] Results filled up to the returned number
 * @return number of results, 0 .. nResults; 0 for NULL or a queue that is not open
 * @note Threads: owner.
 */
typedef ULONG (*NDK_FN_GET_CQ_RESULTS)(NDK_CQ *pNdkCq, NDK_RESULT Results[], ULONG nResults);

/**
 * NdkControlCqInterruptModeration: delay the notification callback until several results have
 * arrived. A new setting also applies to results that have already arrived.
 *
 * @param ModerationInterval microseconds. MAXULONG: no limit, only ModerationCount is used. With
 *        any other interval, the callback is called at the first result, without waiting for the
 *        interval
 * @param ModerationCount results for one callback; 0 or 1: each result
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER_MIX: both are MAXULONG;
 *         STATUS_INVALID_PARAMETER: not an open queue
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION)(
	NDK_CQ *pNdkCq, ULONG ModerationInterval, ULONG ModerationCount);

/**
 * NdkGetCqResultsEx: take completed requests as NdkGetCqResults() does, with their types, and with
 * the tokens that peers have invalidated.
 *
 * @param[out] Results filled up to the returned number
 * @return same as NdkGetCqResults()
 * @note Threads: owner.
 */
typedef ULONG (*NDK_FN_GET_CQ_RESULTS_EX)(NDK_CQ *pNdkCq, NDK_RESULT_EX Results[], ULONG nResults);

/** Functions of a completion queue. */
struct _NDK_CQ_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseCq; /**< completes after its queue pairs are closed */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_RESIZE_CQ NdkResizeCq;                       /**< change the depth */
	NDK_FN_ARM_CQ NdkArmCq;                             /**< request a notification */
	NDK_FN_GET_CQ_RESULTS NdkGetCqResults;              /**< take results */
	NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION NdkControlCqInterruptModeration; /**< by count */
	NDK_FN_GET_CQ_RESULTS_EX NdkGetCqResultsEx; /**< take results with types */
};

/** Completion queue. */
struct _NDK_CQ {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeCq */
	CONST NDK_CQ_DISPATCH *Dispatch; /**< its functions */
};

/** Called once for each arming when fewer receives are posted than the queue's threshold. */
typedef VOID (*NDK_FN_SRQ_NOTIFICATION_CALLBACK)(PVOID SrqNotificationContext, NTSTATUS SrqStatus);

/**
 * NdkModifySrq: change depth or threshold. Completes at once.
 *
 * @param SrqDepth 0: unchanged
 * @param NotifyThreshold > 0: call the callback once when fewer receives than this are posted, at
 *        once if this is already true; 0: threshold and arming are unchanged
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or out of range;
 *         STATUS_BUFFER_OVERFLOW: more receives are posted than the new depth;
 *         STATUS_INSUFFICIENT_RESOURCES; STATUS_NOT_SUPPORTED: MaxSrqDepth is 0
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_MODIFY_SRQ)(NDK_SRQ *pNdkSrq, ULONG SrqDepth, ULONG NotifyThreshold,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkSrqReceive: post a receive for the next message that arrives at any queue pair of the shared
 * queue. The result goes to the receive completion queue of that queue pair.
 *
 * @return same as NdkReceive()
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_SRQ_RECEIVE)(
	NDK_SRQ *pNdkSrq, PVOID RequestContext, CONST NDK_SGE *pSgl, ULONG nSge);

/** Functions of a shared receive queue. */
struct _NDK_SRQ_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseSrq; /**< completes after its queue pairs are closed */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_MODIFY_SRQ NdkModifySrq;                     /**< depth and threshold */
	NDK_FN_SRQ_RECEIVE NdkSrqReceive;                   /**< post a receive */
};

/** Shared receive queue. */
struct _NDK_SRQ {
	NDK_OBJECT_HEADER Header;         /**< NdkObjectTypeSrq */
	CONST NDK_SRQ_DISPATCH *Dispatch; /**< its functions */
};

#ifdef __cplusplus
}
#endif

#endif
