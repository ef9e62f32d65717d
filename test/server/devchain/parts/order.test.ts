import { describe, expect, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import {
  type CreatedMessage,
  compareMessages,
  MessageHeap,
} from '../../../../server/devchain/collate/messages/index.ts'
import { alignLt } from '../../../../server/devchain/collate/plan.ts'
import { isProcessed, LAST_HASH, readMarks, withMark, writeMarks } from '../../../../server/devchain/state/index.ts'
import { gramsOnly, type InternalInfo } from '../../../../server/tlb/index.ts'
import { random } from '../traffic.ts'
import { account, address } from '../wallets.ts'

const message = beginCell().end()
const info: InternalInfo = {
  kind: 'internal',
  ihrDisabled: true,
  bounce: false,
  bounced: false,
  src: address(account(1)),
  dest: address(account(2)),
  value: gramsOnly(1n),
  extraFlags: 0n,
  fwdFee: 0n,
  createdLt: 0n,
  createdAt: 0,
}
const created = (lt: bigint, hash: string): CreatedMessage => ({ lt, hash, message, info, transaction: message })

describe('the order of messages', () => {
  test('behavior: of two created at the same logical time the one with the smaller hash comes first', () => {
    const small = created(7n, '\u0001')
    const large = created(7n, '\u00ff')
    expect([compareMessages(small, large), compareMessages(large, small), compareMessages(small, small)]).toEqual([
      -1, 1, 0,
    ])
    expect(compareMessages(created(6n, '\u00ff'), small)).toBe(-1)
  })

  test('behavior: by logical time, then by hash, however they come', () => {
    const next = random(5)
    const heap = new MessageHeap()
    const all = Array.from({ length: 500 }, () =>
      created(BigInt(Math.floor(next() * 40)), String.fromCharCode(Math.floor(next() * 256))),
    )
    for (const entry of all) heap.push(entry)
    const sorted: CreatedMessage[] = []
    for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) sorted.push(entry)
    expect(sorted.map(({ lt, hash }) => [lt, hash])).toEqual(
      all.sort(compareMessages).map(({ lt, hash }) => [lt, hash]),
    )
    expect(heap.size).toBe(0)
  })

  test('behavior: blocks start at the next million', () => {
    expect([0n, 1n, 999_999n, 1_000_000n, 1_000_001n].map(alignLt)).toEqual([
      1_000_000n,
      1_000_000n,
      1_000_000n,
      1_000_000n,
      2_000_000n,
    ])
  })
})

describe('marks of what was processed', () => {
  const low = '\x01'.repeat(32)
  const high = '\xf0'.repeat(32)

  test('behavior: a mark covers everything up to its time and hash', () => {
    const marks = [{ mcSeqno: 5, lt: 10n, hash: low }]
    expect(isProcessed(marks, 9n, high)).toBe(true)
    expect(isProcessed(marks, 10n, low)).toBe(true)
    expect(isProcessed(marks, 10n, high)).toBe(false)
    expect(isProcessed([], 0n, low)).toBe(false)
  })

  test('behavior: a later mark that says as much replaces the earlier ones', () => {
    const first = withMark([], { mcSeqno: 1, lt: 10n, hash: low })
    expect(withMark(first, { mcSeqno: 2, lt: 9n, hash: LAST_HASH }).length).toBe(2)
    expect(withMark(first, { mcSeqno: 2, lt: 10n, hash: low })).toEqual([{ mcSeqno: 2, lt: 10n, hash: low }])
  })

  test('behavior: written and read again they are the same', () => {
    const marks = [
      { mcSeqno: 1, lt: 10n, hash: high },
      { mcSeqno: 2, lt: 9n, hash: LAST_HASH },
    ]
    expect(readMarks(writeMarks(marks))).toEqual(marks)
  })
})
