// keys.json: what it looks like, how it is read and replaced. A file that is not as it should be is never touched. With ten
// thousand keys it has 4 MB: to read or write it at once held the event loop for 30 ms and more.

import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { NETWORKS } from '../../shared/network.ts'
import { inSlices, parseInSlices } from '../fairness/index.ts'
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
    allAccounts: z.boolean().default(false),
    createdAt: Moment,
    expiresAt: Moment.nullable(),
    revokedAt: Moment.nullable(),
  })
  .refine((row) => (row.plan === CUSTOM) === (row.perSecond !== null), {
    message: 'a custom plan has a rate, the others have none',
    path: ['perSecond'],
  })

/** Its keys are checked one by one. */
const Contents = z.strictObject({ version: z.literal(1), keys: z.array(z.unknown()) })

const SLICING = { subject: 'keys' }
/** Written at once. */
const FEW_KEYS = 200

/** Reads the keys; none when there is no file. Throws KeyStoreError `damaged`, naming the file and the place in it. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  const opened = await openIfThere(path)
  if (opened === null) return { version: NO_FILE, records: [] }
  try {
    // Both from the same open file: a version read by name could be that of the next one.
    const version = fileVersionOf(await opened.stat())
    return { version, records: await parse(path, await opened.readFile('utf8')) }
  } finally {
    await opened.close()
  }
}

/** Programs before it refuse a file with a member that they do not know. */
const written = ({ allAccounts, ...record }: KeptRecord) => (allAccounts ? { ...record, allAccounts } : record)

/** Replaces the keys. Only for who holds the lock. */
export async function writeKeyFile(path: string, records: readonly KeptRecord[]): Promise<void> {
  await removeDrafts(path)
  const groups = Array.from({ length: Math.ceil(records.length / FEW_KEYS) }, (_, i) =>
    records.slice(i * FEW_KEYS, (i + 1) * FEW_KEYS),
  )
  // Of a list with a line for each value, the text between its brackets, a level further in.
  const lines = (some: readonly KeptRecord[]) =>
    JSON.stringify(some.map(written), null, 2).slice(1, -2).replaceAll('\n', '\n  ')
  const texts = await inSlices(groups, lines, SLICING)
  const keys = texts.map((text, i) => (i === 0 ? text : `,${text}`))
  await replaceFile(path, ['{\n  "version": 1,\n  "keys": [', ...keys, keys.length > 0 ? '\n  ]\n}\n' : ']\n}\n'])
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

async function parse(path: string, text: string): Promise<readonly KeptRecord[]> {
  let json: unknown
  try {
    // Some editors put a byte order mark first.
    json = await parseInSlices(text.replace(/^\uFEFF/, ''), SLICING)
  } catch (error) {
    throw damaged(path, 'it is not JSON', error)
  }
  const contents = checked(path, [], () => Contents.safeParse(json))
  const hashes = new Set<string>()
  const row = ([i, key]: [number, unknown]) => {
    const found = checked(path, ['keys', i], () => Row.safeParse(key))
    hashes.add(found.hash)
    return found
  }
  const rows = await inSlices([...contents.keys.entries()], row, SLICING)
  if (hashes.size < rows.length) throw damaged(path, 'keys: the same key is here twice')
  return rows
}

/** What a schema makes of the value in one place of the file. */
function checked<T>(path: string, place: readonly PropertyKey[], read: () => z.ZodSafeParseResult<T>): T {
  const { success, data, error } = read()
  if (success) return data
  const [issue] = error.issues
  const where = [...place, ...(issue?.path ?? [])].map(String).join('.') || 'the whole'
  throw damaged(path, issue ? `${where}: ${issue.message}` : '', error)
}

const damaged = (path: string, what: string, cause?: unknown): KeyStoreError =>
  new KeyStoreError(
    'damaged',
    `The key file ${path} is damaged (${what}). It was not changed: repair it, or restore a backup`,
    { cause },
  )
