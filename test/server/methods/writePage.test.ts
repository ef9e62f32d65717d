// Pages that are written as one text: the same as from objects, whatever is in them and wherever they rest.

import { expect, test } from 'vitest'
import { type AddMember, writePage } from '../../../server/methods/v3/texts/writePage.ts'
import { addRows, addValues } from '../../../server/methods/v3/texts/writeRows.ts'

interface Page {
  readonly rows: readonly unknown[]
  readonly cursor: string | null
  readonly left?: string | undefined
  readonly names: Readonly<Record<string, string>>
}

/** So short that every slice is over at once. */
const NO_TIME = { subject: 'me', sliceMs: 0 }

const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ number: i, text: `"quoted" ü € ${i}` }))

const added = (rows: readonly unknown[]): AddMember => {
  return (to) => addValues(rows, (row) => row, to)
}

test.each([0, 1, 2, 100, 5000])('%d rows, values and what is left out, in their order', async (count) => {
  const rows = rowsOf(count)
  const cursor = count === 0 ? null : 'a"b'
  const names = { '0:AB': 'x' }
  const whole = JSON.stringify({ rows, cursor, names })
  for (const caller of [{ subject: 'me' }, NO_TIME]) {
    const page = { rows: added(rows), cursor, left: undefined, names }
    expect((await writePage<Page>(page, caller)).json).toBe(whole)
  }
})

test('several pages that are written at the same time are each their own', async () => {
  const all = [3000, 10, 2000].map(rowsOf)
  const written = await Promise.all(
    all.map((rows) => writePage<Page>({ rows: added(rows), cursor: null, names: {} }, NO_TIME)),
  )
  expect(written.map(({ json }) => json)).toEqual(all.map((rows) => JSON.stringify({ rows, cursor: null, names: {} })))
  expect(written.map(({ text }) => text.length > 1)).toEqual([true, false, true])
})

test('a list of short rows rests as often as its bytes demand', async () => {
  const rested: number[] = []
  const members: AddMember = function* (to) {
    for (const rest of addRows(new Array(10_000).fill('12345678'), (row: string, at) => at.string(row), to)) {
      rested.push(to.at)
      yield rest
    }
  }
  const { json } = await writePage<Pick<Page, 'rows'>>({ rows: members }, { subject: 'me' })
  expect(json.length).toBe('{"rows":[]}'.length + 10_000 * 9 - 1)
  expect(rested.length).toBeGreaterThan(10)
  expect(rested.length).toBeLessThan(100)
})
