// Whole files replaced in one step: a reader, or a machine that lost its power, finds the old text or the new one.

import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { renamePatiently } from './renamePatiently.ts'
import { syncFile } from './syncFile.ts'
import { hasCode } from './systemErrors.ts'

/**
 * Makes a folder and those above it, one by one: where no folder can be made, as in /proc, the recursive call of Node tries for
 * ever.
 */
export async function makeFolder(path: string): Promise<void> {
  const failure = await whyNotMade(path)
  if (failure === null) return
  const above = dirname(path)
  if (!hasCode(failure, 'ENOENT') || above === path) throw failure
  if (!(await isFolder(above))) await makeFolder(above)
  // Also where another one made the folder above between the two looks.
  const again = await whyNotMade(path)
  if (again !== null) throw again
}

/** Null when the folder is there. */
async function whyNotMade(path: string): Promise<unknown> {
  try {
    await mkdir(path, { mode: 0o700 })
    return null
  } catch (error) {
    return (await isFolder(path)) ? null : error
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Follows symbolic links to a file that may not exist yet. */
export async function linkedFile(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  const target = await readlink(path).catch(() => null)
  return target === null ? path : await linkedFile(resolve(dirname(path), target))
}

/**
 * Replaces a file, readable by its owner alone, who is the owner of the folder; makes the folder when it is missing. A list is of
 * texts that follow each other.
 */
export async function replaceFile(path: string, text: string | readonly string[]): Promise<void> {
  const folder = dirname(path)
  await makeFolder(folder)
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await giveTo(file, folder)
      for (const part of [text].flat()) await file.writeFile(part)
      await syncFile(file)
    } finally {
      await file.close()
    }
    await renamePatiently(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** Gives a file the owner of its folder: a command of root writes what a service with an account of its own reads. */
export async function giveTo(file: FileHandle, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  if (uid !== 0) await file.chown(uid, gid)
}

/** No writer takes as long as this. */
const OLD_DRAFT_MS = 3_600_000

/** Removes old drafts of killed writers. Safe without a lock of the file: a draft this old has no writer any more. Never rejects. */
export async function removeOldDrafts(path: string): Promise<void> {
  const old = Date.now() - OLD_DRAFT_MS
  try {
    for (const draft of await draftsOf(path)) if ((await stat(draft)).mtimeMs < old) await rm(draft, { force: true })
  } catch {
    // Drafts only take disk space.
  }
}

/** Removes all drafts. The caller must hold the lock of the file. */
export async function removeDrafts(path: string): Promise<void> {
  await Promise.all((await draftsOf(path)).map((draft) => rm(draft, { force: true })))
}

async function draftsOf(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith(prefix) && name.endsWith('.tmp')).map((name) => join(folder, name))
}

/** Windows and some file systems cannot open a folder, or cannot sync it: nothing to do. */
export const isUnsyncedFolder = (error: unknown): boolean =>
  hasCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP')

/** Makes new and changed names of a folder safe from a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await syncFile(handle).finally(() => handle.close())
  } catch (error) {
    if (!isUnsyncedFolder(error)) throw error
  }
}
