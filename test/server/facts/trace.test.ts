// Traces out of made-up forests: whatever the order of shards, the batches and the memory, every tree is found whole.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import { type AssembledTraces, assemblingTraces, type TraceStep } from '../../../server/facts/trace/assemble.ts'
import { WorkingSet } from '../../../server/facts/trace/workingSet.ts'
import type { TraceRow, UnfinishedTrace } from '../../../server/store/index.ts'
import { expectedTraces, forest, hashOf, keyOf, type Plant } from './forest.ts'

/** What the tables would hold. */
class Tables {
  readonly traces = new Map<string, TraceRow>()
  readonly edges = new Map<string, { hash: Uint8Array; traceId: string }>()
  readonly accounts = new Map<string, Set<string>>()
  readonly traceOf = new Map<string, string>()
  readonly #external = new Map<string, Uint8Array | null>()
  readonly #members = new Map<string, Set<string>>()

  write({ traceOf, traces, traceAccounts, completedTraces, newEdges, consumedEdges }: AssembledTraces<Plant>): void {
    for (const [{ hash, account }, { traceId, rootExternal }] of traceOf) {
      expect(this.traceOf.has(keyOf(hash)), 'a transaction is taken once').toBe(false)
      this.traceOf.set(keyOf(hash), keyOf(traceId))
      this.#external.set(keyOf(traceId), rootExternal)
      const members = this.#members.get(keyOf(traceId)) ?? new Set()
      this.#members.set(keyOf(traceId), members.add(keyOf(account)))
    }
    for (const trace of traces) this.traces.set(keyOf(trace.traceId), trace)
    for (const hash of consumedEdges) expect(this.edges.delete(keyOf(hash)), 'a consumed edge was written').toBe(true)
    for (const { msgHash, traceId } of newEdges)
      this.edges.set(keyOf(msgHash), { hash: msgHash, traceId: keyOf(traceId) })
    for (const { traceId, account } of traceAccounts) this.#complete(keyOf(traceId), [keyOf(account)])
    for (const traceId of completedTraces)
      this.#complete(keyOf(traceId), [...(this.#members.get(keyOf(traceId)) ?? [])])
  }

  #complete(traceId: string, accounts: readonly string[]): void {
    const known = this.accounts.get(traceId) ?? new Set()
    for (const account of accounts) {
      expect(known.has(account), 'an account stands once in a trace').toBe(false)
      this.accounts.set(traceId, known.add(account))
    }
  }

  unfinished(ids: readonly string[] = [...new Set([...this.edges.values()].map(({ traceId }) => traceId))]) {
    return ids.map((id): UnfinishedTrace => {
      const trace = this.traces.get(id)
      if (trace === undefined) throw new Error('An edge of no trace')
      const pending = [...this.edges.values()].filter(({ traceId }) => traceId === id).map(({ hash }) => hash)
      return { trace, rootExternal: this.#external.get(id) ?? null, pending }
    })
  }

  waitingFor(hashes: readonly Uint8Array[]): UnfinishedTrace[] {
    return this.unfinished([...new Set(hashes.flatMap((hash) => this.edges.get(keyOf(hash))?.traceId ?? []))])
  }
}

interface Way {
  /** By which the transactions of a block are shuffled, and blocks put into batches. */
  readonly shuffle: readonly number[]
  readonly cuts: readonly boolean[]
  /** Messages kept in memory between batches. */
  readonly memory: number
  /** Before which batches the process starts again. */
  readonly restarts: readonly boolean[]
}

const way: fc.Arbitrary<Way> = fc.record({
  shuffle: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  cuts: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
  memory: fc.constantFrom(0, 1, 3, 1000),
  restarts: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
})

function stepsOf(plants: readonly Plant[], shuffle: readonly number[]): TraceStep<Plant>[] {
  const last = Math.max(...plants.map(({ step }) => step))
  return Array.from({ length: last + 1 }, (_, step) => ({
    transactions: plants
      .map((plant, i) => ({ plant, rank: shuffle[i] ?? 0 }))
      .filter(({ plant }) => plant.step === step)
      .sort((a, b) => a.rank - b.rank)
      .map(({ plant }) => plant),
    isMadeByChain: (plant) => plant.isMadeByChain,
  }))
}

function run(plants: readonly Plant[], { shuffle, cuts, memory, restarts }: Way): Tables {
  const tables = new Tables()
  let set = new WorkingSet([], true)
  let batch: TraceStep<Plant>[] = []
  const steps = stepsOf(plants, shuffle)
  steps.forEach((step, i) => {
    batch.push(step)
    if (i < steps.length - 1 && cuts[i % cuts.length] === false) return
    if (restarts[i % restarts.length] === true) set = new WorkingSet(tables.unfinished().slice(0, memory), false)
    set.load(tables.waitingFor(set.unknownTo(batch.flatMap(({ transactions }) => transactions))))
    tables.write(inOnePiece(assemblingTraces(set, batch)))
    set.shrink(memory)
    expect(set.size).toBeLessThanOrEqual(memory)
    batch = []
  })
  return tables
}

