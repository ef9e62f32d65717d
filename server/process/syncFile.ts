// Makes what was written to an open file safe from a loss of power. By its descriptor: Yarn's Plug'n'Play replaces the file handles of
// Node by ones that cannot sync.

import { fdatasync, fsync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'

const syncAll = promisify(fsync)
const syncContent = promisify(fdatasync)

export const syncFile = ({ fd }: FileHandle): Promise<void> => syncAll(fd)

/** The same without the times of the file. */
export const syncData = ({ fd }: FileHandle): Promise<void> => syncContent(fd)

/** The same for a file that is not open. */
export async function syncDataAt(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await syncData(file).finally(() => file.close())
}
