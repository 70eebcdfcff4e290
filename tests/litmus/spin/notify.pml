/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A producer that looks whether to notify against a consumer that arms and looks again, with the
 * store buffers of x86: does a wake-up get lost? Both directions of a ring have this shape: the
 * driver exposes [N4] and the device arms [N2], the device uses [N1] and the driver arms [N3].
 *
 * FLAGS     1: a flag says whether to notify; 0: EVENT_IDX
 * PRODUCER  0: no fence between index and event: [N4], [N1] missing
 * CONSUMER  0: no fence between event and the second look at the index: [N2], [N3] missing
 */
#ifndef FLAGS
#define FLAGS 0
#endif
#ifndef PRODUCER
#define PRODUCER 1
#endif
#ifndef CONSUMER
#define CONSUMER 1
#endif

/* Processors. */
#define P 0
#define C 1

#define INDEX 0
#define EVENT 1
#define CELLS 2

#include "buffers.inc"

#define MOD   8
#define ITEMS 4
#define SUB(a, b) ((a + MOD - (b)) % MOD)

bit kick, producer_done;

active proctype producer()
{
	byte index, event, k;

	do
	:: index < ITEMS ->
	   index++;
	   store(P, INDEX, index);
#if PRODUCER
	   fence(P);
#endif
	   load(P, EVENT, event);
	   if
#if FLAGS
	   :: event -> kick = 1
#else
	   :: SUB(index, event + 1) < 1 -> kick = 1
#endif
	   :: else
	   fi
	:: else -> break
	od;
	producer_done = 1
}

active proctype consumer()
{
	byte index, last, k;

wake:
#if FLAGS
	store(C, EVENT, 0);
#endif
	load(C, INDEX, index);
	last = index;
#if FLAGS
	store(C, EVENT, 1);
#else
	store(C, EVENT, last);
#endif
#if CONSUMER
	fence(C);
#endif
	load(C, INDEX, index);
	if
	:: index != last -> goto wake
	:: else
	fi;
	if
	:: kick -> kick = 0; goto wake
	:: timeout -> assert(last == memory[INDEX] && producer_done)
	fi
}
