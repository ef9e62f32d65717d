// Writers of the file of keys, of one process and of several.

import { mkdir, readdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../../../server/access/fileLock.ts'
import { exitOf, spoke, startChild } from '../../setup/children.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const HOLD = `
const { withFileLock } = await import(built + 'access/fileLock.js')
await withFileLock(process.argv[1], () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)) })`

async function lockPath(): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(folder)
  return join(folder, 'a.lock')
}

test('default: one after the other, in their order, and nothing is left', async () => {
  const path = await lockPath()
  const order: number[] = []
  let inside = 0
  const one = (number: number) =>
    withFileLock(path, async () => {
      expect(++inside).toBe(1)
      expect(await readdir(dirname(path))).toContain('a.lock.1')
      order.push(number)
      inside--
    })
  await Promise.all([one(1), one(2), one(3), one(4)])
  expect(order).toEqual([1, 2, 3, 4])
  expect(await readdir(dirname(path))).toEqual([])
})

test('behavior: a failure inside gives the lock back and comes out', async () => {
  const path = await lockPath()
  await expect(withFileLock(path, () => Promise.reject(new Error('inside')))).rejects.toThrow('inside')
  expect(await withFileLock(path, async () => 'again')).toBe('again')
})

test('error: a living holder is not robbed, however old its lock is; a killed one is followed', async () => {
  const path = await lockPath()
  const holder = startChild(HOLD, [path])
  await spoke(holder)
  await utimes(`${path}.1`, 0, 0)
  await expect(withFileLock(path, async () => 0, 100)).rejects.toMatchObject({
    reason: 'busy',
    message: expect.stringMatching(new RegExp(`^Process ${holder.pid} on .* remove the file .*a\\.lock\\.1$`)),
  })
  holder.kill('SIGKILL')
  await exitOf(holder)
  expect(await withFileLock(path, async () => 'mine')).toBe('mine')
  expect(await readdir(dirname(path))).toEqual([])
})
