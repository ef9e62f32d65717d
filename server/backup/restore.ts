// The way back: a copy is verified whole, then copied next to where it belongs and moved in by renames.

import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode, makeFolder, syncFolder } from '../process/index.ts'
import { asFault, BackupFault } from './fault.ts'
import { type Manifest, readManifest, syncTree, verifyFiles } from './manifest.ts'
import { RESTORE_DRAFT } from './restoreCut.ts'

/** Makes a data folder from a copy. Throws BackupFault; a folder that holds anything is left as it is. */
export async function restoreBackup(
  from: string,
  data: string,
  onProgress: (part: string) => void = () => undefined,
): Promise<Manifest> {
  try {
    const names = await readdir(data).catch((error: unknown): string[] => {
      if (hasCode(error, 'ENOENT')) return []
      throw error
    })
    const isCut = names.includes(RESTORE_DRAFT)
    if (names.length > 0 && !isCut)
      throw new BackupFault(`${data} is not empty: move it away, or name another folder with --data`)
    onProgress('hashes')
    const manifest = await verified(from)
    onProgress('files')
    // What a restore left that was cut short.
    for (const name of names.filter((one) => one !== RESTORE_DRAFT))
      await rm(join(data, name), { recursive: true, force: true })
    await makeFolder(data)
    await fill(from, data, manifest)
    return manifest
  } catch (error) {
    throw asFault(error, data)
  }
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
  for (const name of await readdir(draft)) await rename(join(draft, name), join(data, name))
  await rm(draft, { recursive: true, force: true })
  await syncFolder(data)
}
