/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/mock.h. */
#include <vqmeta/impl/mock_add.h>
#include <vqmeta/mock.h>
