// The counts of a file move into another store once.

import { rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFileUsageStore, moveUsageFile } from '../../../server/access/index.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const ALL = { from: '2026-11-01', to: '2026-11-30', keyId: null }
const row = {
  day: '2026-11-21',
  keyId: 'k1',
  method: 'v3.blocks',
  calls: 2,
  weight: 3,
  errors: 1,
  limited: 0,
  bytes: 90,
}
const spent = { month: '2026-11', keyId: 'k1', weight: 3 }

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
