/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Does the wait of the invalidator end while the reader begins sections for ever, and is nobody
 * in a section with memory that is gone?
 *
 * Memory is sequentially consistent here; tso.pml and the litmus tests look at the ordering.
 * Counts are unbounded: what matters is whether one changed since an invalidator looked.
 * A cycle through a label accept_* under weak fairness is a wait that never ends.
 *
 * RULE          how to wait, one of those below
 * INVALIDATORS  1 or 2, each with memory of its own
 * NESTED        sections may hold an inner one
 * FOREVER       the second invalidator starts again at once; only the first counts
 */
#define FLAG_ZERO      1 /* until the bit is clear */
#define FLAG_WANTED    2 /* until it or WANTED is clear */
#define ODD_EVEN       3 /* until the sequence is even */
#define ODD_CHANGED    4 /* until the odd sequence changed */
#define COUNT_ZERO     5 /* until no section is open */
#define COUNT_FINISHED 6 /* until one more outermost section is over */
#define COUNT_CHANGED  7 /* until the word changed */
#define LOCK_TAS       8 /* take a test-and-set lock */
#define LOCK_TICKET    9 /* take a ticket lock */

#ifndef INVALIDATORS
#define INVALIDATORS 1
#endif
#ifndef NESTED
#define NESTED 0
#endif
#ifndef FOREVER
#define FOREVER 0
#endif

#define USING  1
#define WANTED 2
#define TICKETS 4

bit map[2] = 1; /* published */
bit gone[2];
byte word;      /* bits of flag; depth; parity of the sequence; lock */
byte next;
bit changed[2]; /* since invalidator i looked */

inline change() { changed[0] = 1; changed[1] = 1 }

inline begin_section()
{
#if RULE == FLAG_ZERO || RULE == FLAG_WANTED
	word = word | USING
#elif RULE == ODD_EVEN || RULE == ODD_CHANGED
	d_step { word = 1; change() }
#elif RULE == COUNT_CHANGED
	d_step { word++; change() }
#elif RULE == COUNT_ZERO || RULE == COUNT_FINISHED
	word++
#elif RULE == LOCK_TAS
	do
	:: d_step { old = word; word = 1 };
	   if
	   :: old == 0 -> break
	   :: else
	   fi
	od
#else
	d_step { my = next; next = (next + 1) % TICKETS };
	word == my
#endif
}

inline end_section()
{
#if RULE == FLAG_ZERO || RULE == FLAG_WANTED || RULE == LOCK_TAS
	word = 0
#elif RULE == ODD_EVEN || RULE == ODD_CHANGED
	d_step { word = 0; change() }
#elif RULE == COUNT_CHANGED
	d_step { word--; change() }
#elif RULE == COUNT_ZERO || RULE == COUNT_FINISHED
	d_step {
		word--;
		if
		:: word == 0 -> change()
		:: else
		fi
	}
#else
	word = (word + 1) % TICKETS
#endif
}

inline use()
{
	assert(!(has0 && gone[0]) && !(has1 && gone[1]))
}

active proctype reader()
{
	bit has0, has1;
	byte my;
	bit old;

	do
	:: begin_section();
#if NESTED
	   if
	   :: begin_section(); has0 = map[0]; end_section()
	   :: has0 = map[0]
	   fi;
#else
	   has0 = map[0];
#endif
#if INVALIDATORS == 2
	   has1 = map[1];
#endif
	   use();
	   use();
	   d_step { has0 = 0; has1 = 0 };
	   end_section()
	od
}

/* One look at what the wait is for; over = it ends. */
inline look()
{
#if RULE == FLAG_ZERO
	over = !(word & USING)
#elif RULE == FLAG_WANTED
	over = (word & (USING | WANTED)) != (USING | WANTED)
#elif RULE == ODD_EVEN || RULE == COUNT_ZERO
	over = word == 0
#elif RULE == LOCK_TAS
	d_step { over = word == 0; word = 1 }
#elif RULE == LOCK_TICKET
	over = word == my
#else
	over = changed[i]
#endif
}

/* What is done once before the wait. */
inline first()
{
#if RULE == FLAG_WANTED
	over = !(word & USING);
	if
	:: !over -> word = word | WANTED
	:: else
	fi
#elif RULE == ODD_CHANGED || RULE == COUNT_FINISHED || RULE == COUNT_CHANGED
	d_step { over = word == 0; changed[i] = 0 }
#elif RULE == LOCK_TICKET
	d_step { my = next; next = (next + 1) % TICKETS; over = 0 }
#else
	over = 0
#endif
}

proctype invalidator(byte i)
{
	bit over;
	byte my;

again:	map[i] = 0;
	first();
	do
	:: over -> break
	:: else ->
	   look();
	   if
	   :: over
	   :: !over && (i == 0 || !FOREVER) -> accept_wait: skip
	   :: !over && i == 1 && FOREVER
	   fi
	od;
#if RULE == LOCK_TAS || RULE == LOCK_TICKET
	end_section();
#endif
	gone[i] = 1;
#if FOREVER
	if
	:: i == 1 -> gone[i] = 0; map[i] = 1; goto again
	:: else
	fi
#endif
}

init
{
	atomic {
		run invalidator(0);
#if INVALIDATORS == 2
		run invalidator(1)
#endif
	}
}
