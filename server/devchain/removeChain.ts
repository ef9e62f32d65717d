// Removes the files of a chain from its folder, and no others.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ARCHIVE_FILE } from './archive/index.ts'
import { lockLogFolder, OUTLINE_FILE } from './log/index.ts'
import { SEED_FILE } from './seedFile.ts'

const OURS = /^(chain-\d+\.log|snapshot-.*)(\.tmp)?$/
const isOurs = (name: string): boolean => name === OUTLINE_FILE || OURS.test(name) || ARCHIVE_FILE.test(name)

/** Removes the chain of a folder. Rejects with LogLocked while it is in use. */
export async function removeChain(folder: string, { keepSeed = false } = {}): Promise<void> {
  const lock = await lockLogFolder(folder)
  try {
    const names = await readdir(folder)
    // From the end, so that a removal cut short leaves the beginning of a log and not its middle.
    for (const name of names.filter(isOurs).sort().reverse()) await rm(join(folder, name), { force: true })
    // Last, so that a removal cut short leaves no log without the key it was signed with.
    if (!keepSeed) await rm(join(folder, SEED_FILE), { force: true })
  } finally {
    await lock.release()
  }
}
