/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_TYPES_H
#define NDPDK_NDK_TYPES_H

/**
 * @file
 * Types of all objects of the kernel interface (NDK): integer types with the widths of Windows,
 * descriptions of memory, list entries, results, and completion callbacks.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#ifndef VOID
#define VOID void /**< no value */
#endif
#ifndef CONST
#define CONST const /**< not changed */
#endif

typedef int32_t NTSTATUS;           /**< status of a call or request: ndk_status.h */
typedef uint32_t ULONG;             /**< 32 bits, as on Windows */
typedef uint16_t USHORT;            /**< 16 bits */
typedef uint8_t BOOLEAN;            /**< 0: false; other values: true */
typedef uint32_t UINT32;            /**< 32 bits */
typedef uint64_t UINT64;            /**< 64 bits */
typedef int64_t LONGLONG;           /**< 64 bits, signed */
typedef size_t SIZE_T;              /**< bytes */
typedef uintptr_t ULONG_PTR;        /**< as wide as a pointer */
typedef void *PVOID;                /**< any memory */
typedef struct sockaddr *PSOCKADDR; /**< struct sockaddr_in or sockaddr_in6 */
typedef struct _GUID GUID;          /**< identifier of an extension interface */

#ifndef TRUE
#define TRUE  1 /**< a BOOLEAN */
#define FALSE 0 /**< a BOOLEAN */
#endif

/** Page size of NdkBuildLAM() and NdkFastRegister(), in bytes. */
#define NDK_PAGE_SIZE 4096u

typedef struct _GROUP_AFFINITY GROUP_AFFINITY;                           /**< selects the engine */
typedef struct _MDL MDL;                                                 /**< describes memory */
typedef union _NDK_LOGICAL_ADDRESS NDK_LOGICAL_ADDRESS;                  /**< address of a page */
typedef struct _NDK_LOGICAL_ADDRESS_MAPPING NDK_LOGICAL_ADDRESS_MAPPING; /**< pages */
typedef struct _NDK_SGE NDK_SGE;                                         /**< entry of a list */
typedef struct _NDK_RESULT NDK_RESULT;                                   /**< result of a request */
typedef struct _NDK_RESULT_EX NDK_RESULT_EX; /**< result of a request, with its type */
typedef struct _NDK_VERSION NDK_VERSION;     /**< version of the interface */
typedef struct _NDK_OBJECT_HEADER_RESERVED_BLOCK NDK_OBJECT_HEADER_RESERVED_BLOCK; /**< not used */
typedef struct _NDK_OBJECT_HEADER NDK_OBJECT_HEADER; /**< common first member of all objects */
typedef struct _NDK_EXTENSION_INTERFACE NDK_EXTENSION_INTERFACE; /**< no extensions exist yet */
typedef struct _NDK_ADAPTER_INFO NDK_ADAPTER_INFO;               /**< limits of an adapter */

typedef struct _NDK_ADAPTER NDK_ADAPTER;                   /**< adapter */
typedef struct _NDK_ADAPTER_DISPATCH NDK_ADAPTER_DISPATCH; /**< functions of an adapter */
typedef struct _NDK_PD NDK_PD;                             /**< protection domain */
typedef struct _NDK_PD_DISPATCH NDK_PD_DISPATCH;           /**< functions of a protection domain */
typedef struct _NDK_CQ NDK_CQ;                             /**< completion queue */
typedef struct _NDK_CQ_DISPATCH NDK_CQ_DISPATCH;           /**< functions of a completion queue */
typedef struct _NDK_QP NDK_QP;                             /**< queue pair */
typedef struct _NDK_QP_DISPATCH NDK_QP_DISPATCH;           /**< functions of a queue pair */
typedef struct _NDK_SRQ NDK_SRQ;                           /**< shared receive queue */
typedef struct _NDK_SRQ_DISPATCH NDK_SRQ_DISPATCH; /**< functions of a shared receive queue */
typedef struct _NDK_MR NDK_MR;                     /**< memory region */
typedef struct _NDK_MR_DISPATCH NDK_MR_DISPATCH;   /**< functions of a memory region */
typedef struct _NDK_MW NDK_MW;                     /**< memory window */
typedef struct _NDK_MW_DISPATCH NDK_MW_DISPATCH;   /**< functions of a memory window */
typedef struct _NDK_CONNECTOR NDK_CONNECTOR;       /**< establishes and ends one connection */
typedef struct _NDK_CONNECTOR_DISPATCH NDK_CONNECTOR_DISPATCH; /**< functions of a connector */
typedef struct _NDK_LISTENER NDK_LISTENER;                     /**< waits for connection requests */
typedef struct _NDK_LISTENER_DISPATCH NDK_LISTENER_DISPATCH;   /**< functions of a listener */
typedef struct _NDK_SHARED_ENDPOINT NDK_SHARED_ENDPOINT; /**< local address for many connections */
typedef struct _NDK_SHARED_ENDPOINT_DISPATCH NDK_SHARED_ENDPOINT_DISPATCH; /**< functions */

