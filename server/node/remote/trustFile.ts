// The proven blocks of a network, stored so that the next start continues from them. The file is replaced atomically and
// has a hash of its content: an altered file is refused, because its content decides which chain is trusted.

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { base64Of } from '../../cell/index.ts'
import { failureText, hasCode, removeOldDrafts, replaceFile } from '../../process/index.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import type { TrustStart } from './networks.ts'
import { TrustError } from './trustError.ts'

export interface ProvenAt {
  readonly id: BlockIdExt
  /** When it was made; null when that is not known, as of a zerostate. */
  readonly utime: number | null
}

export interface TrustRecord {
  readonly zerostate: BlockIdExt
  /** The block trust began with. */
  readonly start: BlockIdExt
  /** The newest key block that was proven. */
  readonly key: ProvenAt
  /** The newest block that was proven. */
  readonly last: ProvenAt
}

/** Of a chain of which nothing else is proven yet. */
export function recordOf({ zerostate, block }: TrustStart): TrustRecord {
  const at = { id: block, utime: null }
  return { zerostate, start: block, key: at, last: at }
}

/** Stores a record between starts. */
export interface TrustStore {
  /** Where it is stored, for operators. */
  readonly name: string
  /** Null when nothing is stored yet. Rejects with TrustError. */
  read(): Promise<TrustRecord | null>
  write(record: TrustRecord): Promise<void>
}

const MOST_BYTES = 64 * 1024
const HASH_BYTES = 32

const hash = z.base64().transform((text, context) => {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  if (bytes.length !== HASH_BYTES) context.addIssue('a hash has 32 bytes')
  return bytes
})

const blockId = z.strictObject({ seqno: z.int().min(0), root_hash: hash, file_hash: hash }).transform(
  (id): BlockIdExt => ({
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: id.seqno,
    rootHash: id.root_hash,
    fileHash: id.file_hash,
  }),
)

const provenAt = z.strictObject({ id: blockId, utime: z.int().min(0).nullable() })
const recordShape = z.strictObject({ zerostate: blockId, start: blockId, key: provenAt, last: provenAt })
const fileShape = z.strictObject({ version: z.literal(1), proven: z.unknown(), sha256: z.string() })

const plainId = ({ seqno, rootHash, fileHash }: BlockIdExt): object => ({
  seqno,
  root_hash: base64Of(rootHash),
  file_hash: base64Of(fileHash),
})
const plainAt = ({ id, utime }: ProvenAt): object => ({ id: plainId(id), utime })

const digestOf = (proven: unknown): string => createHash('sha256').update(JSON.stringify(proven)).digest('hex')

function trustText({ zerostate, start, key, last }: TrustRecord): string {
  const proven = { zerostate: plainId(zerostate), start: plainId(start), key: plainAt(key), last: plainAt(last) }
  return `${JSON.stringify({ version: 1, proven, sha256: digestOf(proven) }, null, 2)}\n`
}

const remedy = (path: string): string =>
  `delete ${path} to prove the chain again from its start, which takes some minutes on a public network`

/** Throws TrustError. */
function parseTrust(path: string, text: string): TrustRecord {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new TrustError('unreadable', `${path} is not JSON: ${remedy(path)}`, { cause })
  }
  const file = fileShape.safeParse(json)
  if (!file.success)
    throw new TrustError('unreadable', `${path} is no file of proven blocks of this version: ${remedy(path)}`)
  if (file.data.sha256 !== digestOf(file.data.proven))
    throw new TrustError('altered', `${path} was altered since it was written: ${remedy(path)}`)
  const record = recordShape.safeParse(file.data.proven)
  if (!record.success) throw new TrustError('unreadable', `${path} does not say what was proven: ${remedy(path)}`)
  return record.data
}

async function textOf(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) throw new TrustError('unreadable', `${path} has ${size} bytes: ${remedy(path)}`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    if (error instanceof TrustError) throw error
    const cause = failureText(error)
    throw new TrustError('unreadable', `${path} cannot be read (${cause}): mend its permissions, or ${remedy(path)}`)
  }
}

/** A record in a file; the folder is made when it is missing. */
export function createTrustFile(path: string): TrustStore {
  return {
    name: path,
    async read() {
      await removeOldDrafts(path)
      const text = await textOf(path)
      return text === null ? null : parseTrust(path, text)
    },
    write: (record) => replaceFile(path, trustText(record)),
  }
}

/** The stored record, or null when it must be proven again. Rejects with TrustError when it is of another network. */
export async function keptRecord(
  store: TrustStore,
  { zerostate, start }: Pick<TrustRecord, 'zerostate' | 'start'>,
): Promise<TrustRecord | null> {
  const record = await store.read()
  if (record === null) return null
  if (!isSameBlock(record.zerostate, zerostate))
    throw new TrustError(
      'network',
      `${store.name} is of another network, whose zerostate is ${base64Of(record.zerostate.rootHash)}: ` +
        `use another data folder, or delete the file if this one is to be used for the new network`,
    )
  // A newer start may be a hard fork; the stored blocks are then on the abandoned branch.
  if (start.seqno > record.start.seqno) return null
  return start.seqno === record.start.seqno && !isSameBlock(start, record.start) ? null : record
}
