#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Decides the C11 litmus tests of this directory under RC11, without herd7.

	rc11.py [--c20] FILE...

prints for each file its name, Never or Sometimes (the exists clause), and yes or no (a data
race). --c20: a release sequence is continued by read-modify-writes only, as since C++20, and no
longer by later stores of the same thread.

The model is that of Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in
C/C++11 (PLDI 2017). It understands as much C as the tests use. Since po and rf have no cycle, a
read only ever needs to read from what is there already: executions grow one read at a time.
"""
import itertools
import multiprocessing
import operator
import re
import sys

C20 = '--c20' in sys.argv


# ---- The language. A program is a list of operations; an operation is a tuple.

ORDERS = {'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'}
CALL = re.compile(r'(?:(\w+) = )?atomic_(load|store|exchange|fetch_[a-z]+|thread_fence)(?:_explicit)?'
                  r'\((.*)memory_order_(\w+)\);$')

MODIFY = {
    'exchange': lambda old, new: new,
    'fetch_add': operator.add,
    'fetch_sub': operator.sub,
    'fetch_or': operator.or_,
    'fetch_and': operator.and_,
}


class Unknown(Exception):
    pass


def expression(text):
    if not re.fullmatch(r'[\w\s()&+<>=!-]+', text):
        raise Unknown(text)
    return compile(text.strip(), '<litmus>', 'eval')


def parse_statement(line):
    call = CALL.match(line)
    if call:
        reg, what, args, order = call.groups()
        args = [a.strip() for a in args.split(',')][:-1]
        if order not in ORDERS:
            raise Unknown(line)
        if what == 'thread_fence':
            return ('fence', order)
        if what == 'load':
            return ('load', reg, args[0], order)
        value = expression(args[1])
        if what == 'store':
            return ('store', args[0], value, order)
        if what not in MODIFY:
            raise Unknown(line)
        return ('rmw', reg, args[0], what, value, order)
    plain = re.match(r'(\w+) = \*(\w+);$', line)
    if plain:
        return ('load', plain.group(1), plain.group(2), 'plain')
    plain = re.match(r'\*(\w+) = (.*);$', line)
    if plain:
        return ('store', plain.group(1), expression(plain.group(2)), 'plain')
    raise Unknown(line)


def parse_block(lines):
    """The operations up to the closing brace; an if is (if, condition, operations)."""
    ops = []
    for line in lines:
        if line == '}':
            return ops
        branch = re.match(r'if \((.*)\) \{$', line)
        if branch:
            ops.append(('if', expression(branch.group(1)), parse_block(lines)))
        elif not re.match(r'int \w+;$', line):
            ops.append(parse_statement(line))
    raise Unknown('no closing brace')


class Test:
    def __init__(self, text):
        text = re.sub(r'\(\*.*?\*\)', '', text, flags=re.S)
        init = re.search(r'\{([^{}]*)\}', text)
        self.init = {k: int(v) for k, v in re.findall(r'(\w+)=(\d+);', init.group(1))}
        body, condition = text[init.end():].split('exists', 1)
        lines = iter([s.strip() for s in body.split('\n') if s.strip()])
        self.threads = []
        for line in lines:
            if re.match(r'P\d+\(', line):
                if next(lines) != '{':
                    raise Unknown(line)
                self.threads.append(parse_block(lines))
        self.observed = set(re.findall(r'(?<![\w:])([a-z]\w*)=', condition))
        condition = re.sub(r'(\d+:)?([a-z]\w*)=(\d+)', r"s.get('\1\2', 0) == \3", condition)
        for old, new in (('/\\', ' and '), ('\\/', ' or '), ('~', ' not ')):
            condition = condition.replace(old, new)
        self.condition = compile(' '.join(condition.split()), '<exists>', 'eval')

    def holds(self, state):
        return eval(self.condition, {'s': state})


# ---- Executions.

class Event:
    def __init__(self, name, kind, loc, order, value=None):
        self.name, self.kind, self.loc, self.order, self.value = name, kind, loc, order, value
        self.rf = None      # of a read: the name of its write
        self.rmw = None     # of the write of a read-modify-write: the name of its read


def run_thread(tid, ops, sources, value_of):
    """Runs until a read has no source; returns events, registers, that read's op or None."""
    events, regs, left, blocked = [], {}, list(sources), []

    def add(kind, loc, order, value=None):
        events.append(Event((tid, len(events)), kind, loc, order, value))
        return events[-1]

    def step(op):
        if op[0] == 'fence':
            add('F', None, op[1])
        elif op[0] == 'store':
            add('W', op[1], op[3], eval(op[2], {}, regs))
        elif op[0] == 'if':
            if eval(op[1], {}, regs):
                return all(step(o) for o in op[2])
        else:
            loc = op[2]
            if not left:
                blocked.append(op)
                return False
            read = add('R', loc, op[-1], value_of(left[0]))
            read.rf = left.pop(0)
            regs[op[1]] = read.value
            if op[0] == 'rmw':
                operand = eval(op[4], {}, regs)
                add('W', loc, op[5], MODIFY[op[3]](read.value, operand)).rmw = read.name
        return True

    all(step(op) for op in ops)
    return events, regs, blocked[0] if blocked else None


