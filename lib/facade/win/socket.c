/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Initialisation of Winsock, and conversion of addresses to and from text. */

#define NDWIN_NO_PRINTF

#include <net/if.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ndpdk/win/winsock2.h>

#include "win/error.h"
#include "win/wide.h"

/** Buffer size for the text of an address, with brackets, zone and port. */
#define TEXT_MAX 128

static atomic_uint starts;

static int
socket_fail(int error)
{
	win_fail((DWORD)error);
	return SOCKET_ERROR;
}

int
WSAStartup(WORD version, LPWSADATA data)
{
	if (!data)
		return WSAEFAULT;
	memset(data, 0, sizeof(*data));
	data->wHighVersion = MAKEWORD(2, 2);
	data->wVersion = data->wHighVersion;
	/* Use the lower of the requested version and 2.2. The low byte is the major version. */
	if (LOBYTE(version) < 2 || (LOBYTE(version) == 2 && HIBYTE(version) < 2))
		data->wVersion = version;
	if (LOBYTE(version) < 1)
		return WSAVERNOTSUPPORTED;
	snprintf(data->szDescription, sizeof(data->szDescription), "ndpdk");
	snprintf(data->szSystemStatus, sizeof(data->szSystemStatus), "Running");
	atomic_fetch_add(&starts, 1);
	return 0;
}

int
WSACleanup(void)
{
	unsigned int count = atomic_load(&starts);

	do {
		if (count == 0)
			return socket_fail(WSANOTINITIALISED);
	} while (!atomic_compare_exchange_weak(&starts, &count, count - 1));
	return 0;
}

int
WSAGetLastError(void)
{
	return (int)GetLastError();
}

void
WSASetLastError(int error)
{
	SetLastError((DWORD)error);
}

int
closesocket(SOCKET socket)
{
	return close(socket);
}

/** Parse a port or a zone: decimal digits up to the end of the text. @return false: other text */
static bool
parse_decimal(const char *text, unsigned long most, unsigned long *number)
{
	char *end;

	if (*text < '0' || *text > '9' || strlen(text) > 10)
		return false;
	*number = strtoul(text, &end, 10);
	return *end == '\0' && *number <= most;
}

static bool
parse_ipv4(char *text, struct sockaddr_in *address)
{
	char *colon = strchr(text, ':');
	unsigned long port = 0;

	if (colon) {
		*colon = '\0';
		if (!parse_decimal(colon + 1, UINT16_MAX, &port))
			return false;
	}
	memset(address, 0, sizeof(*address));
	address->sin_family = AF_INET;
	address->sin_port = htons((uint16_t)port);
	return inet_pton(AF_INET, text, &address->sin_addr) == 1;
}

static bool
parse_ipv6(char *text, struct sockaddr_in6 *address)
{
	unsigned long zone = 0;
	unsigned long port = 0;
	char *end;

	if (*text == '[') {
		end = strchr(++text, ']');
		if (!end || (end[1] && end[1] != ':') ||
			(end[1] && !parse_decimal(end + 2, UINT16_MAX, &port)))
			return false;
		*end = '\0';
	}
	end = strchr(text, '%');
	if (end) {
		*end = '\0';
		if (!parse_decimal(end + 1, UINT32_MAX, &zone))
			zone = if_nametoindex(end + 1);
		if (zone == 0)
			return false;
	}
	memset(address, 0, sizeof(*address));
	address->sin6_family = AF_INET6;
	address->sin6_port = htons((uint16_t)port);
	address->sin6_scope_id = (uint32_t)zone;
	return inet_pton(AF_INET6, text, &address->sin6_addr) == 1;
}

INT
WSAStringToAddressA(
	LPSTR text, INT family, LPWSAPROTOCOL_INFOA protocol, LPSOCKADDR address, LPINT length)
{
	union {
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} parsed;
	char copy[TEXT_MAX];
	INT needed;
	bool ok;

	(void)protocol;
	if (!text || !address || !length)
		return socket_fail(WSAEFAULT);
	if (family != AF_INET && family != AF_INET6)
		return socket_fail(WSAEINVAL);
	needed = family == AF_INET ? (INT)sizeof(parsed.v4) : (INT)sizeof(parsed.v6);
	if (*length < needed) {
		*length = needed;
		return socket_fail(WSAEFAULT);
	}
	if (strnlen(text, sizeof(copy)) == sizeof(copy))
		return socket_fail(WSAEINVAL);
	memcpy(copy, text, strlen(text) + 1);
	ok = family == AF_INET ? parse_ipv4(copy, &parsed.v4) : parse_ipv6(copy, &parsed.v6);
	if (!ok)
		return socket_fail(WSAEINVAL);
	memcpy(address, &parsed, (size_t)needed);
	*length = needed;
	return 0;
}