/** NDK_OBJECT_HEADER.ObjectType. */
typedef enum _NDK_OBJECT_TYPE {
	NdkObjectTypeUndefined = 0,      /**< no object */
	NdkObjectTypeAdapter = 1,        /**< NDK_ADAPTER */
	NdkObjectTypeQp = 2,             /**< NDK_QP */
	NdkObjectTypeCq = 3,             /**< NDK_CQ */
	NdkObjectTypeMr = 4,             /**< NDK_MR */
	NdkObjectTypeMw = 5,             /**< NDK_MW */
	NdkObjectTypePd = 6,             /**< NDK_PD */
	NdkObjectTypeSharedEndpoint = 7, /**< NDK_SHARED_ENDPOINT */
	NdkObjectTypeConnector = 8,      /**< NDK_CONNECTOR */
	NdkObjectTypeListener = 9,       /**< NDK_LISTENER */
	NdkObjectTypeSrq = 10,           /**< NDK_SRQ */
	NdkObjectTypeMax = 11,           /**< not an object type; one more than the last */
} NDK_OBJECT_TYPE;

/** NDK_RESULT_EX.Type. */
typedef enum _NDK_OPERATION_TYPE {
	NdkOperationTypeReceive = 1, /**< NdkReceive, NdkSrqReceive */
	/** receive of a message that invalidated a token */
	NdkOperationTypeReceiveAndInvalidate = 32769,
	NdkOperationTypeSend = 2,         /**< NdkSend, NdkSendAndInvalidate */
	NdkOperationTypeFastRegister = 4, /**< NdkFastRegister */
	NdkOperationTypeBind = 8,         /**< NdkBind */
	NdkOperationTypeInvalidate = 16,  /**< NdkInvalidate */
	NdkOperationTypeRead = 32,        /**< NdkRead */
	NdkOperationTypeWrite = 64,       /**< NdkWrite */
} NDK_OPERATION_TYPE;

/** Version of the interface: 1.1 or 1.2. */
struct _NDK_VERSION {
	USHORT Major; /**< 1 */
	USHORT Minor; /**< 1 or 2 */
};

/** Set to 0 when an object is created. The library does not use it. */
struct _NDK_OBJECT_HEADER_RESERVED_BLOCK {
	PVOID rf[4]; /**< not used by the library */
};

/** First member of each object. The pointer to the functions of the object follows. */
struct _NDK_OBJECT_HEADER {
	NDK_VERSION Version;                          /**< version of the adapter */
	NDK_OBJECT_TYPE ObjectType;                   /**< type of the object */
	NDK_OBJECT_HEADER_RESERVED_BLOCK NdkReserved; /**< not used */
};

/**
 * A set of processors. It selects the engine with the number of the lowest processor of the set,
 * modulo the number of engines.
 */
struct _GROUP_AFFINITY {
	ULONG_PTR Mask;     /**< bit n: processor n of the group; 0: first engine */
	USHORT Group;       /**< group of 64 processors */
	USHORT Reserved[3]; /**< 0 */
};

/**
 * One piece of memory. A chain of pieces describes one virtually contiguous range. Requests and
 * peers use the virtual address, which need not be a valid address of the process. The bytes are at
 * MappedSystemVa. ndk_mdl_initialize() fills the structure.
 */
struct _MDL {
	MDL *Next;            /**< next piece of the chain; NULL: last piece */
	PVOID MappedSystemVa; /**< address of the bytes in the process */
	PVOID StartVa;        /**< virtual address, rounded down to a page */
	ULONG ByteCount;      /**< bytes of this piece, > 0 */
	ULONG ByteOffset;     /**< offset of the first byte in its page */
};

/** @return virtual address of the first byte of a piece. */
#define MmGetMdlVirtualAddress(m)            ((PVOID)((uintptr_t)(m)->StartVa + (m)->ByteOffset))
/** @return length of a piece in bytes. */
#define MmGetMdlByteCount(Mdl)               ((Mdl)->ByteCount)
/** @return offset of the first byte of a piece in its page, in bytes. */
#define MmGetMdlByteOffset(Mdl)              ((Mdl)->ByteOffset)
/** Describe one piece of memory, with its own address as virtual address. Next is NULL. */
#define MmInitializeMdl(Mdl, BaseVa, Length) ndk_mdl_initialize((Mdl), (BaseVa), (BaseVa), (Length))

