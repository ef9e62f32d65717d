// A folder as a tar archive.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'

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

export interface ArchiveEntry {
  /** Within the folder, its parts separated by slashes. */
  readonly path: string
  /** A view of the archive; null for a folder. */
  readonly content: Uint8Array | null
}

/** Of an archive that `archiveFolder` made: folders before what is in them. */
export function* filesOfArchive(archive: Uint8Array): Generator<ArchiveEntry> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  for (let at = 0; bytes[at] !== 0; ) {
    const path = textAt(bytes, at, 100)
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8)
    const isFolder = textAt(bytes, at + 156, 1) === FOLDER
    at += BLOCK
    yield { path, content: isFolder ? null : archive.subarray(at, at + size) }
    at += Math.ceil(size / BLOCK) * BLOCK
  }
}

/** Made in one turn: to hand each system call to another thread takes three times the processor time of all of them. */
const FILES_AT_ONCE = 16

/** Makes the folder of an archive that `archiveFolder` made. */
export async function unpackArchive(archive: Uint8Array, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let made = 0
  for (const { path, content } of filesOfArchive(archive)) {
    if (content === null) mkdirSync(join(folder, path), { mode: 0o700 })
    else writeFileSync(join(folder, path), content, { mode: MODE })
    if (++made % FILES_AT_ONCE === 0) await setImmediate()
  }
}

const textAt = (bytes: Buffer, at: number, width: number): string => {
  const end = bytes.indexOf(0, at)
  return bytes.toString('utf8', at, end < 0 ? at + width : Math.min(end, at + width))
}
