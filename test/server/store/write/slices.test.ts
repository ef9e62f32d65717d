// Rows of a batch are encoded in slices: others are served before all of them are.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Sql, sql } from '../../../../server/store/index.ts'
import type { Insertable } from '../../../../server/store/tables/table.ts'
import { insertRows } from '../../../../server/store/write/bulk.ts'

const ROW_MS = 2
const ROWS = Array.from({ length: 20 }, (_, number) => number)

function busy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Each row takes a while; `onRow` is called for each. */
const slowTable = (name: string, onRow: (number: number) => void): Insertable<number> => ({
  name,
  onConflict: sql.empty,
  written: [
    {
      name: 'number',
      sqlType: 'int4',
      encode(number) {
        busy(ROW_MS)
        onRow(number)
        return number
      },
    },
  ],
})

interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

function recorder(): { readonly sent: Sent[]; readonly to: Sql } {
  const sent: Sent[] = []
  return { sent, to: { query: ({ text, values }) => Promise.resolve(sent.push({ text, values })).then(() => []) } }
}

test('other turns come before all rows are encoded', async () => {
  const { sent, to } = recorder()
  let encoded = 0
  let isOver = false
  const seen: number[] = []
  const inserted = insertRows(
    to,
    slowTable('slow', () => encoded++),
    ROWS,
  ).then(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    seen.push(encoded)
  }
  await inserted
  expect(seen.some((count) => count > 0 && count < ROWS.length)).toBe(true)
  expect(encoded).toBe(ROWS.length)
  expect(sent).toHaveLength(1)
})

test('tables are written in their order, one after the other, whatever each takes', async () => {
  const { sent, to } = recorder()
  const order: string[] = []
  const names = ['first', 'second', 'third']
  await Promise.all(
    names.map((name, i) =>
      insertRows(
        to,
        slowTable(name, () => order.push(name)),
        ROWS.slice(0, 8 >> i),
      ),
    ),
  )
  expect(order).toEqual([...Array(8).fill('first'), ...Array(4).fill('second'), ...Array(2).fill('third')])
  expect(sent.map(({ text }) => /into (\w+)/.exec(text)?.[1])).toEqual(names)
})

test('a table that cannot be written fails alone', async () => {
  const { sent, to } = recorder()
  const wrong: Insertable<number> = slowTable('wrong', () => {
    throw new RangeError('no')
  })
  const both = await Promise.allSettled([
    insertRows(to, wrong, [1]),
    insertRows(
      to,
      slowTable('right', () => undefined),
      [1],
    ),
  ])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(sent).toHaveLength(1)
})
