// The list of a copy's files. It has a sum of its own, and is written last: a copy without it was cut short.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { hasCode, inParallel, replaceFile, syncDataAt, syncFolder } from '../process/index.ts'
import { BackupFault } from './fault.ts'
import { MANIFEST } from './noDataFolder.ts'

const FORMAT = 1
/** Hashed and synced at once. */
const FILES_AT_ONCE = 8
/** A copy of a large index has thousands of files, each of about 150 bytes here. */
const MOST_BYTES = 64 << 20

// A list made by a stranger must not lead out of the folder.
const isInside = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part))

const CopiedFile = z.strictObject({
  path: z.string().max(1_000).refine(isInside),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const Contents = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of the program that made the copy. */
  program: z.string(),
  network: z.string(),
  madeAt: z.string(),
  files: z.array(CopiedFile).min(1),
  folders: z.array(z.string().max(1_000).refine(isInside)),
})

export type Manifest = Readonly<z.output<typeof Contents>>

const sumOf = (contents: unknown): string => createHash('sha256').update(JSON.stringify(contents)).digest('hex')

/** Hashes all files of a folder, makes them safe on the disk, and writes the list. */
export async function sealFolder(
  folder: string,
  facts: Pick<Manifest, 'program' | 'network'>,
  signal: AbortSignal,
): Promise<Manifest> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = ({ parentPath, name }: (typeof entries)[number]): string =>
    relative(folder, join(parentPath, name)).split(sep).join('/')
  const paths = entries.filter((entry) => entry.isFile()).map(pathOf)
  const files = await inParallel(paths.sort(), FILES_AT_ONCE, async (path) => {
    signal.throwIfAborted()
    return { path, ...(await hashOf(join(folder, path))) }
  })
  const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf)
  await syncTree(folder, { files, folders })
  const manifest = {
    format: FORMAT,
    ...facts,
    madeAt: new Date().toISOString(),
    files,
    folders: folders.sort(),
  } as const
  await replaceFile(
    join(folder, MANIFEST),
    `${JSON.stringify({ sum: sumOf(manifest), contents: manifest }, null, 1)}\n`,
  )
  return manifest
}

/** Writes out the disk of a folder, where the system has a command for that: a call per file takes ten times as long. */
const syncDisk = (folder: string): Promise<boolean> =>
  promisify(execFile)('sync', ['-f', folder]).then(
    () => true,
    () => false,
  )

/** Makes files, and the names of the folders they are in, safe on the disk. */
export async function syncTree(folder: string, { files, folders }: Pick<Manifest, 'files' | 'folders'>): Promise<void> {
  if (await syncDisk(folder)) return
  await inParallel(files, FILES_AT_ONCE, async ({ path }) => {
    await syncDataAt(join(folder, path))
  })
  for (const path of [...folders, '']) await syncFolder(join(folder, path))
}

const Sealed = z.strictObject({ sum: z.string(), contents: z.unknown() })

/** The list of a copy. Throws BackupFault when there is none, or it was changed. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const sealed = Sealed.safeParse(await readJson(folder, path))
  if (!sealed.success || sumOf(sealed.data.contents) !== sealed.data.sum)
    throw new BackupFault(`${path} is damaged: use another backup`)
  const { contents } = sealed.data
  const parsed = Contents.safeParse(contents)
  if (parsed.success) return parsed.data
  const format = z.object({ format: z.int() }).safeParse(contents)
  throw new BackupFault(
    format.success && format.data.format > FORMAT
      ? `${folder} was made by a newer version of this program: use that version to restore it`
      : `${path} is no list of a backup: use another backup`,
  )
}

async function readJson(folder: string, path: string): Promise<unknown> {
  try {
    if ((await stat(path)).size > MOST_BYTES) return null
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    throw new BackupFault(`${folder} is no finished backup: it has no ${MANIFEST}`, { cause: error })
  }
}

/** Throws BackupFault for the first file that is missing or differs. */
export async function verifyFiles(folder: string, { files }: Pick<Manifest, 'files'>): Promise<void> {
  await inParallel(files, FILES_AT_ONCE, async (file) => {
    const path = join(folder, file.path)
    const found = await hashOf(path).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'EISDIR')) return null
      throw error
    })
    if (found === null) throw new BackupFault(`${path} is missing: use another backup`)
    if (found.bytes !== file.bytes || found.sha256 !== file.sha256)
      throw new BackupFault(`${path} is damaged, it is not what was copied: use another backup`)
  })
}

async function hashOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
