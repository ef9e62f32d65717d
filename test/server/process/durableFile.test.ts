// Files replaced in one step, by the service itself and by its administrator.

import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, removeOldDrafts, replaceFile } from '../../../server/process/index.ts'

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

test('error: no draft remains of a file that could not be replaced', async () => {
  await mkdir(join(folder, 'keys.json'))
  await expect(replaceFile(join(folder, 'keys.json'), 'new')).rejects.toMatchObject({ syscall: 'rename' })
  expect(await readdir(folder)).toEqual(['keys.json'])
})

test('behavior: drafts of writers that were killed are removed once they are old, and nothing else', async () => {
  const others = ['a.json', 'a.json5.1-00.tmp', 'b.json.1-00.tmp']
  for (const name of [...others, 'a.json.1-00.tmp', 'a.json.2-00.tmp']) await writeFile(join(folder, name), '')
  for (const name of [...others, 'a.json.1-00.tmp']) await utimes(join(folder, name), 1, 1)
  await removeOldDrafts(join(folder, 'a.json'))
  expect((await readdir(folder)).sort()).toEqual([...others, 'a.json.2-00.tmp'].sort())
  await removeOldDrafts(join(folder, 'none', 'a.json'))
})

test('folders are made with those above them, by two at once as well, and nothing is made over a file', async () => {
  const path = join(folder, 'a', 'b', 'c')
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(folder, 'a', 'b', 'd'))])
  expect((await readdir(join(folder, 'a', 'b'))).sort()).toEqual(['c', 'd'])
  expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700)
  await makeFolder(path)
  await replaceFile(join(path, 'file'), '')
  await expect(makeFolder(join(path, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(path, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await symlink(join(folder, 'away'), join(folder, 'link'))
  await expect(makeFolder(join(folder, 'link', 'below'))).rejects.toMatchObject({ code: 'EEXIST' })
})

// Where the system says of a new name in a folder that is there that it is missing.
test.runIf(existsSync('/proc/self'))('where no folder can be made it is said, and not tried for ever', async () => {
  await expect(makeFolder('/proc/tonrpc/a')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/tonrpc' })
})

// Only root may give files away.
test.runIf(process.getuid?.() === 0)('behavior: what root writes belongs to the owner of the folder', async () => {
  const own = join(folder, 'service')
  await mkdir(own)
  await chown(own, 12_345, 54_321)
  await replaceFile(join(own, 'keys.json'), '{}')
  expect(await stat(join(own, 'keys.json'))).toMatchObject({ uid: 12_345, gid: 54_321 })
})
