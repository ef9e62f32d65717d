// A secret of 32 bytes in a file that only its owner can read. It is on the disk before anything is made of it.

import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { renamePatiently } from './renamePatiently.ts'
import { syncFile } from './syncFile.ts'
import { hasCode } from './systemErrors.ts'

const SECRET_BYTES = 32
const FORM = /^[0-9a-f]{64}\s*$/

/** The file holds something else; the text says what to do. */
export class SecretDamaged extends Error {
  override readonly name = 'SecretDamaged'
}

async function read(path: string): Promise<Uint8Array | null> {
  try {
    const text = await readFile(path, 'utf8')
    if (!FORM.test(text))
      throw new SecretDamaged(`${path} does not hold a key: restore it from a backup, or move the folder away`)
    return new Uint8Array(Buffer.from(text.trim(), 'hex'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Gives a file its name, unless another process was first. */
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
    await rm(draft)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) await rm(draft)
    // Some file systems have no second names.
    else await renamePatiently(draft, path)
  }
}

/** The secret in a file; a new one, or `wanted`, when there is none yet. Rejects with SecretDamaged. */
export async function keptSecret(path: string, wanted?: Uint8Array): Promise<Uint8Array> {
  const known = await read(path)
  if (known !== null) return known
  const secret = new Uint8Array(wanted ?? randomBytes(SECRET_BYTES))
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${Buffer.from(secret).toString('hex')}\n`)
      await syncFile(file)
    } finally {
      await file.close()
    }
    await publish(draft, path)
  } catch (error) {
    // On a full disk each start would leave one.
    await rm(draft, { force: true })
    throw error
  }
  return (await read(path)) ?? secret
}
