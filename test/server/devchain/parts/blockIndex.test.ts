// The list of blocks: the same answers as a plain list gives, however it grew and shrank, and in a copy of its records.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../../../server/cell/index.ts'
import { BlockIndex } from '../../../../server/devchain/history/index.ts'
import type { JournalBlock } from '../../../../server/devchain/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../../../../server/devchain/index.ts'
import { FULL_SHARD } from '../../../../server/tlb/index.ts'

interface Step {
  readonly master: JournalBlock
  readonly shard: JournalBlock | null
  readonly clockOffset: number
  readonly at: { readonly segment: number; readonly offset: number }
}

const hashOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(sha256(Buffer.from(text)), 'latin1'))

function blockOf(workchain: number, seqno: number, { lt, branch, isKey }: Draft & { lt: bigint }): JournalBlock {
  const name = `${workchain} ${seqno} ${branch}`
  return {
    id: { workchain, shard: FULL_SHARD, seqno, rootHash: hashOf(name), fileHash: hashOf(`${name} file`) },
    startLt: lt,
    endLt: lt + 9n,
    utime: Number(lt % 4_000_000_000n),
    isKey,
    transactions: seqno * 3,
  }
}

interface Draft {
  readonly hasShard: boolean
  readonly isKey: boolean
  readonly branch: number
  /** Of the logical time since the block before. */
  readonly gap: number
}

function grown(steps: readonly Step[], draft: Draft): Step {
  const last = steps.at(-1)
  const shards = steps.filter(({ shard }) => shard !== null)
  // Times beyond 32 bits, in both halves.
  const lt = (last?.master.endLt ?? 2n ** 32n - 40n) + BigInt(draft.gap)
  const seqno = steps.length + 1
  return {
    master: blockOf(MASTERCHAIN, seqno, { ...draft, lt }),
    shard: draft.hasShard ? blockOf(BASECHAIN, shards.length + 1, { ...draft, lt }) : null,
    clockOffset: draft.gap - 3.5,
    at: { segment: 1 + (seqno >> 2), offset: 2 ** 33 + 8 * (seqno % 4) + 2 * draft.branch },
  }
}

function expectSame(index: BlockIndex, steps: readonly Step[]): void {
  expect(index.length).toBe(steps.length)
  for (const workchain of [MASTERCHAIN, BASECHAIN]) {
    const blocks = steps.flatMap(({ master, shard }) => (workchain === MASTERCHAIN ? master : (shard ?? [])))
    expect(index.newest(workchain)).toEqual(blocks.at(-1))
    expect(index.bySeqno(workchain, 0)).toBeUndefined()
    expect(index.bySeqno(workchain, blocks.length + 1)).toBeUndefined()
    for (const facts of blocks) {
      expect(index.bySeqno(workchain, facts.id.seqno)).toEqual(facts)
      expect(index.byId(facts.id)).toEqual(facts)
      expect(index.byId({ ...facts.id, rootHash: facts.id.fileHash })).toBeUndefined()
      const made = steps.findIndex(({ master, shard }) => master === facts || shard === facts) + 1
      expect(index.stepOf(facts)).toBe(made)
      expect(index.stepOf({ ...facts, id: { ...facts.id, rootHash: facts.id.fileHash } })).toBeUndefined()
    }
    const times = blocks.flatMap(({ startLt, endLt }) => [startLt - 1n, startLt, endLt, endLt + 1n])
    for (const lt of [0n, -1n, 2n ** 64n, 2n ** 90n, ...times]) {
      expect(index.byLt(workchain, lt)).toEqual(blocks.find(({ endLt }) => endLt >= lt))
      const utime = Number(BigInt.asUintN(40, lt))
      expect(index.byUtime(workchain, utime)).toEqual(blocks.find((one) => one.utime >= utime))
    }
  }
  for (const [i, step] of steps.entries()) {
    expect(index.step(i + 1)).toEqual(step)
    expect(index.stepAt(step.at)).toEqual(step)
    expect(index.stepAt({ ...step.at, offset: step.at.offset + 1 })).toBeUndefined()
    expect(index.stepAt({ ...step.at, offset: 0 })).toBeUndefined()
    expect(index.shardAfter(i + 1)).toEqual(
      steps.slice(0, i + 1).findLast(({ shard }) => shard !== null)?.shard ?? undefined,
    )
    expect(index.masterHash(i + 1)).toEqual(step.master.id.rootHash)
    expect(index.keyAfter(i)).toBe(steps.findIndex(({ master }, at) => at >= i && master.isKey) + 1 || undefined)
  }
  for (const seqno of [0, -1, 1.5, steps.length + 1, Number.NaN]) expect(index.step(seqno)).toBeUndefined()
  expect(index.bySeqno(7, 1)).toBeUndefined()
  expect(index.byLt(7, 1n)).toBeUndefined()
}

