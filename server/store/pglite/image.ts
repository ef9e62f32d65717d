// Databases with nothing in them, made when this program is built: a first start unpacks one. Making one takes seconds and
// twice the memory of everything that comes after.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { checksumOf } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'

// The package root, because compiled code and sources run from different depths.
const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

/** With no table at all, for tests and to begin the other with; or with those of this program, as it ships. */
export type ImageKind = 'bare' | 'tables'

const FILES = { bare: 'bare.br', tables: 'image.br' } as const

export const imagePath = (kind: ImageKind): string => join(root, '.build/server/store/pglite', FILES[kind])

/** What a database is made with. Changes with the number, so that an older image is made anew. */
export const imageRecipe = {
  version: 4,
  // Many small files of log instead of one of 16 MB: the folder of a new database is small.
  initArguments: ['--wal-segsize=4'],
}

const FINGERPRINT_BYTES = 32

/** Names what an image was made of and with. */
export function imageFingerprint(kind: ImageKind): Buffer {
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(join(pglite, '../package.json'), 'utf8')) as { version: string }
  return createHash('sha256')
    .update(JSON.stringify([version, imageRecipe, kind === 'bare' ? [] : migrations.map(checksumOf)]))
    .digest()
}

export const sealImage = (kind: ImageKind, compressed: Uint8Array): Buffer =>
  Buffer.concat([imageFingerprint(kind), compressed])

/** The compressed archive, or null when there is none that fits: then a database has to be made the long way. */
export function readImage(kind: ImageKind): Buffer | null {
  try {
    const file = readFileSync(imagePath(kind))
    const isOurs = file.subarray(0, FINGERPRINT_BYTES).equals(imageFingerprint(kind))
    return isOurs ? file.subarray(FINGERPRINT_BYTES) : null
  } catch {
    return null
  }
}

/** The archive to begin a database with. Where there is none with tables, a bare one does: migrations make them. */
export async function unpackImage(kind: ImageKind): Promise<Uint8Array | null> {
  const compressed = readImage(kind) ?? readImage('bare')
  return compressed === null ? null : promisify(brotliDecompress)(compressed)
}
