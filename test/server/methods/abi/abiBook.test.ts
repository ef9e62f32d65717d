// Changes of one name at the same time, some of which cannot be kept.

import { expect, test } from 'vitest'
import { AbiBook } from '../../../../server/methods/index.ts'

/** A book whose writes end one by one. */
function openBook(given: Readonly<Record<string, string>>) {
  const writes: (() => void)[] = []
  const fails: ((error: Error) => void)[] = []
  const book = new AbiBook({
    given: { names: given, abis: [] },
    save: () =>
      new Promise((resolve, reject) => {
        writes.push(resolve)
        fails.push(reject)
      }),
  })
  const end = (i: number, isKept: boolean): void => (isKept ? writes[i]?.() : fails[i]?.(new Error('no room')))
  return { book, end }
}

const A = '0:1'

test.each([
  [
    'none of two, in their order',
    {},
    ['x', 'y'],
    [
      [0, false],
      [1, false],
    ],
    undefined,
  ],
  [
    'none of two, the last one first',
    { [A]: 'old' },
    ['x', 'y'],
    [
      [1, false],
      [0, false],
    ],
    'old',
  ],
  [
    'the first',
    {},
    ['x', 'y'],
    [
      [0, true],
      [1, false],
    ],
    'x',
  ],
  [
    'the second',
    {},
    ['x', 'y'],
    [
      [0, false],
      [1, true],
    ],
    'y',
  ],
  [
    'none of two that are equal',
    {},
    ['x', 'x'],
    [
      [0, false],
      [1, false],
    ],
    undefined,
  ],
  [
    'the second of two that are equal',
    {},
    ['x', 'x'],
    [
      [0, false],
      [1, true],
    ],
    'x',
  ],
  [
    'none, where the second removes',
    { [A]: 'old' },
    ['x', null],
    [
      [0, false],
      [1, false],
    ],
    'old',
  ],
] as const)('kept is %s', async (_, given, names, ends, expected) => {
  const { book, end } = openBook(given)
  const all = names.map((name) => book.setName(A, name))
  const settled = Promise.allSettled(all)
  for (const [i, isKept] of ends) {
    end(i, isKept)
    await all[i]?.catch(() => undefined)
  }
  await settled
  expect(book.names.get(A)).toBe(expected)
})
