/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Begin and end of a section against an invalidation, with the store buffers of x86. A few
 * sections run; what is wrong is an access to memory that is gone, or a store to it that is still
 * in the buffer of the reader when it goes.
 *
 * SYNC          one of those below
 * READER_FENCE  0: begin without [B1], [C1], [Q1]; a plain store where they come with a locked or
 * WAITER_FENCE  0: the invalidator without [B2], [C2], [Q2]
 * SWAPPED       the compiler loads the pointer before it stores the word: "asym" without [Y1]
 * MEMBARRIER    where [Y2] is: 0 nowhere, 1 after the unpublishing, 2 before it, 3 after the wait
 * PEEK          "spin": the invalidator looks whether the lock is free but does not take it
 * TRY           "spin": the invalidator takes the lock if it is free, else begins again
 * WITNESS       fails in the good run: a section used the memory, and the wait ended
 */
#define SPIN     1
#define FLAG     2
#define COUNTER  3
#define SEQCOUNT 4
#define ASYM     5

#ifndef READER_FENCE
#define READER_FENCE 1
#endif
#ifndef WAITER_FENCE
#define WAITER_FENCE 1
#endif
#ifndef SWAPPED
#define SWAPPED 0
#endif
#ifndef MEMBARRIER
#define MEMBARRIER 1
#endif
#ifndef PEEK
#define PEEK 0
#endif
#ifndef TRY
#define TRY 0
#endif
#ifndef WITNESS
#define WITNESS 0
#endif
#ifndef SECTIONS
#define SECTIONS 3
#endif

/* Processors. */
#define R 0
#define I 1

/* Cells of memory. */
#define HIDDEN 0 /* the memory is unpublished */
#define WORD   1
#define NEXT   2
#define DATA   3
#define CELLS  4

#include "buffers.inc"

bit gone;  /* the memory */
bit holds; /* a section has the old pointer */
bit used;  /* one had it */

#define DATA_IN(n) (buf[R].fill > n && buf[R].cell[n] == DATA)
#define DATA_PENDING (DATA_IN(0) || DATA_IN(1) || DATA_IN(2) || DATA_IN(3))

/* A locked operation: what was there, and what is there now. */
inline locked(cpu, at, old, new)
{
	atomic { buf[cpu].fill == 0 -> old = memory[at]; memory[at] = new }
}

inline begin_section()
{
#if SYNC == SPIN
	locked(R, NEXT, my, my + 1);
	do
	:: load(R, WORD, w);
	   if
	   :: w == my -> break
	   :: else
	   fi
	od
#elif SYNC == FLAG && READER_FENCE
	locked(R, WORD, w, w | 1)
#elif SYNC == FLAG
	load(R, WORD, w);
	store(R, WORD, w | 1)
#else
	load(R, WORD, w);
	store(R, WORD, w + 1);
#if SYNC != ASYM && READER_FENCE
	fence(R)
#endif
#endif
}

inline end_section()
{
#if SYNC == FLAG
	locked(R, WORD, w, 0)
#else
	load(R, WORD, w);
#if SYNC == COUNTER
	if
	:: w % 16 == 1 -> w = w - 1 + 16 /* the count of finished sections is in the upper half */
	:: else -> w = w - 1
	fi;
#else
	w = w + 1;
#endif
	store(R, WORD, w)
#endif
}

inline get()
{
	atomic {
		load(R, HIDDEN, w);
		has = !w;
		holds = has
	}
}

inline use()
{
	if
	:: has -> assert(!gone); store(R, DATA, 1); used = 1
	:: else
	fi
}

active proctype reader()
{
	byte w, my, n, k;
	bit has;

	do
	:: n < SECTIONS ->
#if SWAPPED
	   get();
	   begin_section();
#else
	   begin_section();
#if SYNC == COUNTER
	   if
	   :: begin_section(); get(); use(); end_section() /* an inner section */
	   :: get()
	   fi;
#else
	   get();
#endif
#endif
	   use();
	   d_step { holds = 0; has = 0 };
	   end_section();
	   n++
	:: else -> break
	od
}

/* Every running thread of the process passes a full barrier, at a moment of its own. */
inline membarrier()
{
	fence(I);
	fence(R);
}

inline wait_for_reader()
{
#if SYNC == SPIN && PEEK
	do
	:: load(I, WORD, s);
	   load(I, NEXT, t);
	   if
	   :: s == t -> break
	   :: else
	   fi
	od
#elif SYNC == SPIN && TRY
	do
	:: load(I, WORD, s);
	   locked(I, NEXT, t, t + (t == s)); /* compare and swap */
	   if
	   :: t == s -> break
	   :: else
	   fi
	od;
	store(I, WORD, s + 1)
#elif SYNC == SPIN
	locked(I, NEXT, s, s + 1);
	do
	:: load(I, WORD, t);
	   if
	   :: t == s -> break
	   :: else
	   fi
	od;
	store(I, WORD, s + 1)
#elif SYNC == FLAG
	load(I, WORD, s);
	if
	:: s & 1 ->
	   locked(I, WORD, s, s | 2);
	   do
	   :: load(I, WORD, s);
	      if
	      :: s != 3 -> break
	      :: else
	      fi
	   od
	:: else
	fi
#else
	load(I, WORD, s);
	if
#if SYNC == COUNTER
	:: s % 16 ->
#else
	:: s % 2 ->
#endif
	   do
	   :: load(I, WORD, t);
	      if
#if SYNC == COUNTER
	      :: t / 16 != s / 16 -> break
#else
	      :: t != s -> break
#endif
	      :: else
	      fi
	   od
	:: else
	fi
#endif
}

active proctype invalidator()
{
	byte s, t, k;

#if SYNC == ASYM && MEMBARRIER == 2
	membarrier();
#endif
	store(I, HIDDEN, 1);
#if SYNC == ASYM && MEMBARRIER == 1
	membarrier();
#elif SYNC != ASYM && SYNC != SPIN && WAITER_FENCE
	fence(I);
#endif
	wait_for_reader();
#if SYNC == ASYM && MEMBARRIER == 3
	membarrier();
#endif
	atomic {
		assert(!holds && !DATA_PENDING);
#if WITNESS
		assert(!used);
#endif
		gone = 1
	}
}
