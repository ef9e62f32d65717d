// Files of sockets that ended processes left.

import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lightBeacon, removeFile } from '../../../server/process/beacon.ts'

async function ownFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tonrpc-beacon-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.runIf(process.platform !== 'win32')('after one was removed, modules are found where links lead', async () => {
  const folder = await ownFolder()
  await mkdir(join(folder, 'package'))
  await symlink(join(folder, 'package'), join(folder, 'link'))
  for (const name of ['first.cjs', 'second.cjs']) await writeFile(join(folder, 'package', name), '')
  const { resolve } = createRequire(import.meta.url)
  // The first one fills what the loader keeps of paths.
  expect(resolve(join(folder, 'link/first.cjs'))).toBe(join(folder, 'package/first.cjs'))
  const end = await lightBeacon(join(folder, 'lock.sock'))
  await removeFile(join(folder, 'lock.sock'))
  expect(resolve(join(folder, 'link/second.cjs'))).toBe(join(folder, 'package/second.cjs'))
  expect(await readdir(folder)).toEqual(['link', 'package'])
  await end?.()
})

test('none to remove is no failure, and a folder is not removed', async () => {
  const folder = await ownFolder()
  await removeFile(join(folder, 'missing.sock'))
  await expect(removeFile(folder)).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
})
