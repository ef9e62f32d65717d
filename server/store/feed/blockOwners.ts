// Owners of the items of blocks, which are read for those who want them alone.

import type { Sql } from '../database.ts'
import { itemOwnersRead } from '../read/assets/nfts.ts'
import { inRounds, readAll } from '../read/read.ts'
import type { NftOwnersRow } from '../tables/events.ts'
import { comingOwners, firstOwners, type ItemLook } from '../write/itemOwners.ts'
import type { BlockRows, ReadBlockRows } from './blockRows.ts'
import { demandIndexed } from './blockRowsFeed.ts'

async function ownersOfBlock({ transactions, mcSeqno }: ReadBlockRows, store: Sql): Promise<readonly NftOwnersRow[]> {
  const hashes = transactions.map(({ row }) => row.hash)
  const found = await inRounds(hashes, (some) => readAll(store, itemOwnersRead(some)))
  await demandIndexed(store, mcSeqno)
  return found
}

/** Of a block that can be read from the index: once, unless that fails. */
export function withItemOwners(rows: ReadBlockRows, store: Sql): BlockRows {
  let read: Promise<readonly NftOwnersRow[]> | null = null
  const itemOwners = (): Promise<readonly NftOwnersRow[]> => {
    read ??= ownersOfBlock(rows, store)
    read.catch(() => {
      read = null
    })
    return read
  }
  return { ...rows, itemOwners }
}

/** Of blocks that are about to be written; of the first ones of an index, whose reads wait for them, without a store. */
export async function withComingOwners(
  all: readonly ReadBlockRows[],
  looks: readonly ItemLook[],
  store: Sql | null,
): Promise<readonly BlockRows[]> {
  // Where they cannot be read the blocks are written all the same, and the changes come once they are final.
  const found = store === null ? firstOwners(looks) : await ownersAfter(looks, store).catch(() => [])
  return all.map((rows) => {
    const own = found.filter(({ mcSeqno }) => mcSeqno === rows.mcSeqno)
    return { ...rows, itemOwners: () => Promise.resolve(own) }
  })
}

async function ownersAfter(looks: readonly ItemLook[], store: Sql): Promise<readonly NftOwnersRow[]> {
  const wanted = looks.filter(({ txHash }) => txHash !== null)
  return wanted.length === 0 ? [] : await comingOwners(store, wanted)
}
