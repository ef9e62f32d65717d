// A secret that several processes may want at the same time.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../server/process/durableFile.ts'
import { keptSecret } from '../../../server/process/index.ts'
import { exitOf, spoke, startChild, temporaryFolder } from '../../setup/children.ts'

test('who comes at once gets the same secret, and no draft remains', async () => {
  const folder = await temporaryFolder()
  await makeFolder(folder)
  const path = join(folder, 'secret')
  const all = await Promise.all(Array.from({ length: 8 }, () => keptSecret(path)))
  const kept = await keptSecret(path)
  expect(kept).toHaveLength(32)
  expect(all).toEqual(new Array(8).fill(kept))
  expect(await readFile(path, 'latin1')).toBe(`${Buffer.from(kept).toString('hex')}\n`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secret'])
})

const KEEP = `
const { keptSecret } = await import(built + 'process/index.js')
await keptSecret(process.argv[1]).catch(({ code }) => console.log(code))`

const READ = `
const { keptSecret } = await import(built + 'process/index.js')
console.log(Buffer.from(await keptSecret(process.argv[1])).toString('hex'))`

test.runIf(process.platform === 'linux')('a disk that takes nothing is reported, and no draft remains', async () => {
  const folder = await temporaryFolder()
  await makeFolder(folder)
  // No file may have a byte.
  const child = startChild(KEEP, [join(folder, 'secret')], ['sh', '-c', 'ulimit -f 0; exec "$0" "$@"'])
  expect((await spoke(child)).trim()).toBe('EFBIG')
  await exitOf(child)
  expect(await readdir(folder)).toEqual([])
})

test.runIf(process.platform === 'linux')('a secret that is there is read from a disk that takes nothing', async () => {
  const folder = await temporaryFolder()
  await makeFolder(folder)
  const path = join(folder, 'secret')
  const kept = await keptSecret(path)
  const child = startChild(READ, [path], ['sh', '-c', 'ulimit -f 0; exec "$0" "$@"'])
  expect((await spoke(child)).trim()).toBe(Buffer.from(kept).toString('hex'))
  await exitOf(child)
})
