import { type FolderLock, FolderLocked, lockFolder as lock } from '../../process/index.ts'
import { LogLocked } from './logErrors.ts'

export type { FolderLock }

/** Takes a folder for this process, making it when it is missing. Throws LogLocked when it is in use. */
export async function lockLogFolder(folder: string): Promise<FolderLock> {
  try {
    return await lock(folder)
  } catch (error) {
    throw error instanceof FolderLocked ? new LogLocked(error) : error
  }
}
