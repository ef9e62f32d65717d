// Files replaced in one step, by the service itself and by its administrator.

import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile } from '../../../server/process/index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonrpc-file-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

test('behavior: a file is private, and no draft remains', async () => {
  const path = join(folder, 'new', 'keys.json')
  await replaceFile(path, 'old')
  await replaceFile(path, 'new')
  expect(await readFile(path, 'utf8')).toBe('new')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(folder, 'new'))).toEqual(['keys.json'])
})

// Only root may give files away.
test.runIf(process.getuid?.() === 0)('behavior: what root writes belongs to the owner of the folder', async () => {
  const own = join(folder, 'service')
  await mkdir(own)
  await chown(own, 12_345, 54_321)
  await replaceFile(join(own, 'keys.json'), '{}')
  expect(await stat(join(own, 'keys.json'))).toMatchObject({ uid: 12_345, gid: 54_321 })
})
