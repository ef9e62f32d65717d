import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFailure } from '../../../server/cli/start/startFailure.ts'
import { keptSecret } from '../../../server/process/index.ts'

const PLACE = { host: '192.0.2.1', port: 80, data: 'somewhere' }

const failure = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: it failed`), { code }, path === undefined ? {} : { path })

test.each([
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'no space is left in the quota'],
  ['EROFS', 'the disk is read-only'],
  ['EIO', 'the disk has failed'],
])('a disk that takes nothing (%s): a line that names the folder and says why', (code, why) => {
  const line = `${resolve('somewhere')} cannot be written to: ${why}; mend that, or choose another folder with --data`
  expect(startFailure(failure(code), PLACE)).toBe(line)
})

test.each([
  [failure('EACCES', '/data/chain/log'), /^\/data\/chain\/log cannot be read or written by this user/],
  [failure('EACCES'), /^not allowed to listen on port 80/],
  [failure('EADDRINUSE'), /^port 80 is taken/],
  [failure('EADDRNOTAVAIL'), /^192\.0\.2\.1 is no address of this machine/],
  [failure('EMFILE'), /^this process may not open enough files/],
  [new RangeError('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance'), /ulimit -v/],
])('%s has a line with its remedy', (error, line) => {
  expect(startFailure(error, PLACE)).toMatch(line)
})

test('a key file that was emptied: a line that names it and says what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'validator.key')
  await writeFile(path, '')
  const failed = await keptSecret(path).catch((error: unknown) => error)
  expect(startFailure(failed, PLACE)).toBe(
    `${path} does not hold a key: restore it from a backup, or move the folder away`,
  )
})

test('a fault of the program has none', () => {
  expect([startFailure(new TypeError('no'), PLACE), startFailure('thrown', PLACE)]).toEqual([null, null])
})
