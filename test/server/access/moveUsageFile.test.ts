// The counts of a file move into another store once.

import { rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFileUsageStore, moveUsageFile } from '../../../server/access/index.ts'
import { wholeMonth as ALL, usageRow as row, spentInMonth as spent } from './someUsage.ts'
import { temporaryFolder } from './temporaryFolder.ts'

test('a move that was cut off before the file had its new name counts once, and later counts of the folder as well', async () => {
  const folder = await temporaryFolder()
  const into = createFileUsageStore(await temporaryFolder())
  expect(await moveUsageFile(folder, into)).toBeNull()
  await createFileUsageStore(folder).add({ writer: 'w1', number: 1, usage: [row], months: [spent] })
  const moved = String(await moveUsageFile(folder, into))
  await rename(`${moved}.imported`, moved)
  expect(await moveUsageFile(folder, into)).toBe(moved)
  expect(await into.read(ALL)).toEqual([row])
  await createFileUsageStore(folder).add({ writer: 'w1', number: 1, usage: [{ ...row, calls: 5 }], months: [spent] })
  await moveUsageFile(folder, into)
  expect((await into.read(ALL)).map(({ calls }) => calls)).toEqual([7])
  expect(await into.months('2026-11', ['k1'])).toEqual(new Map([['k1', 6]]))
})
