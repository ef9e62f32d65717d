// Whether the disk of the embedded database has room for it.

import { statfs } from 'node:fs/promises'
import { StoreError } from '../storeError.ts'

/**
 * With less free space nothing is written, and a database that fails to start does not count as damaged. PostgreSQL crashes when
 * there is no room for the next file of its log, and starts again only once there is.
 */
const MIN_FREE_BYTES = 32 << 20

interface Need {
  /** What is written first, in addition to the database's log. */
  readonly bytes?: number
  readonly cause?: unknown
}

/** Throws StoreError `full`. */
export async function requireSpace(path: string, { bytes = 0, cause }: Need = {}): Promise<void> {
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  const need = MIN_FREE_BYTES + bytes
  if (free >= need) return
  const megabytes = (amount: number): number => Math.floor(amount / 2 ** 20)
  const words = `${path} has ${megabytes(free)} MB left on its disk and needs ${megabytes(need)} MB`
  throw new StoreError('full', words, { cause })
}
