// keys.json: what it looks like, how it is read and replaced. A file that is not as it should be is never touched.

import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { NETWORKS } from '../../shared/network.ts'
import { hasCode, removeDrafts, replaceFile } from '../process/index.ts'
import { fileVersionOf, NO_FILE } from './fileVersion.ts'
import type { KeyRecord } from './keyRecord.ts'
import { KeyStoreError } from './keyStoreError.ts'
import { BUILT_IN, CUSTOM, MAX_PER_SECOND } from './plans.ts'

/** A key as it is kept; when it was used last is kept elsewhere, so that a server never rewrites this file. */
export type KeptRecord = Omit<KeyRecord, 'lastUsedAt'>

/** The keys of one version of the file. */
export interface KeyFile {
  readonly version: string
  readonly records: readonly KeptRecord[]
}

const Moment = z.int().min(0)

const Row = z
  .strictObject({
    id: z.string().regex(/^[0-9a-z]{4,32}$/),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    hint: z.string().max(64),
    network: z.enum(NETWORKS),
    plan: z.enum(BUILT_IN.map(({ name }) => name)),
    perSecond: z.int().min(1).max(MAX_PER_SECOND).nullable(),
    monthly: z.int().min(1).nullable().default(null),
    label: z.string().max(400),
    createdAt: Moment,
    expiresAt: Moment.nullable(),
    revokedAt: Moment.nullable(),
  })
  .refine((row) => (row.plan === CUSTOM) === (row.perSecond !== null), {
    message: 'a custom plan has a rate, the others have none',
    path: ['perSecond'],
  })

const Contents = z.strictObject({
  version: z.literal(1),
  keys: z.array(Row).refine((rows) => new Set(rows.map((row) => row.hash)).size === rows.length, {
    message: 'the same key is here twice',
  }),
})

/** Reads the keys; none when there is no file. Throws KeyStoreError `damaged`, naming the file and the place in it. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  const opened = await openIfThere(path)
  if (opened === null) return { version: NO_FILE, records: [] }
  try {
    // Both from the same open file: a version read by name could be that of the next one.
    const version = fileVersionOf(await opened.stat())
    return { version, records: parse(path, await opened.readFile('utf8')) }
  } finally {
    await opened.close()
  }
}

/** Replaces the keys. Only for who holds the lock. */
export async function writeKeyFile(path: string, records: readonly KeptRecord[]): Promise<void> {
  await removeDrafts(path)
  await replaceFile(path, `${JSON.stringify({ version: 1, keys: records }, null, 2)}\n`)
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

function parse(path: string, text: string): readonly KeptRecord[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw damaged(path, 'it is not JSON', error)
  }
  const read = Contents.safeParse(json)
  if (read.success) return read.data.keys
  const [issue] = read.error.issues
  throw damaged(path, issue ? `${issue.path.map(String).join('.') || 'the whole'}: ${issue.message}` : '', read.error)
}

const damaged = (path: string, what: string, cause: unknown): KeyStoreError =>
  new KeyStoreError(
    'damaged',
    `The key file ${path} is damaged (${what}). It was not changed: repair it, or restore a backup`,
    { cause },
  )
