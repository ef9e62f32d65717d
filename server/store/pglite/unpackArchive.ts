// A folder as a tar archive, the form in which PGlite takes a database into memory.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const BLOCK = 512
const FOLDER = '5'
const MODE = 0o600

/** Everything in a folder. */
export function archiveFolder(folder: string): Buffer {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
  const parts = paths.flatMap((path) => {
    const isFolder = statSync(join(folder, path)).isDirectory()
    const content = isFolder ? Buffer.alloc(0) : readFileSync(join(folder, path))
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
    return [head(path.split(sep).join('/'), content.length, isFolder), content, padding]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

function head(path: string, size: number, isFolder: boolean): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  if (Buffer.byteLength(path) > 100) throw new RangeError(`The path is too long for a plain archive: ${path}`)
  block.write(path, 0, 'utf8')
  octal(isFolder ? 0o700 : MODE, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  // A fixed time: the same bytes whenever it is made.
  octal(1, 136, 12)
  block.write('        ', 148, 'latin1')
  block.write(isFolder ? FOLDER : '0', 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return block
}

/** Written at once: each file takes a few system calls that wait. */
const FILES_AT_ONCE = 16

/** Makes the folder of an archive that `archiveFolder` made. */
export async function unpackArchive(archive: Uint8Array, folder: string): Promise<void> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const writes: Promise<void>[] = []
  for (let at = 0; bytes[at] !== 0; ) {
    const path = join(folder, textAt(bytes, at, 100))
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8)
    const isFolder = textAt(bytes, at + 156, 1) === FOLDER
    at += BLOCK
    if (isFolder) await mkdir(path, { mode: 0o700 })
    else writes.push(writeFile(path, bytes.subarray(at, at + size), { mode: MODE }))
    at += Math.ceil(size / BLOCK) * BLOCK
    if (writes.length >= FILES_AT_ONCE) await Promise.all(writes.splice(0))
  }
  await Promise.all(writes)
}

const textAt = (bytes: Buffer, at: number, width: number): string =>
  bytes.toString('utf8', at, at + width).replace(/\0.*/s, '')
