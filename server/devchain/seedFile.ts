// The secret of a chain, in a file that only its owner can read. It is there before anything is signed with it.

import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

export const SEED_FILE = 'validator.key'
const SEED_BYTES = 32
const FORM = /^[0-9a-f]{64}\s*$/

/** The seed of the chain in a folder; a new one, or `wanted`, when there is none yet. For the holder of its lock. */
export async function keptSeed(folder: string, wanted?: Uint8Array): Promise<Uint8Array> {
  const path = join(folder, SEED_FILE)
  try {
    const text = await readFile(path, 'utf8')
    if (!FORM.test(text))
      throw new Error(`${path} does not hold a key; put it back from a copy, or move the folder away`)
    return new Uint8Array(Buffer.from(text.trim(), 'hex'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const seed = new Uint8Array(wanted ?? randomBytes(SEED_BYTES))
  const draft = `${path}.tmp`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${Buffer.from(seed).toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  return seed
}
