// The file operations of the log, replaceable by failing ones in tests.

import { readSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { renamePatiently, syncData, syncFolder, whyShared } from '../../process/index.ts'
import { LogError } from './logErrors.ts'

export interface LogFile {
  /** Fills `into` from the byte `from` on; returns how much the file had. */
  read(into: Uint8Array, from: number): Promise<number>
  /** The same at once, for bytes the system has in memory: others hold the process as long as the disk takes. */
  readNow?(into: Uint8Array, from: number): number
  /** Writes all of `bytes`, or throws with an unknown part of them written. */
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Resolves when what was written is safe from a loss of power. */
  sync(): Promise<void>
  truncate(size: number): Promise<void>
  size(): Promise<number>
  close(): Promise<void>
}

export interface Files {
  /** `create` empties a file that exists; `write` refuses one with a second name, with LogError `shared`. */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<LogFile>
  /** Makes the folder when it is missing; returns the names in it. */
  list(folder: string): Promise<readonly string[]>
  rename(from: string, to: string): Promise<void>
  /** No failure when there is nothing to remove. */
  remove(path: string): Promise<void>
  /** Resolves when new and changed names of the folder are safe. */
  syncFolder(folder: string): Promise<void>
}

const FLAGS = { read: 'r', write: 'r+', create: 'w+' } as const

/** Closes the file that it refuses. */
async function requireOwn(handle: FileHandle, path: string): Promise<void> {
  try {
    const why = whyShared(path, await handle.stat())
    if (why !== null) throw new LogError('shared', why)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openFile(path: string, mode: keyof typeof FLAGS): Promise<LogFile> {
  const handle = await open(path, FLAGS[mode], 0o600)
  if (mode === 'write') await requireOwn(handle, path)
  return {
    async read(into, from) {
      let filled = 0
      while (filled < into.length) {
        const { bytesRead } = await handle.read(into, filled, into.length - filled, from + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return filled
    },
    readNow(into, from) {
      let filled = 0
      while (filled < into.length) {
        const read = readSync(handle.fd, into, filled, into.length - filled, from + filled)
        if (read === 0) break
        filled += read
      }
      return filled
    },
    async write(bytes, at) {
      for (let written = 0; written < bytes.length; ) {
        // A full disk takes a part first and refuses the rest at the next attempt.
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, at + written)
        written += bytesWritten
      }
    },
    sync: () => syncData(handle),
    truncate: (size) => handle.truncate(size),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  }
}

/** The disk itself. */
export const diskFiles: Files = {
  open: openFile,
  async list(folder) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return readdir(folder)
  },
  rename: renamePatiently,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
}

/** Writes a file that is there whole or not at all: under another name first, safe on the disk, then renamed. */
export async function placeFile(
  files: Files,
  { folder, name }: { folder: string; name: string },
  write: (file: LogFile) => Promise<void>,
): Promise<void> {
  const path = `${folder}/${name}`
  const draft = path + DRAFT
  try {
    const file = await files.open(draft, 'create')
    try {
      await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await files.rename(draft, path)
  } catch (error) {
    await files.remove(draft).catch(() => undefined)
    throw error
  }
  await files.syncFolder(folder)
}

/** How the names of unfinished files end. */
const DRAFT = '.tmp'

/** Removes unfinished files of killed writers, whose names begin like this. No such file may be in the making: it would go too. */
export async function removeUnfinished(files: Files, folder: string, beginning: string): Promise<void> {
  const names = await files.list(folder)
  const drafts = names.filter((name) => name.startsWith(beginning) && name.endsWith(DRAFT))
  await Promise.all(drafts.map((name) => files.remove(`${folder}/${name}`)))
}
