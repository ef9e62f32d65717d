// The folder of the embedded database: locked by one process, with the database in a folder of its own inside.

import { existsSync } from 'node:fs'
import { access, constants, opendir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type FolderLock,
  FolderLocked,
  failureText,
  hasCode,
  inParallel,
  lockFolder,
  readBootId,
  renamePatiently,
  syncDataAt,
  syncFolder,
  whyShared,
} from '../../process/index.ts'
import { StoreError } from '../storeError.ts'
import { type ImageKind, unpackImage } from './image.ts'
import { requireSpace } from './requireSpace.ts'
import { unpackArchive } from './unpackArchive.ts'

/** Of PGlite in this program; other versions cannot read its files. */
const MAJOR = '18'

export interface HeldFolder {
  /** Where the database is, or is to be made. */
  readonly path: string
  /** Whether it was just made. */
  readonly isNew: boolean
  /** Why the files that are there cannot be started; null when they may be, or were just made. */
  readonly fault: string | null
  /** Renames a database that cannot be opened and makes a new one. */
  setAside(): Promise<SetAside>
  /** Deletes those that were renamed so, of this start and of earlier ones. Returns how many. */
  dropSetAside(): Promise<number>
  /** Syncs the files of a new database, once. If the machine stops before that, the next start has a `fault`. */
  syncNew(signal: AbortSignal): Promise<void>
  release(): Promise<void>
}

export interface SetAside {
  /** Where the old one is now. */
  readonly path: string
  /** Deletes the new one and renames the old one back. */
  undo(): Promise<void>
}

/** Throws StoreError `locked` when another process has it, `mismatch` when another version made its database, or a copy shares it. */
export async function holdFolder(folder: string, image: ImageKind): Promise<HeldFolder> {
  const lock = await take(folder)
  try {
    const path = join(folder, 'postgres')
    await requireOwn(join(path, 'global', 'pg_control'))
    const major = await majorOf(path)
    const fault = await faultOf(path, major)
    const isNew = major === null && fault === null
    if (isNew) await unpack(path, image)
    else if (fault === null && major !== null && major !== MAJOR) throw otherMajor(path, major)
    return {
      path,
      isNew,
      fault,
      setAside: () => setAside(path, image),
      dropSetAside: () => dropSetAside(folder),
      syncNew: (signal) => syncNew(path, signal),
      release: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw asDiskError(error, folder)
  }
}

/** A file that is written into as long as a database is in use: a folder that was copied by links shares it. */
async function requireOwn(control: string): Promise<void> {
  const why = await stat(control).then(
    (found) => whyShared(control, found),
    () => null,
  )
  if (why !== null) throw new StoreError('mismatch', why)
}

const ASIDE = 'postgres.damaged-'

async function dropSetAside(folder: string): Promise<number> {
  const found = (await readdir(folder)).filter((name) => name.startsWith(ASIDE))
  for (const name of found) await rm(join(folder, name), { recursive: true, force: true })
  return found.length
}

/** Throws StoreError where this user may not read or write a file, as of one that another user made: that is no damage. */
export async function requireAccess(path: string): Promise<void> {
  try {
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
      await access(join(entry.parentPath, entry.name), constants.R_OK | constants.W_OK)
  } catch (error) {
    throw asDiskError(error, path)
  }
}

async function setAside(path: string, image: ImageKind): Promise<SetAside> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const aside = join(dirname(path), `${ASIDE}${stamp}`)
  await renamePatiently(path, aside)
  const undo = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true })
    await renamePatiently(aside, path)
  }
  try {
    await unpack(path, image)
  } catch (error) {
    await undo()
    throw asDiskError(error, path)
  }
  return { path: aside, undo }
}

/** Errors of the disk as StoreError; others as they are. */
function asDiskError(error: unknown, path: string): unknown {
  const isFull = hasCode(error, 'ENOSPC', 'EDQUOT')
  if (!isFull && !hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'EMFILE', 'ENFILE', 'EIO')) return error
  const remedy = hasCode(error, 'EACCES', 'EPERM') ? '; give the user of the service the whole data folder' : ''
  const text = isFull ? `No space on the disk for ${path}` : `${path} cannot be used: ${failureText(error)}${remedy}`
  return new StoreError(isFull ? 'full' : 'unavailable', text, { cause: error })
}

async function take(folder: string): Promise<FolderLock> {
  try {
    return await lockFolder(folder)
  } catch (error) {
    throw error instanceof FolderLocked
      ? new StoreError('locked', error.message, { cause: error })
      : asDiskError(error, folder)
  }
}

/** A file that exists until all files of a new database are synced. It holds the boot id of the machine. */
const markOf = (path: string): string => `${path}.unsynced`

/** Makes a database, whole or not at all. Without an image it leaves that to PGlite. */
async function unpack(path: string, kind: ImageKind): Promise<void> {
  const image = await unpackImage(kind)
  await rm(path, { recursive: true, force: true })
  if (image === null) return
  const draft = `${path}.new`
  await rm(draft, { recursive: true, force: true })
  await requireSpace(dirname(path), { bytes: image.length })
  try {
    await unpackArchive(image, draft)
  } catch (error) {
    // It would take the room that the chain has left.
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  const bootId = await readBootId()
  if (bootId !== null) await writeFile(markOf(path), bootId)
  await renamePatiently(draft, path)
}

/** Whether the machine stopped, and not the process alone, before all files of a new database were synced. */
async function hasLostFiles(path: string): Promise<boolean> {
  try {
    return (await readFile(markOf(path), 'utf8')) !== (await readBootId())
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Few, as each blocks a thread of the process for as long as the disk takes. */
const SYNCED_AT_ONCE = 2

/** Runs while the database is in use already, which syncs what it writes by itself. */
async function syncNew(path: string, signal: AbortSignal): Promise<void> {
  const mark = markOf(path)
  if (!existsSync(mark)) return
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  await inParallel(entries, SYNCED_AT_ONCE, async (entry) => {
    const own = join(entry.parentPath, entry.name)
    if (!signal.aborted) await (entry.isDirectory() ? syncFolder(own) : syncIfThere(own))
  })
  // Cut short: the mark stays, and the close waits for this.
  if (signal.aborted) return
  for (const folder of [path, dirname(path)]) await syncFolder(folder)
  await rm(mark, { force: true })
}

async function syncIfThere(path: string): Promise<void> {
  try {
    await syncDataAt(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

async function majorOf(path: string): Promise<string | null> {
  try {
    return (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

async function faultOf(path: string, major: string | null): Promise<string | null> {
  if (major === null) return (await holdsFiles(path)) ? 'it has files, but not PG_VERSION' : null
  if (!/[0-9]/.test(major)) return 'its files are empty: the machine stopped before they were written'
  return (await hasLostFiles(path)) ? 'files may be missing: the machine stopped before all were written' : null
}

/** False for folders alone: a database that is being made has no other file before PG_VERSION. */
async function holdsFiles(path: string): Promise<boolean> {
  try {
    for await (const entry of await opendir(path, { recursive: true })) if (!entry.isDirectory()) return true
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  return false
}

const otherMajor = (path: string, major: string): StoreError =>
  new StoreError(
    'mismatch',
    `The database in ${path} was made by version ${major} of PostgreSQL, this program has version ${MAJOR}. Move the ` +
      'folder away to have it made again from the chain, or use the version of this program that made it',
  )
