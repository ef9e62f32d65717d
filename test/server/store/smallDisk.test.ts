// A disk with too little room for a new embedded database, beside which the chain still has some.

import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { childRoom } from '../../setup/childRooms.ts'
import { startChild, temporaryFolder } from '../../setup/children.ts'

/** Opens a database on a disk that has so many bytes free, and takes so many files, and prints why it does not open. */
const OPEN_SMALL = `
const { default: fs } = await import('node:fs')
const { syncBuiltinESMExports } = await import('node:module')
const [, folder, free, files] = process.argv
const { statfs } = fs.promises
fs.promises.statfs = async (path) => ({ ...(await statfs(path)), bavail: Number(free), bsize: 1 })
const write = fs.writeFileSync
let left = Number(files)
fs.writeFileSync = (...given) => {
  if (left-- > 0) return write(...given)
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}
syncBuiltinESMExports()
const { openDatabase } = await import(${JSON.stringify(childRoom('store'))})
const opening = openDatabase({ database: 'pglite', folder })
console.log(JSON.stringify(await opening.then(() => 'open', ({ code, message }) => [code, message])))
process.exit()`

async function openedWith(folder: string, free: number, files: number): Promise<unknown> {
  const child = startChild(OPEN_SMALL, [folder, String(free), String(files)])
  let text = ''
  child.stdout.on('data', (bytes) => {
    text += bytes
  })
  await once(child, 'close')
  return JSON.parse(text)
}

const filesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('postgres'))

test('nothing is unpacked where the new database could not be written to', async () => {
  const folder = await temporaryFolder()
  const words = expect.stringMatching(/ has 38 MB left on its disk and needs 4\d MB$/)
  expect(await openedWith(folder, 40e6, 10_000)).toEqual(['full', words])
  expect(await filesIn(folder)).toEqual([])
})

test('what was unpacked until the disk was full is removed', async () => {
  const folder = await temporaryFolder()
  expect(await openedWith(folder, 4e9, 300)).toEqual(['full', `No space on the disk for ${folder}`])
  expect(await filesIn(folder)).toEqual([])
})
