/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINSOCK2_H
#define NDPDK_WINSOCK2_H

/**
 * @file
 * Address types and functions of Winsock. Sockets are Linux sockets: SOCKET is a file descriptor,
 * and socket(), bind() and similar functions report errors in errno.
 */

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <ndpdk/win/windows.h>

typedef int SOCKET;
#define INVALID_SOCKET (-1)
#define SOCKET_ERROR   (-1)

typedef struct sockaddr SOCKADDR, *PSOCKADDR, *LPSOCKADDR;
typedef struct sockaddr_in SOCKADDR_IN, *PSOCKADDR_IN, *LPSOCKADDR_IN;
typedef struct sockaddr_in6 SOCKADDR_IN6, *PSOCKADDR_IN6, *LPSOCKADDR_IN6;
typedef struct sockaddr_storage SOCKADDR_STORAGE, *PSOCKADDR_STORAGE, *LPSOCKADDR_STORAGE;
typedef struct in_addr IN_ADDR, *PIN_ADDR, *LPIN_ADDR;
typedef struct in6_addr IN6_ADDR, *PIN6_ADDR, *LPIN6_ADDR;
typedef struct addrinfo ADDRINFOA, *PADDRINFOA, ADDRINFO;
typedef USHORT ADDRESS_FAMILY;

/** An IPv4 or IPv6 address. */
typedef union ndwin_sockaddr_inet {
	SOCKADDR_IN Ipv4;
	SOCKADDR_IN6 Ipv6;
	ADDRESS_FAMILY si_family;
} SOCKADDR_INET, *PSOCKADDR_INET;

/** An address and its length in bytes. */
typedef struct ndwin_socket_address {
	LPSOCKADDR lpSockaddr;
	INT iSockaddrLength;
} SOCKET_ADDRESS, *PSOCKET_ADDRESS, *LPSOCKET_ADDRESS;

/** A list of iAddressCount addresses. */
typedef struct ndwin_socket_address_list {
	INT iAddressCount;
	SOCKET_ADDRESS Address[1];
} SOCKET_ADDRESS_LIST, *PSOCKET_ADDRESS_LIST, *LPSOCKET_ADDRESS_LIST;

#define SIZEOF_SOCKET_ADDRESS_LIST(count)                                                          \
	(offsetof(SOCKET_ADDRESS_LIST, Address) + (count) * sizeof(SOCKET_ADDRESS))

#define WSADESCRIPTION_LEN 256
#define WSASYS_STATUS_LEN  128

typedef struct ndwin_wsadata {
	WORD wVersion;
	WORD wHighVersion;
	unsigned short iMaxSockets;
	unsigned short iMaxUdpDg;
	char *lpVendorInfo;
	char szDescription[WSADESCRIPTION_LEN + 1];
	char szSystemStatus[WSASYS_STATUS_LEN + 1];
} WSADATA, *LPWSADATA;

typedef struct ndwin_wsaprotocol_info *LPWSAPROTOCOL_INFOA, *LPWSAPROTOCOL_INFOW;

#define WSAEINTR           10004
#define WSAEACCES          10013
#define WSAEFAULT          10014
#define WSAEINVAL          10022
#define WSAEWOULDBLOCK     10035
#define WSAEAFNOSUPPORT    10047
#define WSAEADDRINUSE      10048
#define WSAEADDRNOTAVAIL   10049
#define WSAENOBUFS         10055
#define WSAETIMEDOUT       10060
#define WSAECONNREFUSED    10061
#define WSAVERNOTSUPPORTED 10092
#define WSANOTINITIALISED  10093

/**
 * Start using Winsock, versions 1.0 to 2.2. Returns 0, or the error. Each successful call needs a
 * call of WSACleanup().
 */
NDWIN_API int WSAStartup(WORD version, LPWSADATA data) NDWIN_LINK(WSAStartup);
/** Undo one call of WSAStartup(). SOCKET_ERROR: no call to undo (WSANOTINITIALISED). */
NDWIN_API int WSACleanup(void) NDWIN_LINK(WSACleanup);
/** The same as GetLastError() and SetLastError(). */
NDWIN_API int WSAGetLastError(void) NDWIN_LINK(WSAGetLastError);
NDWIN_API void WSASetLastError(int error) NDWIN_LINK(WSASetLastError);

/**
 * Parse an address: 192.0.2.1, 192.0.2.1:4791, 2001:db8::1, fe80::1%3, [2001:db8::1]:4791.
 *
 * @param[in,out] length
 *   Size of the buffer at address, in bytes. Set to the size that the address needs.
 * @return
 *   0, or SOCKET_ERROR: WSAEINVAL (not an address of the family), WSAEFAULT (buffer too small).
 */
NDWIN_API INT WSAStringToAddressA(LPSTR text, INT family, LPWSAPROTOCOL_INFOA protocol,
	LPSOCKADDR address, LPINT length) NDWIN_LINK(WSAStringToAddressA);
NDWIN_API INT WSAStringToAddressW(LPWSTR text, INT family, LPWSAPROTOCOL_INFOW protocol,
	LPSOCKADDR address, LPINT length) NDWIN_LINK(WSAStringToAddressW);
/**
 * Print an address, with its port unless the port is 0.
 *
 * @param[in,out] size
 *   Size of the buffer at text, in characters. Set to the size needed, including the terminator.
 */
NDWIN_API INT WSAAddressToStringA(LPSOCKADDR address, DWORD length, LPWSAPROTOCOL_INFOA protocol,
	LPSTR text, LPDWORD size) NDWIN_LINK(WSAAddressToStringA);
NDWIN_API INT WSAAddressToStringW(LPSOCKADDR address, DWORD length, LPWSAPROTOCOL_INFOW protocol,
	LPWSTR text, LPDWORD size) NDWIN_LINK(WSAAddressToStringW);
/** inet_pton() and inet_ntop() for wide text. */
NDWIN_API INT InetPtonW(INT family, LPCWSTR text, PVOID address) NDWIN_LINK(InetPtonW);
NDWIN_API LPCWSTR InetNtopW(INT family, const VOID *address, LPWSTR text, SIZE_T size)
	NDWIN_LINK(InetNtopW);
#define InetPtonA(family, text, address) inet_pton(family, text, address)
#define InetNtopA(family, address, text, size)                                                     \
	inet_ntop(family, address, text, NDWIN_CAST(socklen_t, size))
/** Close a socket. */
NDWIN_API int closesocket(SOCKET socket) NDWIN_LINK(closesocket);
#ifdef UNICODE
#define WSAStringToAddress WSAStringToAddressW
#else
#define WSAStringToAddress WSAStringToAddressA
#endif
#ifdef UNICODE
#define WSAAddressToString WSAAddressToStringW
#else
#define WSAAddressToString WSAAddressToStringA
#endif
#ifdef UNICODE
#define InetPton InetPtonW
#else
#define InetPton InetPtonA
#endif
#ifdef UNICODE
#define InetNtop InetNtopW
#else
#define InetNtop InetNtopA
#endif

#endif
