// What watchers of blocks are sent in the v4 interface.

import { toBase64 } from '../../../shared/base64.ts'
import { inSlices, type SlicedWork } from '../../fairness/index.ts'
import type { BlockRows } from '../../store/index.ts'
import { addressOfKey } from '../keyOfAccount.ts'
import { bounceableText } from '../view/texts.ts'

/** A block as news; its time is that of the chain twice, as in `/block/latest`. */
export const headText = ({ mcSeqno, utime }: BlockRows): string =>
  JSON.stringify({ seqno: mcSeqno, time: utime, now: utime })

/** Accounts with transactions in a block, each with its last one. */
export async function changesText({ mcSeqno, utime, transactions }: BlockRows, slices: SlicedWork): Promise<string> {
  const changed = new Map<string, string>()
  // They come by logical time, so that the last one of an account stays.
  await inSlices(
    transactions,
    ({ row: { account, lt, hash } }) => {
      const { workchain, hash: id } = addressOfKey(account)
      changed.set(bounceableText(workchain, id), JSON.stringify({ lt: String(lt), hash: toBase64(hash) }))
    },
    slices,
  )
  const members = await inSlices([...changed], ([address, last]) => `"${address}":${last}`, slices)
  return `{"seqno":${mcSeqno},"changed":{${members.join(',')}},"lastUtime":${utime}}`
}
