// A step of the build, after the TypeScript compiler: makes the empty databases that the service begins with.

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { type ImageKind, imagePath, imageRecipe, readImage, sealImage } from './image.ts'
import { shareKey } from './ownKey.ts'
import { openPglite } from './pgliteDatabase.ts'
import { archiveFolder } from './unpackArchive.ts'

/** Tables of the catalog that migrations write to: they and their indexes are rewritten in order and without gaps. */
const WRITTEN = ['attribute', 'class', 'constraint', 'depend', 'index', 'type'].map((name) => `vacuum full pg_${name}`)

/**
 * Tables of the catalog that nothing here reads. Descriptions, statistics and the views of `information_schema` are a third of the
 * compressed image; text search, other encodings and first privileges are 11 kB.
 */
const EMPTIED = [
  'description',
  'shdescription',
  'statistic',
  'ts_config',
  'ts_config_map',
  'ts_dict',
  'ts_parser',
  'ts_template',
  'conversion',
  'init_privs',
]
/** No second database is made in it, so the templates are dropped. Then tables are rewritten without gaps. */
const TRIM = [
  'drop schema information_schema cascade',
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  ...EMPTIED.map((name) => `delete from pg_${name}`),
  'vacuum full',
  'vacuum freeze',
]
/** The log of all that: with `wal_recycle=off` the one file of it that remains is empty. */
const DROP_LOG = ['select pg_switch_wal()', 'checkpoint']

async function run(folder: string, statements: readonly string[]): Promise<void> {
  const pglite = await PGlite.create({
    dataDir: folder,
    initDbStartParams: imageRecipe.initArguments,
    startParams: [...PGlite.defaultStartParams, '-c', 'wal_recycle=off', '-c', 'min_wal_size=8MB'],
  })
  for (const statement of statements) await pglite.exec(statement)
  // After a close there is nothing to recover.
  await pglite.close()
}

/** Made after the vacuum, as by a later migration: statistics of empty tables would mislead the planner. */
async function makeTables(folder: string): Promise<void> {
  const bounds = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000, closeMs: 60_000, queueLimit: 100 }
  const database = await openPglite({ ...bounds, folder, image: 'bare', notice: () => undefined, signal: undefined })
  await migrate(database, migrations)
  await shareKey(database)
  await database.close()
}

const COMMENTED = ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf']

/** Of a file of settings, whose lines are nearly all comments. */
function dropComments(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^\s*(#.*)?\n/gm, ''))
}

function compress(archive: Buffer): Buffer {
  const params = {
    // It takes 8 s, once for each version of the tables. Quality 10 takes 4 s for 36 kB more, 9 takes 0.3 s for 85 kB more.
    [constants.BROTLI_PARAM_QUALITY]: 11,
    // Bounds the memory of unpacking, which is released late: 4 MB. With 1 MB the file is 10 kB larger.
    [constants.BROTLI_PARAM_LGWIN]: 22,
    // Tables and indexes are pages of rows at distances of whole words: 21 kB less, in the same time.
    [constants.BROTLI_PARAM_NPOSTFIX]: 3,
    [constants.BROTLI_PARAM_LGBLOCK]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  }
  return brotliCompressSync(archive, { params })
}

async function build(kind: ImageKind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-image-'))
  try {
    const database = join(folder, 'postgres')
    if (kind === 'tables') await makeTables(folder)
    await run(database, [...(kind === 'bare' ? TRIM : WRITTEN), ...DROP_LOG])
    if (kind === 'bare') for (const name of COMMENTED) dropComments(join(database, name))
    const archive = archiveFolder(database)
    mkdirSync(dirname(imagePath(kind)), { recursive: true })
    // By a rename: whole or not at all, also when two builds run at once.
    const draft = `${imagePath(kind)}.${process.pid}`
    writeFileSync(draft, sealImage(kind, compress(archive)))
    renameSync(draft, imagePath(kind))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In this order: the second begins with the first. */
const KINDS = ['bare', 'tables'] as const

export const areImagesFresh = (): boolean => KINDS.every((kind) => readImage(kind) !== null)

/** Does nothing when the images are of this version. */
export async function buildImages(): Promise<void> {
  for (const kind of KINDS) if (readImage(kind) === null) await build(kind)
}
