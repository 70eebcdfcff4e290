/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The arithmetic of EVENT_IDX with indices that wrap: does a wake-up get lost? Memory is
 * sequentially consistent here; notify.pml looks at the fences.
 *
 * WRONG  0  right: kick when the event is in the window from the last decision to now
 *        1  the device does not look again after it armed
 *        2  the device arms before it drains, not after
 *        3  the window starts at the last kick that was sent, not at the last decision
 *        4  kick only when the event is the very last index
 */
#define MOD   8
#define SIZE  3
#define ITEMS 12
#define SUB(a, b) ((a + MOD - (b)) % MOD)

byte avail, event, used;
bit kick, driver_done;

active proctype driver()
{
	byte n, old, new, seen;

	do
	:: n < ITEMS ->
	   if
	   :: new = (avail + 1) % MOD
	   :: new = (avail + 2) % MOD
	   fi;
	   SUB(new, used) <= SIZE;
	   avail = new;
	   seen = event;
	   if
#if WRONG == 4
	   :: seen == SUB(new, 1) -> kick = 1
#else
	   :: SUB(new, seen + 1) < SUB(new, old) ->
	      kick = 1;
#if WRONG == 3
	      old = new
#endif
#endif
	   :: else
	   fi;
#if WRONG != 3
	   old = new;
#endif
	   n++
	:: else -> break
	od;
	driver_done = 1
}

active proctype device()
{
	byte last, idx;

wake:
#if WRONG == 2
	event = last;
#endif
drain:	idx = avail;
	do
	:: last != idx -> last = (last + 1) % MOD; used = last
	:: else -> break
	od;
#if WRONG != 2
	event = last;
#endif
#if WRONG != 1 && WRONG != 2
	idx = avail;
	if
	:: idx != last -> goto drain
	:: else
	fi;
#endif
	if
	:: kick -> kick = 0; goto wake
	:: timeout -> assert(last == avail && driver_done)
	fi
}
