// Large bags of cells of messages, which are stored apart, each once.

import type { Sql, SqlRow } from '../database.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { inRounds } from '../read/read.ts'
import { isAlong, shortKey } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import { LEAST_SHARED_BYTES, type MessageRow, messages, type SharedBagRow } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'

/** The large bags of some messages. */
export function sharedBagsOf(
  rows: readonly Pick<MessageRow, 'bodyHash' | 'body' | 'initHash' | 'init'>[],
): SharedBagRow[] {
  const bags = new Map<string, SharedBagRow>()
  const add = (hash: Uint8Array | null, bag: Uint8Array | null) => {
    if (hash !== null && bag !== null && bag.length >= LEAST_SHARED_BYTES) bags.set(bytesKey(hash), { hash, bag })
  }
  for (const { bodyHash, body, initHash, init } of rows) {
    add(bodyHash, body)
    add(initHash, init)
  }
  return [...bags.values()]
}

/** What a statement that deletes messages `m` returns of them. */
export const BAGS_OF_DELETED = sql`m.body_hash, m.init_hash`

const { bodyHash, initHash } = messages.fields
const decodeDeleted = decoderOf({ bodyHash, initHash })

/** Deletes the bags of deleted messages that no other message has. */
export async function forgetBags(on: Sql, deleted: readonly SqlRow[]): Promise<void> {
  const hashes = deleted
    .map(decodeDeleted)
    .flatMap((one) => [one.bodyHash, one.initHash])
    .filter((one) => one !== null)
  await inRounds(hashes, (some) =>
    on.query(sql`delete from shared_bags b where b.hash = any(${some}::bytea[])
    and (select 1 from messages m where ${isAlong(sql`m.body_hash`, sql`b.hash`)}
      order by ${shortKey(sql`m.body_hash`)}, m.created_lt limit 1) is null
    and (select 1 from messages m where m.init_hash = b.hash limit 1) is null`),
  )
}
