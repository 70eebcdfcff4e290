/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compiled as C and as C++, linked and header-only: needs cold functions and inline ones. */
#include "one_chain.h"

int main(void)
{
	return one_chain();
}
