// The way back: a copy is verified whole, then copied next to where it belongs and moved in by renames.

import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FolderLocked, hasCode, lockFolder, renamePatiently, syncFolder } from '../process/index.ts'
import { asFault, BackupFault } from './fault.ts'
import { type Manifest, readManifest, syncTree, verifyFiles } from './manifest.ts'
import { RESTORE_DRAFT } from './noDataFolder.ts'

/** Makes a data folder from a copy. Throws BackupFault; a folder that holds anything is left as it is. */
export async function restoreBackup(
  from: string,
  data: string,
  onProgress: (part: string) => void = () => undefined,
): Promise<Manifest> {
  try {
    await leftIn(data)
    onProgress('hashes')
    const manifest = await verified(from)
    onProgress('files')
    const lock = await lockFolder(data)
    try {
      // Meanwhile another restore may have filled it, or a service begun in it.
      for (const name of await leftIn(data)) await rm(join(data, name), { recursive: true, force: true })
      await fill(from, data, manifest)
    } finally {
      await lock.release()
    }
    return manifest
  } catch (error) {
    throw error instanceof FolderLocked ? new BackupFault(error.message, { cause: error }) : asFault(error, data)
  }
}

/** Names of the lock files of a restore that runs. */
const LOCK = /^lock[.-]/

/** What a restore left that was cut short. Throws BackupFault for a folder that holds anything else. */
async function leftIn(data: string): Promise<readonly string[]> {
  const all = await readdir(data).catch((error: unknown): string[] => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  const names = all.filter((name) => !LOCK.test(name))
  if (names.length > 0 && !names.includes(RESTORE_DRAFT))
    throw new BackupFault(`${data} is not empty: move it away, or name another folder with --data`)
  return names.filter((name) => name !== RESTORE_DRAFT)
}

async function verified(from: string): Promise<Manifest> {
  try {
    const manifest = await readManifest(from)
    await verifyFiles(from, manifest)
    return manifest
  } catch (error) {
    throw asFault(error, from)
  }
}

async function fill(from: string, data: string, manifest: Manifest): Promise<void> {
  const draft = join(data, RESTORE_DRAFT)
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    for (const path of manifest.folders) await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
    for (const { path } of manifest.files) {
      await mkdir(dirname(join(draft, path)), { recursive: true, mode: 0o700 })
      await copyFile(join(from, path), join(draft, path), constants.COPYFILE_FICLONE)
    }
    // What was read a second time, and what was written, is what the list says.
    await verifyFiles(draft, manifest)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  await syncTree(draft, manifest)
  for (const name of await readdir(draft)) await renamePatiently(join(draft, name), join(data, name))
  await rm(draft, { recursive: true, force: true })
  await syncFolder(data)
}
