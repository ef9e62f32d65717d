// A step of the build, after the compiler of TypeScript: leaves empty databases where the service looks for them.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { archiveFolder } from './archive.ts'
import { type ImageKind, imagePath, imageRecipe, readImage, sealImage } from './image.ts'
import { openPglite } from './pgliteDatabase.ts'

/**
 * Nobody makes a second database in it, so those kept to be copied go. Tables are packed anew, and the log of all that is
 * left behind: with no file of it used twice, the one that remains is empty.
 */
const TRIM = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'vacuum full',
  'vacuum freeze analyze',
]
const LEAVE_LOG = ['select pg_switch_wal()', 'checkpoint']

async function run(folder: string, statements: readonly string[]): Promise<void> {
  const pglite = await PGlite.create({
    dataDir: folder,
    initDbStartParams: imageRecipe.initArguments,
    startParams: [...PGlite.defaultStartParams, '-c', 'wal_recycle=off', '-c', 'min_wal_size=8MB'],
  })
  for (const statement of statements) await pglite.exec(statement)
  // Leaves nothing to recover.
  await pglite.close()
}

/** The tables come last, as where they are made later: what is known of empty ones must not look like statistics. */
async function makeTables(folder: string): Promise<void> {
  const options = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000, queueLimit: 100, notice: () => undefined }
  const database = await openPglite({ ...options, folder, image: 'bare' })
  await migrate(database, migrations)
  await database.close()
}

function compress(archive: Buffer): Buffer {
  const params = {
    // The highest takes twenty times as long and saves a tenth.
    [constants.BROTLI_PARAM_QUALITY]: 9,
    // What unpacking takes of memory, which is not given back soon.
    [constants.BROTLI_PARAM_LGWIN]: 20,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  }
  return brotliCompressSync(archive, { params })
}

async function build(kind: ImageKind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-image-'))
  try {
    const database = join(folder, 'postgres')
    if (kind === 'tables') await makeTables(folder)
    await run(database, kind === 'bare' ? [...TRIM, ...LEAVE_LOG] : LEAVE_LOG)
    const archive = archiveFolder(database)
    mkdirSync(dirname(imagePath(kind)), { recursive: true })
    // Whole or not at all, also when two builds run at once.
    const draft = `${imagePath(kind)}.${process.pid}`
    writeFileSync(draft, sealImage(kind, compress(archive)))
    renameSync(draft, imagePath(kind))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Does nothing when those of last time still fit. */
export async function buildImages(): Promise<void> {
  // In this order: the second begins with the first.
  for (const kind of ['bare', 'tables'] as const) if (readImage(kind) === null) await build(kind)
}
