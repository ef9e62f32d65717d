// The folder of the embedded database: held by one process, with the database in a folder of its own inside.

import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderLock, FolderLocked, hasCode, lockFolder } from '../../process/index.ts'
import { StoreError } from '../errors.ts'
import { unpackArchive } from './archive.ts'
import { type ImageKind, unpackImage } from './image.ts'

/** What PGlite is in this version of ours; another reads none of its files. */
const MAJOR = '18'

export interface HeldFolder {
  /** Where the database is; where there is none, one is made. */
  readonly path: string
  /** Whether it was made just now. */
  readonly isNew: boolean
  /** Moves a database that cannot be opened out of the way and makes a new one. */
  setAside(): Promise<SetAside>
  release(): Promise<void>
}

export interface SetAside {
  /** Where the old one is now. */
  readonly path: string
  /** Puts it back in the place of the new one. */
  undo(): Promise<void>
}

/** Throws StoreError `locked` when another process has it, `mismatch` when what is in there cannot be read. */
export async function holdFolder(folder: string, image: ImageKind): Promise<HeldFolder> {
  const lock = await take(folder)
  try {
    const path = join(folder, 'postgres')
    const major = await majorOf(path)
    if (major === null) await unpack(path, image)
    else if (major !== MAJOR) throw otherMajor(path, major)
    return {
      path,
      isNew: major === null,
      setAside: () => setAside(path, image),
      release: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw asDiskError(error, folder)
  }
}

async function setAside(path: string, image: ImageKind): Promise<SetAside> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const aside = `${path}.damaged-${stamp}`
  await rename(path, aside)
  const undo = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true })
    await rename(aside, path)
  }
  try {
    await unpack(path, image)
  } catch (error) {
    await undo()
    throw asDiskError(error, path)
  }
  return { path: aside, undo }
}

/** What the system refuses, as a failure of the store that says which. */
export function asDiskError(error: unknown, path: string): unknown {
  const isFull = hasCode(error, 'ENOSPC', 'EDQUOT')
  if (!isFull && !hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'EMFILE', 'ENFILE', 'EIO')) return error
  const text = isFull ? `No room on the disk for ${path}` : `${path} cannot be used: ${(error as Error).message}`
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

/** A new database, whole or not at all; none when there is no image, and PGlite makes one itself. */
async function unpack(path: string, kind: ImageKind): Promise<void> {
  const image = await unpackImage(kind)
  await rm(path, { recursive: true, force: true })
  if (image === null) return
  const draft = `${path}.new`
  await rm(draft, { recursive: true, force: true })
  await unpackArchive(image, draft)
  await rename(draft, path)
}

async function majorOf(path: string): Promise<string | null> {
  try {
    return (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

const otherMajor = (path: string, major: string): StoreError =>
  new StoreError(
    'mismatch',
    `The database in ${path} was made by version ${major} of PostgreSQL, this program has version ${MAJOR}. Move the ` +
      'folder away to have it made again from the chain, or use the version of this program that made it',
  )