describe('traces', () => {
  test('every tree is found whole, whatever the order, the batches, the memory and the restarts', () => {
    fc.assert(
      fc.property(forest, way, (plants, how) => {
        const tables = run(plants, how)
        const expected = expectedTraces(plants)
        for (const { hash, root } of plants) expect(tables.traceOf.get(keyOf(hash))).toBe(keyOf(root.hash))
        expect([...tables.traces.keys()].sort()).toEqual([...expected.keys()].sort())
        for (const [id, { state, nodes, edges, pendingEdges, accounts, span }] of expected) {
          const row = tables.traces.get(id)
          expect(row).toMatchObject({ state, nodes, edges, pendingEdges })
          expect([row?.mcSeqnoStart, row?.mcSeqnoEnd, row?.startLt, row?.endLt]).toEqual(span)
          expect([...(tables.accounts.get(id) ?? [])].sort()).toEqual(state === 'complete' ? accounts : [])
        }
      }),
      { numRuns: 400 },
    )
  })

  test('no message is lost or counted twice, and a trace is complete when none is on its way', () => {
    fc.assert(
      fc.property(forest, way, (plants, how) => {
        const { traces, edges } = run(plants, how)
        const rows = [...traces.values()]
        const sum = (of: (row: TraceRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
        const broken = rows.filter(({ state }) => state === 'broken').length
        const sent = plants.reduce((total, { outMessages }) => total + outMessages.length, 0)
        const fromElsewhere = plants.filter((plant) => plant.root === plant && plant.inMessage !== null).length
        expect(sum(({ nodes }) => nodes)).toBe(plants.length)
        expect(sum((row) => row.edges + row.pendingEdges)).toBe(sent + fromElsewhere)
        expect(sum(({ pendingEdges }) => pendingEdges)).toBe(edges.size + broken)
        for (const { state, pendingEdges } of rows) expect(state === 'complete').toBe(pendingEdges === 0)
      }),
      { numRuns: 200 },
    )
  })

  test('only messages from outside give their hash to the transactions of the trace', () => {
    fc.assert(
      fc.property(forest, (plants) => {
        const set = new WorkingSet([], true)
        const { traceOf } = inOnePiece(assemblingTraces(set, stepsOf(plants, [])))
        for (const [{ root }, { rootExternal }] of traceOf)
          expect(rootExternal).toEqual(root.rootKind === 'external' ? root.inMessage?.hash : null)
      }),
      { numRuns: 50 },
    )
  })

  test('the same message from outside, taken twice, begins two traces', () => {
    const again = { hash: hashOf('again'), kind: 'externalIn', source: null } as const
    const account = Uint8Array.of(128, ...hashOf('wallet'))
    const transaction = (name: string, lt: bigint) => ({
      hash: hashOf(name),
      account,
      lt,
      now: 1,
      mcSeqno: 1,
      inMessage: again,
      outMessages: [],
    })
    const transactions = [transaction('first', 1n), transaction('second', 2n)]
    const { traces } = inOnePiece(
      assemblingTraces(new WorkingSet([], true), [{ transactions, isMadeByChain: () => false }]),
    )
    expect(traces.map(({ state, nodes, edges }) => [state, nodes, edges])).toEqual([
      ['complete', 1, 1],
      ['complete', 1, 1],
    ])
  })

  test('a block whose messages go in a circle ends', () => {
    const a = hashOf('a')
    const b = hashOf('b')
    const transaction = (name: string, from: Uint8Array, to: Uint8Array) => ({
      hash: hashOf(name),
      account: hashOf(name),
      lt: 1n,
      now: 1,
      mcSeqno: 1,
      inMessage: { hash: from, kind: 'internal', source: null } as const,
      outMessages: [{ hash: to, kind: 'internal' } as const],
    })
    const transactions = [transaction('one', a, b), transaction('two', b, a)]
    const step = { transactions, isMadeByChain: () => false }
    expect(inOnePiece(assemblingTraces(new WorkingSet([], true), [step])).traceOf.size).toBe(2)
  })

  test('a block of many transactions is taken in pieces', () => {
    const transactions = Array.from({ length: 1000 }, (_, i) => ({
      hash: hashOf(`of ${i}`),
      account: hashOf(`account ${i}`),
      lt: BigInt(i),
      now: 1,
      mcSeqno: 1,
      inMessage: null,
      outMessages: [],
    }))
    const pieces = assemblingTraces(new WorkingSet([], true), [{ transactions, isMadeByChain: () => false }])
    let count = 0
    let step = pieces.next()
    for (; step.done !== true; step = pieces.next()) count++
    expect(count).toBeGreaterThanOrEqual(10)
    expect(step.value.traces).toHaveLength(1000)
  })
})
