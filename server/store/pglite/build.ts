// A step of `npm run build`, after the compiler of TypeScript: leaves an empty database where the service looks for it,
// and does nothing when the one of last time still fits.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { archiveFolder } from './archive.ts'
import { imagePath, imageRecipe, readImage, sealImage } from './image.ts'

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
  'select pg_switch_wal()',
  'checkpoint',
]

async function makeDatabase(folder: string): Promise<void> {
  const pglite = await PGlite.create({
    dataDir: folder,
    initDbStartParams: imageRecipe.initArguments,
    startParams: [...PGlite.defaultStartParams, '-c', 'wal_recycle=off', '-c', 'min_wal_size=8MB'],
  })
  for (const statement of TRIM) await pglite.exec(statement)
  // Leaves nothing to recover.
  await pglite.close()
}

function compress(archive: Buffer): Buffer {
  const params = {
    // The highest takes twenty times as long and saves a tenth.
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  }
  return brotliCompressSync(archive, { params })
}

if (readImage() === null) {
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-image-'))
  try {
    const database = join(folder, 'database')
    await makeDatabase(database)
    const archive = archiveFolder(database)
    mkdirSync(dirname(imagePath), { recursive: true })
    // Whole or not at all, also when two builds run at once.
    const draft = `${imagePath}.${process.pid}`
    writeFileSync(draft, sealImage(compress(archive)))
    renameSync(draft, imagePath)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
