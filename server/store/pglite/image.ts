// Empty databases, made when this program is built: the first start unpacks one. Making one takes seconds and twice the memory
// of running it.

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

/** `bare` has no tables, for tests and as the start of `tables`, which has those of this program. */
export type ImageKind = 'bare' | 'tables'

const FILES = { bare: 'bare.br', tables: 'image.br' } as const

export const imagePath = (kind: ImageKind): string => join(root, '.build/server/store/pglite', FILES[kind])

/** How a database is made. A new `version` makes older images invalid. */
export const imageRecipe = {
  version: 8,
  // Log files of 4 MB instead of 16 MB keep the folder of a new database small.
  initArguments: ['--wal-segsize=4'],
}

const FINGERPRINT_BYTES = 32

/** Of all that an image is made from. */
function imageFingerprint(kind: ImageKind): Buffer {
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version }: { version: string } = JSON.parse(readFileSync(join(pglite, '../package.json'), 'utf8'))
  return createHash('sha256')
    .update(JSON.stringify([version, imageRecipe, kind === 'bare' ? [] : migrations.map(checksumOf)]))
    .digest()
}

export const sealImage = (kind: ImageKind, compressed: Uint8Array): Buffer =>
  Buffer.concat([imageFingerprint(kind), compressed])

/** The compressed archive; null when this version has none: a database is then made without it. */
export function readImage(kind: ImageKind): Buffer | null {
  try {
    const file = readFileSync(imagePath(kind))
    const isOurs = file.subarray(0, FINGERPRINT_BYTES).equals(imageFingerprint(kind))
    return isOurs ? file.subarray(FINGERPRINT_BYTES) : null
  } catch {
    return null
  }
}

/** Of what comes out at once. Pieces of 16 kB, as by default, take three times the processor time. */
const PIECE_BYTES = 1 << 20

/** The archive to begin a database with. Without one with tables a bare one is used, and the migrations run. */
export async function unpackImage(kind: ImageKind): Promise<Uint8Array | null> {
  const compressed = readImage(kind) ?? readImage('bare')
  return compressed === null ? null : promisify(brotliDecompress)(compressed, { chunkSize: PIECE_BYTES })
}

const kept = new Map<ImageKind, Promise<Uint8Array | null>>()

/** The same for databases in memory, of which tests open hundreds: unpacked once. Each thread is sent a copy of its own. */
export function memoryImage(kind: ImageKind): Promise<Uint8Array | null> {
  const image = kept.get(kind) ?? unpackImage(kind)
  kept.set(kind, image)
  return image
}