/**
 * Describe one piece of memory. Next is NULL.
 *
 * @param[out] mdl filled
 * @param virtual_address need not be a valid address of the process
 * @param memory address of the bytes in the process
 * @param length bytes
 * @note Threads: any.
 */
void ndk_mdl_initialize(MDL *mdl, PVOID virtual_address, PVOID memory, ULONG length);

/** Address of a page in the process. Corresponds to PHYSICAL_ADDRESS of Windows. */
union _NDK_LOGICAL_ADDRESS {
	LONGLONG QuadPart; /**< a multiple of NDK_PAGE_SIZE in a mapping */
};

/** Pages of a range of memory, filled by NdkBuildLAM(). */
struct _NDK_LOGICAL_ADDRESS_MAPPING {
	PVOID AdapterContext;                    /**< not for applications */
	ULONG AdapterPageCount;                  /**< number of entries of AdapterPageArray */
	NDK_LOGICAL_ADDRESS AdapterPageArray[1]; /**< AdapterPageCount entries */
};

/** One list entry: a piece of memory of a request. */
struct _NDK_SGE {
	/** Address of the first byte. */
	union {
		/** Address in the region, or in the process with NDK_OP_FLAG_INLINE. */
		PVOID VirtualAddress;
		NDK_LOGICAL_ADDRESS LogicalAddress; /**< used with the privileged token */
	};
	ULONG Length;             /**< bytes */
	UINT32 MemoryRegionToken; /**< NdkGetLocalTokenFromMr(); ignored with _INLINE */
};

/** Result of a request from NdkGetCqResults(). */
struct _NDK_RESULT {
	NTSTATUS Status;        /**< STATUS_SUCCESS, or the error of the request */
	ULONG BytesTransferred; /**< length of a received message */
	PVOID QPContext;        /**< QPContext of NdkCreateQp() */
	PVOID RequestContext;   /**< context of the request */
};

/** Result of a request from NdkGetCqResultsEx(). */
struct _NDK_RESULT_EX {
	NTSTATUS Status;         /**< STATUS_SUCCESS, or the error of the request */
	ULONG BytesTransferred;  /**< length of a received message */
	PVOID QPContext;         /**< QPContext of NdkCreateQp() */
	PVOID RequestContext;    /**< context of the request */
	NDK_OPERATION_TYPE Type; /**< type of the request */
	ULONG ProviderErrorCode; /**< always 0 */
	/** The invalidated token, if the type is ReceiveAndInvalidate. 0 for all other types. */
	ULONG_PTR TypeSpecificCompletionOutput;
};

/** Output of NdkQueryExtension. The library has no extensions. */
struct _NDK_EXTENSION_INTERFACE {
	CONST VOID *Dispatch; /**< functions of the extension */
};

/** Called when a pending close is complete. The object no longer exists. */
typedef VOID (*NDK_FN_CLOSE_COMPLETION)(PVOID Context);

/** Called when a pending request to an object is complete. */
typedef VOID (*NDK_FN_REQUEST_COMPLETION)(PVOID Context, NTSTATUS Status);

/**
 * Called when a pending creation is complete. This library never calls it, because creations
 * complete at once.
 */
typedef VOID (*NDK_FN_CREATE_COMPLETION)(
	PVOID Context, NTSTATUS Status, NDK_OBJECT_HEADER *pNdkObject);

/**
 * NdkClose...: close an object. Pending operations of the object are first cancelled or flushed.
 * The caller must not use the object any more. The library frees the object after its requests and
 * callbacks have ended and the objects that use it are closed.
 *
 * @param CloseCompletion may be NULL
 * @return STATUS_SUCCESS: the object is freed; STATUS_PENDING: CloseCompletion is called once when
 *         the object is freed; STATUS_INVALID_PARAMETER: not an open object of this type, nothing
 *         happens
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CLOSE_OBJECT)(NDK_OBJECT_HEADER *pNdkObject,
	NDK_FN_CLOSE_COMPLETION CloseCompletion, PVOID RequestContext);

/**
 * NdkQueryExtension: there are no extension interfaces.
 *
 * @return STATUS_NOT_SUPPORTED; STATUS_INVALID_PARAMETER: NULL, or not an open object of this type
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_QUERY_EXTENSION_INTERFACE)(NDK_OBJECT_HEADER *pNdkObject,
	GUID *ExtensionInterfaceID, NDK_VERSION ExtensionInterfaceVersion,
	NDK_EXTENSION_INTERFACE *pExtensionInterface);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
