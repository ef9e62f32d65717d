// What the service would trust of a network: where trust starts, what was proven before, and how far servers prove it.

import { trustFileOf } from '../../app/index.ts'
import { base64Of } from '../../cell/index.ts'
import {
  type BlockIdExt,
  createTrustFile,
  type Examination,
  keptRecord,
  type ReachedKey,
  TrustError,
  type TrustStart,
} from '../../node/index.ts'

export interface TrustReport {
  readonly start: BlockIdExt
  /** The newest key block a server led to; null when none did. */
  readonly key: (ReachedKey & { readonly server: string }) | null
  readonly file: string
  /** The newest proven block in the file; null without one. */
  readonly kept: number | null
  /** Why a start with this file is refused. */
  readonly trouble: string | null
}

export async function readTrust(
  data: string,
  start: TrustStart,
  usable: readonly Pick<Examination, 'server' | 'key'>[],
): Promise<TrustReport> {
  const file = trustFileOf(data)
  const keys = usable.flatMap(({ server, key }) => (key === null ? [] : [{ ...key, server }]))
  const key = keys.sort((a, b) => b.id.seqno - a.id.seqno)[0] ?? null
  const report = { start: start.block, key, file }
  try {
    const record = await keptRecord(createTrustFile(file), { zerostate: start.zerostate, start: start.block })
    return { ...report, kept: record?.last.id.seqno ?? null, trouble: null }
  } catch (error) {
    if (!(error instanceof TrustError)) throw error
    return { ...report, kept: null, trouble: error.message }
  }
}

/** As a configuration names a block. The shard is a string: no number of JavaScript holds it. */
export const blockJson = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard: String(BigInt.asIntN(64, shard)),
  seqno,
  root_hash: base64Of(rootHash),
  file_hash: base64Of(fileHash),
})

/** As in a global.config.json, on one line. */
const initBlock = (id: BlockIdExt): string =>
  `"init_block": ${JSON.stringify(blockJson(id)).replace(/"(-9223372036854775808)"/, '$1')}`

export function trustText({ start, key, kept, trouble, file }: TrustReport): string {
  const lines = [`trust starts at ${start.seqno === 0 ? 'the zerostate' : `block ${start.seqno}`}`]
  if (key !== null) {
    const made = key.utime === null ? '' : ` of ${new Date(key.utime * 1000).toISOString().slice(0, 19)}Z`
    const rest = key.isNewest ? 'the newest one' : 'newer ones are proven when the service starts'
    lines.push(`key block ${key.id.seqno}${made} is proven by ${key.server}: ${rest}`)
    if (key.id.seqno > start.seqno) lines.push(`to begin there, put it into the list: ${initBlock(key.id)}`)
  }
  if (trouble !== null) lines.push(`what was proven before cannot be used: ${trouble}`)
  else if (kept !== null) lines.push(`proven before, up to block ${kept}: ${file}`)
  return lines.join('\n')
}
