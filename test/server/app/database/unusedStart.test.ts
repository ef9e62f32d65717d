// An index that is there already is started again with another first block.

import { expect, test, vi } from 'vitest'
import { warnOfUnusedStart } from '../../../../server/app/database/unusedStart.ts'
import type { IndexFrom } from '../../../../shared/indexFrom.ts'
import { index, openNode, openStore, upToDate } from '../../indexer/indexScene.ts'

test('behavior: a log line says that it begins later than named, and what to do', async () => {
  const { chain, node } = await openNode()
  await chain.control.mine(5)
  const database = await openStore()
  const { utime } = chain.head().master
  const started = async (indexFrom: IndexFrom | null): Promise<unknown> => {
    const warn = vi.fn()
    const indexer = index({ node, database, indexFrom })
    warnOfUnusedStart(indexer, indexFrom, { warn })
    await upToDate(indexer, chain)
    await indexer.close()
    return warn.mock.calls.map(([, text]) => text)
  }
  const words = /^the index begins with block 4 of 2\S+Z: --index-from is for an empty one; start once with /
  const said = (what: string) => [
    expect.stringMatching(new RegExp(`${words.source}${what} to delete it and begin there`)),
  ]
  for (const fine of [{ seqno: 4 }, { seqno: 4 }, { seqno: 5 }, 'now', null, { utime }] as const)
    expect(await started(fine)).toEqual([])
  expect(await started({ seqno: 2 })).toEqual(said('--reindex-from 2'))
  expect(await started({ utime: utime - 86_400 })).toEqual(said('an earlier block in --reindex-from'))
})

test('behavior: nothing is logged of an index that begins with the first block of its chain, which came after the time named', async () => {
  const { chain, node } = await openNode()
  await chain.control.mine(2)
  const database = await openStore()
  const warn = vi.fn()
  const indexFrom = { utime: chain.head().master.utime - 86_400 }
  const indexer = index({ node, database, indexFrom })
  warnOfUnusedStart(indexer, indexFrom, { warn })
  await upToDate(indexer, chain)
  expect(indexer.status().first?.seqno).toBe(1)
  expect(warn).not.toHaveBeenCalled()
})