def candidates(threads, tid, op):
    """What the next read of a thread may read; leaves out some of what is never consistent."""
    loc = op[2]
    events = [e for t in threads for e in t[0] if e.loc == loc]
    writes = [e.name for e in events if e.kind == 'W']
    own = [w for w in writes if w[0] == tid]
    # Its own older writes are hidden by its last one.
    result = own[-1:] or [(-1, loc)]
    result += [w for w in writes if w[0] != tid]
    if op[0] == 'rmw':
        rmws = [e.rmw for e in events if e.rmw is not None]
        result = [w for w in result if w not in [e.rf for e in events if e.name in rmws]]
    return result


def executions(test):
    """Every choice of rf, as (events, registers)."""
    def replay(choice):
        values = {}
        threads = [None] * len(choice)
        # A source may belong to a thread that is not replayed yet.
        todo = set(range(len(choice)))
        known = lambda w: test.init.get(w[1], 0) if w[0] == -1 else values[w]
        done_reads = [0] * len(choice)
        while todo:
            before = len(values), sum(done_reads), len(todo)
            for t in sorted(todo):
                n = 0
                while n < len(choice[t]) and (choice[t][n][0] == -1 or choice[t][n] in values):
                    n += 1
                threads[t] = run_thread(t, test.threads[t], choice[t][:n], known)
                values.update((e.name, e.value) for e in threads[t][0] if e.kind == 'W')
                done_reads[t] = n
                if n == len(choice[t]):
                    todo.discard(t)
            if (len(values), sum(done_reads), len(todo)) == before:
                raise Unknown('circular choice')
        return threads

    start = tuple(() for _ in test.threads)
    stack, seen = [start], {start}
    while stack:
        choice = stack.pop()
        threads = replay(choice)
        if all(blocked is None for _, _, blocked in threads):
            yield ([e for t in threads for e in t[0]],
                   {'%d:%s' % (i, r): v for i, t in enumerate(threads) for r, v in t[1].items()})
            continue
        for tid, (_, _, op) in enumerate(threads):
            for w in candidates(threads, tid, op) if op else ():
                new = choice[:tid] + (choice[tid] + (w,),) + choice[tid + 1:]
                if new not in seen:
                    seen.add(new)
                    stack.append(new)


# ---- Relations: a list with a bit set of successors for each event.

def bits(x):
    while x:
        low = x & -x
        yield low.bit_length() - 1
        x ^= low


def seq(*relations):
    result = relations[0]
    for b in relations[1:]:
        result = [union(b[j] for j in bits(row)) for row in result]
    return result


def union(sets):
    result = 0
    for s in sets:
        result |= s
    return result


def join(*relations):
    return [union(rows) for rows in zip(*relations)]


def closure(a):
    a = list(a)
    for k in range(len(a)):
        bit, row = 1 << k, a[k]
        for i in range(len(a)):
            if a[i] & bit:
                a[i] |= row
    return a


def irreflexive(a):
    return not any(row >> i & 1 for i, row in enumerate(a))


