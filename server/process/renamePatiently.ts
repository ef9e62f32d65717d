// A file or folder gets its name, also while others have it open.

import { rename } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from './systemErrors.ts'

/** Windows refuses while a process has a file open that goes or comes, be it a reader or a virus scanner: both are done soon. */
const PAUSES_MS = process.platform === 'win32' ? [5, 10, 20, 40, 80, 160, 320, 640] : []

const isRefused = (error: unknown): boolean => hasCode(error, 'EPERM', 'EACCES', 'EBUSY')

/** Like `rename`; a refusal counts when it is still there after the pauses. */
export async function renamePatiently(from: string, to: string, pauses = PAUSES_MS, move = rename): Promise<void> {
  for (const ms of pauses) {
    try {
      await move(from, to)
      return
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    await wait(ms)
  }
  await move(from, to)
}
