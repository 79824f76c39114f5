/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "port/pci.h"

#include <stddef.h>

#include <criterion/criterion.h>

/* Text in the format of the PCI bus of DPDK 22.11 and later. */
Test(pci, ids_of_a_pci_device)
{
	uint32_t vendor = 1, device = 2;

	cr_assert(pci_ids_parse("vendor_id=15b3, device_id=101d", &vendor, &device));
	cr_assert_eq(vendor, 0x15B3);
	cr_assert_eq(device, 0x101D);
	cr_assert(pci_ids_parse("vendor_id=8086, device_id=9", &vendor, &device));
	cr_assert_eq(vendor, 0x8086);
	cr_assert_eq(device, 9);
}

Test(pci, other_devices_have_none)
{
	static const char *const others[] = {NULL, "", "vendor_id=15b3", "device_id=1, vendor_id=2",
		"vendor_id=xyz, device_id=1",
		"vendor_id=1, device_id=", "vendor_id=1, device_id=2, more=3",
		"vendor_id=1, device_id=12345"};
	uint32_t vendor = 1, device = 2;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		cr_assert_not(pci_ids_parse(others[i], &vendor, &device), "%zu", i);
		cr_assert_eq(vendor, 1);
		cr_assert_eq(device, 2);
	}
}