INT
WSAStringToAddressW(
	LPWSTR text, INT family, LPWSAPROTOCOL_INFOW protocol, LPSOCKADDR address, LPINT length)
{
	char *text8 = text ? win_utf8_of_wide(text) : NULL;
	INT result;

	(void)protocol;
	result = WSAStringToAddressA(text8, family, NULL, address, length);
	free(text8);
	return result;
}

/** Write an address as text. @return false: not an address */
static bool
print_address(const SOCKADDR *address, DWORD length, char text[TEXT_MAX])
{
	char host[INET6_ADDRSTRLEN] = "";
	char zone[16] = "";
	unsigned int port;

	if (length >= sizeof(struct sockaddr_in) && address->sa_family == AF_INET) {
		struct sockaddr_in v4;

		memcpy(&v4, address, sizeof(v4));
		inet_ntop(AF_INET, &v4.sin_addr, host, sizeof(host));
		port = ntohs(v4.sin_port);
		snprintf(text, TEXT_MAX, port > 0 ? "%s:%u" : "%s", host, port);
		return true;
	}
	if (length >= sizeof(struct sockaddr_in6) && address->sa_family == AF_INET6) {
		struct sockaddr_in6 v6;

		memcpy(&v6, address, sizeof(v6));
		inet_ntop(AF_INET6, &v6.sin6_addr, host, sizeof(host));
		port = ntohs(v6.sin6_port);
		if (v6.sin6_scope_id > 0)
			snprintf(zone, sizeof(zone), "%%%u", v6.sin6_scope_id);
		snprintf(text, TEXT_MAX, port > 0 ? "[%s%s]:%u" : "%s%s", host, zone, port);
		return true;
	}
	return false;
}

INT
WSAAddressToStringA(
	LPSOCKADDR address, DWORD length, LPWSAPROTOCOL_INFOA protocol, LPSTR text, LPDWORD size)
{
	char printed[TEXT_MAX];
	DWORD needed;

	(void)protocol;
	if (!address || !text || !size)
		return socket_fail(WSAEFAULT);
	if (!print_address(address, length, printed))
		return socket_fail(WSAEINVAL);
	needed = (DWORD)strlen(printed) + 1;
	if (*size < needed) {
		*size = needed;
		return socket_fail(WSAEFAULT);
	}
	memcpy(text, printed, needed);
	*size = needed;
	return 0;
}

INT
WSAAddressToStringW(
	LPSOCKADDR address, DWORD length, LPWSAPROTOCOL_INFOW protocol, LPWSTR text, LPDWORD size)
{
	char printed[TEXT_MAX];
	INT result;

	(void)protocol;
	if (!text)
		return socket_fail(WSAEFAULT);
	result = WSAAddressToStringA(address, length, NULL, printed, size);
	/*
	 * An address is ASCII text, so its characters need no conversion. The size was checked
	 * before.
	 */
	for (DWORD i = 0; result == 0 && i < *size; i++)
		text[i] = (wchar_t)printed[i];
	return result;
}

INT
InetPtonW(INT family, LPCWSTR text, PVOID address)
{
	char *text8 = text && address ? win_utf8_of_wide(text) : NULL;
	int result = text8 ? inet_pton(family, text8, address) : socket_fail(WSAEFAULT);

	free(text8);
	return result;
}

LPCWSTR
InetNtopW(INT family, const VOID *address, LPWSTR text, SIZE_T size)
{
	char printed[INET6_ADDRSTRLEN];
	size_t length;

	if (!address || !text || !inet_ntop(family, address, printed, sizeof(printed))) {
		win_fail(WSAEINVAL);
		return NULL;
	}
	length = strlen(printed);
	if (length >= size) {
		win_fail(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	for (size_t i = 0; i <= length; i++)
		text[i] = (wchar_t)printed[i];
	return text;
}
