// Snapshots that a developer takes of a chain, and what waited then.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { Mempool } from '../../../server/devchain/mempool/index.ts'
import { openChain } from './devchains.ts'

test('error: a chain has a limited number of snapshots, and a revert makes room', async () => {
  const { chain } = await openChain({ mining: 'manual' })
  const { control } = chain
  const first = await control.snapshot()
  for (let count = 1; count < 10_000; count++) await control.snapshot()
  const { id: last } = control.snapshots().at(-1) ?? {}
  await expect(control.snapshot('more')).rejects.toThrow(
    new RangeError(
      'There are 10000 snapshots already: dev.revert to one of them removes it and all later ones; --reset begins again',
    ),
  )
  await control.revert(last ?? '')
  await control.snapshot('more')
  await control.revert(first)
  expect(control.snapshots()).toEqual([])
})

test('behavior: messages that waited at a snapshot wait again in their order, whichever a block has had since', () => {
  const pool = new Mempool()
  const names = ['one', 'two', 'three']
  const account = new Uint8Array(32)
  const externals = names.map(() => ({ message: beginCell().end(), boc: account, workchain: 0, account }))
  for (const [i, external] of externals.entries()) void pool.add(external, names[i] ?? '')
  const before = pool.contents()
  pool.settle(new Map(externals.slice(0, 2).map((external) => [external, { kind: 'included' }])))
  pool.restore(before)
  expect(pool.first(0, 3)).toEqual(externals)
  expect(pool.contents().map(({ hash }) => hash)).toEqual(names)
  // Their senders were answered, before the snapshot.
  pool.refuse({ kind: 'dropped', why: 'no room' })
  expect(pool.first(0, 3)).toEqual(externals)
})
