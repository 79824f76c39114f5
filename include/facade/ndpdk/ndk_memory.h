/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MEMORY_H
#define NDPDK_NDK_MEMORY_H

/**
 * @file
 * Memory of the kernel interface: regions, windows, logical addresses.
 */

#include <ndpdk/ndk_status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Access rights for NdkRegisterMr(). The adapter may always read the memory, without a flag. */
#define NDK_MR_FLAG_ALLOW_LOCAL_READ   0x00000000u /**< always */
/** Receives, own reads and windows may write to the region. */
#define NDK_MR_FLAG_ALLOW_LOCAL_WRITE  0x00000001u
#define NDK_MR_FLAG_ALLOW_REMOTE_READ  0x00000002u /**< peers with the token may read */
#define NDK_MR_FLAG_ALLOW_REMOTE_WRITE 0x00000005u /**< peers may write; includes _LOCAL_WRITE */
#define NDK_MR_FLAG_RDMA_READ_SINK     0x00000008u /**< no effect, because reads need no flag */

/**
 * NdkRegisterMr: register memory. Completes at once.
 *
 * @param Mdl one MDL, or a chain of MDLs with contiguous virtual addresses. The first virtual
 *         address is the base of the region. In requests and windows, the region is [base, base +
 *         Length). The base need not be a valid address of the process, but is not 0. The chain is
 *         copied. The caller owns the memory and keeps it until the end of NdkDeregisterMr() or of
 *         the close
 * @param Length bytes, 1 .. MaxRegistrationSize, at most the length of the chain
 * @param Flags NDK_MR_FLAG_
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or not valid, the chain is
 *         not contiguous or too short, or the object is for fast registration;
 *         STATUS_INVALID_DEVICE_STATE: already registered; STATUS_INSUFFICIENT_RESOURCES;
 *         STATUS_DEVICE_REMOVED
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_REGISTER_MR)(NDK_MR *pNdkMr, MDL *Mdl, SIZE_T Length, ULONG Flags,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkDeregisterMr: deregister memory. Completes at once. Then no access is in progress, the memory
 * may be freed, and the object may be registered again.
 *
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or not valid;
 *         STATUS_INVALID_DEVICE_STATE: not registered; STATUS_DEVICE_BUSY: a window is bound to the
 *         region
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_DEREGISTER_MR)(
	NDK_MR *pNdkMr, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkInitializeFastRegisterMr: prepare an object that was created for fast registration. Completes
 * at once.
 *
 * @param AdapterPageCount maximum number of pages of one NdkFastRegister(), 1 .. FRMRPageCount
 * @param RemoteAccess whether registrations may grant rights to peers
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or not valid, or the object
 *         is not for fast registration; STATUS_INVALID_DEVICE_STATE: already prepared;
 *         STATUS_IMPLEMENTATION_LIMIT: too many pages; STATUS_INSUFFICIENT_RESOURCES;
 *         STATUS_NOT_SUPPORTED: FRMRPageCount is 0
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_INITIALIZE_FAST_REGISTER_MR)(NDK_MR *pNdkMr, ULONG AdapterPageCount,
	BOOLEAN RemoteAccess, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkGetRemoteTokenFromMr: return the token that a peer needs in addition to the address. Send it
 * unchanged. Each NdkFastRegister() creates a new token, which is known when the call returns.
 *
 * @return 0: not registered, without rights for peers, or not a region
 * @note Threads: any.
 */
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MR)(NDK_MR *pNdkMr);

/**
 * NdkGetLocalTokenFromMr: return the token for NDK_SGE.MemoryRegionToken.
 *
 * @return 0: not registered, or not a region
 * @note Threads: any.
 */
typedef UINT32 (*NDK_FN_GET_LOCAL_TOKEN_FROM_MR)(NDK_MR *pNdkMr);

/** Functions of a region. */
struct _NDK_MR_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseMr;                     /**< waits for bound windows */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_REGISTER_MR NdkRegisterMr;                   /**< register memory */
	NDK_FN_DEREGISTER_MR NdkDeregisterMr;               /**< deregister memory */
	NDK_FN_INITIALIZE_FAST_REGISTER_MR NdkInitializeFastRegisterMr; /**< for fast register */
	NDK_FN_GET_REMOTE_TOKEN_FROM_MR NdkGetRemoteTokenFromMr;        /**< token for peers */
	NDK_FN_GET_LOCAL_TOKEN_FROM_MR NdkGetLocalTokenFromMr; /**< token for list entries */
};

/** Memory region. */
struct _NDK_MR {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeMr */
	CONST NDK_MR_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkGetRemoteTokenFromMw: return the token that a peer needs in addition to the address. Send it
 * unchanged. Each NdkBind() creates a new token, which is known when the call returns.
 *
 * @return 0: never bound, or not a window
 * @note Threads: any.
 */
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MW)(NDK_MW *pNdkMw);

/** Functions of a window. */
struct _NDK_MW_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseMw;                          /**< invalidates the window */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;      /**< none */
	NDK_FN_GET_REMOTE_TOKEN_FROM_MW NdkGetRemoteTokenFromMw; /**< token for peers */
};

/** Memory window. */
struct _NDK_MW {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeMw */
	CONST NDK_MW_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkBuildLAM: return the pages of a range of memory, for NdkFastRegister() and for list entries
 * with the privileged token. Completes at once. The caller owns the memory and keeps it until
 * NdkReleaseLAM().
 *
 * @param Mdl, Length as for NdkRegisterMr()
 * @param RequestCompletion may be NULL
 * @param[out] pNdkLAM filled; NULL: return only the size
 * @param[in,out] pLAMSize in: bytes at pNdkLAM; out: bytes needed, also with
 *        STATUS_BUFFER_TOO_SMALL
 * @param[out] pFBO offset of the first byte in the first page
 * @return STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL; STATUS_INVALID_PARAMETER: an argument is NULL or
 *         not valid, or the range is not contiguous. All pieces except the first must begin at a
 *         page border, and all except the last must end at one, also in memory;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_BUILD_LAM)(NDK_ADAPTER *pNdkAdapter, MDL *Mdl, SIZE_T Length,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext,
	NDK_LOGICAL_ADDRESS_MAPPING *pNdkLAM, ULONG *pLAMSize, ULONG *pFBO);

/**
 * NdkReleaseLAM: release a mapping after all requests that use it have completed.
 *
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_RELEASE_LAM)(NDK_ADAPTER *pNdkAdapter, NDK_LOGICAL_ADDRESS_MAPPING *pNdkLAM);

#ifdef __cplusplus
}
#endif

#endif
