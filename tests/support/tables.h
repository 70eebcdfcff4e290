/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Regions and tables of them, for the tests of what a table accepts and how it changes. */
#ifndef TABLES_H
#define TABLES_H

#include <vqmeta/regions.h>

/* Where all regions are mapped; nobody looks there. */
extern uint8_t table_host[8];

struct vqm_region table_region(uint64_t gpa, uint64_t size);
/* Expects @count regions to be refused and the output to be left alone. */
void table_refused(const struct vqm_region *in, uint32_t count);
/* Expects them to be accepted. */
struct vqm_regions *table_built(const struct vqm_region *in, uint32_t count);

#endif /* TABLES_H */
