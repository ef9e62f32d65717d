// One process per folder, for as long as it runs.

import { LockHeld, takeLock } from './processLock.ts'
import { FolderLocked } from './systemErrors.ts'

/** Long enough for a process that is just ending, and for two that met at the same instant to part. */
const PATIENCE = 300

export interface FolderLock {
  readonly folder: string
  /** Gives the folder free; again is no failure. */
  release(): Promise<void>
}

interface HeldFolder {
  readonly folder: string
  readonly isLost: () => Promise<boolean>
}

/** Of this process. */
const held = new Set<HeldFolder>()
/** A service that starts in the place of a removed folder takes longer than this. */
const WATCH_MS = 500

/** Takes a folder for this process, making it when it is missing. Throws FolderLocked when it is in use. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  try {
    const { isLost, release } = await takeLock({ folder, name: 'lock' }, PATIENCE)
    const own = { folder, isLost }
    held.add(own)
    return {
      folder,
      release() {
        held.delete(own)
        return release()
      },
    }
  } catch (error) {
    throw error instanceof LockHeld ? inUse(folder, error) : error
  }
}

function inUse(folder: string, { holder, file }: LockHeld): FolderLocked {
  const { pid = null, host = '', isThisProcess = false } = holder ?? {}
  const who =
    pid === null ? 'another process' : isThisProcess ? `this very process (${pid})` : `process ${pid} on ${host}`
  return new FolderLocked(
    folder,
    pid,
    `${folder} is in use by ${who}. Stop it, or choose another data folder; if it is stopping already, running calls ` +
      `may finish first: start again in a moment. If nothing uses this one for certain, remove the file ${file}`,
  )
}

/** Calls back once, when the lock file of a folder that this process holds was removed or replaced. Returns what ends it. */
export function watchHeldFolders(onLost: (folder: string) => void): () => void {
  let isLooking = false
  const timer = setInterval(() => {
    // On a disk that hangs, looks would fill the threads for all other files.
    if (isLooking) return
    isLooking = true
    void firstLost().then((folder) => {
      isLooking = false
      if (folder === null) return
      clearInterval(timer)
      onLost(folder)
    })
  }, WATCH_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function firstLost(): Promise<string | null> {
  for (const own of held) {
    // A disk that does not answer is no removed file.
    const isLost = await own.isLost().catch(() => false)
    if (isLost && held.has(own)) return own.folder
  }
  return null
}
