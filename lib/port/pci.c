/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "port/pci.h"

#include <stddef.h>
#include <stdio.h>

bool
pci_ids_parse(const char *bus_info, uint32_t *vendor_id, uint32_t *device_id)
{
	unsigned int vendor, device;
	int end = 0;

	/* The text must consist of two hexadecimal numbers without 0x. */
	if (bus_info == NULL ||
		sscanf(bus_info, "vendor_id=%4x, device_id=%4x%n", &vendor, &device, &end) != 2 ||
		bus_info[end] != '\0')
		return false;
	*vendor_id = vendor;
	*device_id = device;
	return true;
}
