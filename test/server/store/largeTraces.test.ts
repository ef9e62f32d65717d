// The transactions of traces of thousands, which are read in several statements and put in order here.

import { expect, test } from 'vitest'
import {
  readTransactionsOfTraces,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatementOptions,
  writeMasterBlocks,
} from '../../../server/store/index.ts'
import { filledRows } from '../../setup/filler.ts'
import { openMemoryStore } from '../../setup/memoryStore.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

test('are in the order they happened, and others have their turns while they are sorted', async () => {
  const store = await openMemoryStore()
  try {
    const traces = new Map<string, { readonly traceId: Uint8Array; readonly nodes: number }>()
    for (const rows of filledRows({ transactions: 2600, accounts: 25, atOnce: 400 })) {
      await store.transaction((to) => writeMasterBlocks(to, rows))
      for (const trace of rows.traces) traces.set(trace.traceId.toString(), trace)
    }
    const { found, turns } = await turnsOf((anew) => {
      const read: Sql = {
        async query<R extends SqlRow>(statement: SqlText, options?: StatementOptions) {
          const rows = await store.read.query<R>(statement, options)
          anew()
          return rows
        },
      }
      return readTransactionsOfTraces(read, [...traces.values()])
    })
    expect(found.length).toBeGreaterThan(2000)
    const times = found.map(({ lt }) => lt)
    expect(times.every((lt, i) => i === 0 || lt >= (times[i - 1] ?? 0n))).toBe(true)
    expect(turns).toBeGreaterThanOrEqual(found.length)
  } finally {
    await store.close()
  }
})