function copyOf(index: BlockIndex): BlockIndex {
  const copy = new BlockIndex()
  while (copy.length < index.length) copy.addRecords(Buffer.from(index.recordsAfter(copy.length).records))
  return copy
}

const draft = fc.record({
  hasShard: fc.boolean(),
  isKey: fc.boolean(),
  branch: fc.nat(3),
  gap: fc.oneof(fc.nat(50), fc.nat(2 ** 33)),
})

test('behavior: blocks are found by all their names, in the list and in its copy', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ cut: fc.option(fc.nat(30)), drafts: fc.array(draft, { maxLength: 8 }) }), { maxLength: 6 }),
      (changes) => {
        const index = new BlockIndex()
        let steps: Step[] = []
        for (const { cut, drafts } of changes) {
          if (cut !== null) {
            steps = steps.slice(0, cut)
            index.truncate(cut)
          }
          for (const one of drafts) {
            const step = grown(steps, one)
            steps.push(step)
            index.add(step)
          }
          expectSame(index, steps)
        }
        expectSame(copyOf(index), steps)
      },
    ),
    { numRuns: 60 },
  )
})

test('behavior: a long list, over several pieces of memory', () => {
  const index = new BlockIndex()
  const steps: Step[] = []
  const add = (branch: number): void => {
    const step = grown(steps, { hasShard: steps.length % 5 !== 0, isKey: steps.length % 700 === 0, branch, gap: 11 })
    steps.push(step)
    index.add(step)
  }
  while (steps.length < 2500) add(0)
  steps.length = 1024
  index.truncate(1024)
  while (steps.length < 2060) add(1)
  const copy = copyOf(index)
  for (const one of [index, copy]) {
    expect(one.length).toBe(2060)
    for (const seqno of [1, 700, 701, 1023, 1024, 1025, 2047, 2048, 2049, 2060])
      expect(one.step(seqno)).toEqual(steps[seqno - 1])
    const shards = steps.flatMap(({ shard }) => shard ?? [])
    for (const at of [0, 818, 819, 820, shards.length - 1]) {
      expect(one.bySeqno(BASECHAIN, at + 1)).toEqual(shards[at])
      expect(one.byLt(BASECHAIN, shards[at]?.startLt ?? 0n)).toEqual(shards[at])
    }
    expect(one.keyAfter(1000)).toBe(1401)
  }
})

test('behavior: what was found stays what it was when the chain goes another way', () => {
  const index = new BlockIndex()
  const steps: Step[] = []
  for (let i = 0; i < 3; i++) {
    const step = grown(steps, { hasShard: true, isKey: false, branch: 0, gap: 1 })
    steps.push(step)
    index.add(step)
  }
  const last = steps.pop()
  const found = index.entryByLt(BASECHAIN, last?.shard?.startLt ?? 0n)
  index.truncate(2)
  index.add(grown(steps, { hasShard: true, isKey: true, branch: 1, gap: 5 }))
  expect(found?.facts).toEqual(last?.shard)
})
