import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startFailure } from '../../../server/cli/start/startFailure.ts'

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
])('%s has a line with its remedy', (error, line) => {
  expect(startFailure(error, PLACE)).toMatch(line)
})

test('a fault of the program has none', () => {
  expect([startFailure(new TypeError('no'), PLACE), startFailure('thrown', PLACE)]).toEqual([null, null])
})