class Graph:
    """The part of an execution that does not depend on mo."""

    def __init__(self, test, events):
        locs = sorted({e.loc for e in events if e.loc} | set(test.init))
        self.events = [Event((-1, loc), 'W', loc, 'plain', test.init.get(loc, 0))
                       for loc in locs] + events
        ev, self.n = self.events, len(self.events)
        n = self.n
        index = self.index = {e.name: i for i, e in enumerate(ev)}
        self.ident = [1 << i for i in range(n)]

        def only(test_event):
            return [1 << i if test_event(e) else 0 for i, e in enumerate(ev)]

        self.sb = [0] * n
        self.loc = [0] * n
        for i, a in enumerate(ev):
            for j, b in enumerate(ev):
                if (a.name[0] == b.name[0] and i < j and a.name[0] >= 0) or \
                   (a.name[0] == -1 and b.name[0] >= 0):
                    self.sb[i] |= 1 << j
                if a.loc and a.loc == b.loc:
                    self.loc[i] |= 1 << j
        self.rf = [0] * n
        self.rmw = [0] * n
        for i, e in enumerate(ev):
            if e.rf is not None:
                self.rf[index[e.rf]] |= 1 << i
            if e.rmw is not None:
                self.rmw[index[e.rmw]] |= 1 << i

        atomic = lambda e: e.order not in ('plain', None)
        release = lambda e: e.kind != 'R' and e.order in ('release', 'acq_rel', 'seq_cst')
        acquire = lambda e: e.kind != 'W' and e.order in ('acquire', 'acq_rel', 'seq_cst')
        fence = only(lambda e: e.kind == 'F')
        write = only(lambda e: e.kind == 'W')
        sb_loc = [s & l for s, l in zip(self.sb, self.loc)]
        head = write if C20 else seq(write, join(self.ident, sb_loc))
        # (rf; rmw)* and the write it starts from, which must be atomic.
        chain = join(self.ident, closure(seq(self.rf, self.rmw)))
        rs = seq(head, only(lambda e: e.kind == 'W' and atomic(e)), chain)
        sw = seq(only(release), join(self.ident, seq(fence, self.sb)), rs, self.rf,
                 only(lambda e: e.kind == 'R' and atomic(e)),
                 join(self.ident, seq(self.sb, fence)), only(acquire))
        self.hb = closure(join(self.sb, sw))
        self.sc = only(lambda e: e.order == 'seq_cst' and e.kind != 'F')
        self.sc_fence = only(lambda e: e.order == 'seq_cst' and e.kind == 'F')

    def races(self):
        for i, a in enumerate(self.events):
            for j in bits(self.loc[i] & ~self.hb[i]):
                b = self.events[j]
                if a.name[0] < b.name[0] and 'plain' in (a.order, b.order) and \
                   'W' in (a.kind, b.kind) and not self.hb[j] >> i & 1:
                    return True
        return False

    def orders(self):
        """Every mo that agrees with hb, as a list of writes for each location."""
        per_loc = []
        for loc in sorted({e.loc for e in self.events if e.loc}):
            ws = [i for i, e in enumerate(self.events) if e.kind == 'W' and e.loc == loc]
            per_loc.append([p for p in self.extensions(ws[1:], (ws[0],))])
        return itertools.product(*per_loc)

    def extensions(self, left, done):
        if not left:
            yield done
        for w in left:
            if any(self.hb[o] >> w & 1 for o in left if o != w):
                continue
            e = self.events[w]
            # Atomicity: nothing between a read-modify-write and what it read.
            if e.rmw is not None and \
               self.index[self.events[self.index[e.rmw]].rf] != done[-1]:
                continue
            yield from self.extensions([o for o in left if o != w], done + (w,))

    def consistent(self, order):
        n, hb = self.n, self.hb
        mo = [0] * n
        for ws in order:
            for a, b in itertools.combinations(ws, 2):
                mo[a] |= 1 << b
        back = [0] * n
        for w in range(n):
            for r in bits(self.rf[w]):
                back[r] |= 1 << w
        rb = [row & ~(1 << i) for i, row in enumerate(seq(back, mo))]
        eco = closure(join(self.rf, mo, rb))
        if not irreflexive(hb) or not irreflexive(seq(hb, eco)):
            return False
        sb_other = [s & ~l for s, l in zip(self.sb, self.loc)]
        hb_loc = [h & l for h, l in zip(hb, self.loc)]
        scb = join(self.sb, seq(sb_other, hb, sb_other), hb_loc, mo, rb)
        hb_opt = join(self.ident, hb)
        left = join(self.sc, seq(self.sc_fence, hb_opt))
        right = join(self.sc, seq(hb_opt, self.sc_fence))
        psc = join(seq(left, scb, right),
                   seq(self.sc_fence, join(hb, seq(hb, eco, hb)), self.sc_fence))
        return irreflexive(closure(psc))


def decide(path):
    """What is observed, and whether something races."""
    with open(path, encoding='ascii') as f:
        test = Test(f.read())
    observed = raced = False
    for events, regs in executions(test):
        if observed and raced:
            break
        graph = Graph(test, events)
        race = not raced and graph.races()
        for order in graph.orders():
            state = dict(regs)
            for ws in order:
                last = graph.events[ws[-1]]
                state[last.loc] = last.value
            bad = not observed and test.holds(state)
            if (race or bad) and graph.consistent(order):
                observed, raced = observed or bad, raced or race
                race = False
    return 'Sometimes' if observed else 'Never', 'yes' if raced else 'no'


def main():
    paths = [a for a in sys.argv[1:] if a != '--c20']
    with multiprocessing.Pool() as pool:
        for path, verdict in zip(paths, pool.imap(decide, paths)):
            print(path, *verdict, sep='\t', flush=True)


if __name__ == '__main__':
    main()
