// Where a new webhook begins: behind the newest block. Some lower blocks are noted as well: when the newest is undone, it goes on from
// one that is still there.

import { type MasterId, readMasterHashes, type Sql, type WebhookRow } from '../store/index.ts'
import { endOfBlock, writeStreamCursor } from '../streaming/index.ts'
import { writeTrail } from './deliveryTrail.ts'

/** 1, 2, 4, 8 and so on blocks below. */
function seqnosBelow(seqno: number): readonly number[] {
  const all: number[] = []
  for (let distance = 1; distance < seqno; distance *= 2) all.push(seqno - distance)
  return all
}

export async function firstPlace(from: Sql, head: MasterId): Promise<Pick<WebhookRow, 'cursor' | 'trail'>> {
  const below = await readMasterHashes(from, seqnosBelow(head.seqno))
  const place = ({ seqno, rootHash }: MasterId) => endOfBlock({ mcSeqno: seqno, rootHash })
  const first = place(head)
  return { cursor: writeStreamCursor(first), trail: writeTrail([first, ...below.map(place)]) }
}
