// A database with nothing in it, made when this program is built: a first start unpacks it. Making one takes seconds and
// twice the memory of everything that comes after.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

// The package root, because compiled code and sources run from different depths.
const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

export const imagePath = join(root, '.build/server/store/pglite/image.br')

/** What a database is made with. Changes with the number, so that an older image is made anew. */
export const imageRecipe = {
  version: 3,
  // Many small files of log instead of one of 16 MB: the folder of a new database is small.
  initArguments: ['--wal-segsize=4'],
}

const FINGERPRINT_BYTES = 32

/** Names what an image was made of and with. */
export function imageFingerprint(): Buffer {
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(join(pglite, '../package.json'), 'utf8')) as { version: string }
  return createHash('sha256')
    .update(JSON.stringify([version, imageRecipe]))
    .digest()
}

export const sealImage = (compressed: Uint8Array): Buffer => Buffer.concat([imageFingerprint(), compressed])

/** The compressed archive, or null when there is none that fits: then a database has to be made the long way. */
export function readImage(): Buffer | null {
  try {
    const file = readFileSync(imagePath)
    const isOurs = file.subarray(0, FINGERPRINT_BYTES).equals(imageFingerprint())
    return isOurs ? file.subarray(FINGERPRINT_BYTES) : null
  } catch {
    return null
  }
}

/** The archive to begin a database with. */
export async function unpackImage(): Promise<Uint8Array | null> {
  const compressed = readImage()
  return compressed === null ? null : promisify(brotliDecompress)(compressed)
}
