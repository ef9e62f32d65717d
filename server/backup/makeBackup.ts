// Copies a data folder into a new one: under another name first, then renamed, so that the copy is whole or absent.

import { readdir, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, makeFolder, renamePatiently, syncFolder } from '../process/index.ts'
import { asFault, BackupFault } from './fault.ts'
import { copyLive, type LiveFolder } from './liveCopy.ts'
import { type Manifest, sealFolder } from './manifest.ts'

interface BackupProgress {
  /** The part that is being copied, or checked. */
  readonly part: string
}

export interface BackupSource {
  /** The data folder, for errors. */
  readonly folder: string
  readonly facts: Pick<Manifest, 'program' | 'network'>
  /** In the order of copying; `to` is within the copy. */
  readonly parts: readonly (LiveFolder & { readonly name: string })[]
}

export interface BackupOrder {
  readonly to: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: BackupProgress) => void
}

/** Of a copy that is not finished. */
const PARTIAL = '.partial'

/** The source is called with the folder the copy is made in. Throws BackupFault; nothing is left behind then. */
export async function makeBackup(
  source: (draft: string) => BackupSource,
  { to, signal, onProgress }: BackupOrder,
): Promise<Manifest> {
  const draft = `${to}${PARTIAL}`
  try {
    await requireEmpty(to)
    // Left by one that was killed.
    await rm(draft, { recursive: true, force: true })
    await makeFolder(draft)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new BackupFault(`${to}: no folder can be made there`, { cause: error })
    throw asFault(error, to)
  }
  try {
    const { folder, facts, parts } = source(draft)
    for (const part of parts) {
      onProgress({ part: part.name })
      await copyLive(part, signal)
    }
    onProgress({ part: 'hashes' })
    const manifest = await sealFolder(draft, facts, signal)
    if (manifest.files.length === 0)
      throw new BackupFault(`${folder} holds nothing to copy: name the data folder of the service with --data`)
    signal.throwIfAborted()
    await renamePatiently(draft, to)
    await syncFolder(dirname(to))
    return manifest
  } catch (error) {
    const why = hasCode(error, 'ENOSPC', 'EDQUOT') ? await spaceFault(draft, error) : asFault(error, to)
    await rm(draft, { recursive: true, force: true })
    throw why
  }
}

async function spaceFault(path: string, cause: unknown): Promise<BackupFault> {
  const { bavail, bsize } = await statfs(path)
  const megabytes = ((bavail * bsize) / 2 ** 20).toFixed(0)
  const words = `${dirname(path)}: its disk has no space for the backup (${megabytes} MB are free); name a folder on another one`
  return new BackupFault(words, { cause })
}

/** An empty folder is removed, so that the finished copy can have its name. */
async function requireEmpty(to: string): Promise<void> {
  const names = await readdir(to).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    if (hasCode(error, 'ENOTDIR')) throw new BackupFault(`${to} is a file: name a new folder`, { cause: error })
    throw error
  })
  if (names === null) return
  if (names.length > 0) throw new BackupFault(`${to} is not empty: name a new folder`)
  await rmdir(to).catch((error: unknown) => {
    if (!hasCode(error, 'EBUSY')) throw error
    throw new BackupFault(`${to} is where a disk is mounted: name a new folder in it`, { cause: error })
  })
}
