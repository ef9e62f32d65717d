// What was written to an open file is made safe from a loss of power: by the number of the file, as the handles that Yarn puts in
// the place of Node's (Plug'n'Play) cannot do it.

import { fdatasync, fsync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

const syncAll = promisify(fsync)
const syncContent = promisify(fdatasync)

export const syncFile = ({ fd }: FileHandle): Promise<void> => syncAll(fd)

/** The same without the times of the file. */
export const syncData = ({ fd }: FileHandle): Promise<void> => syncContent(fd)
