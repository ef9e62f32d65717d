// Where a chain was forked off a network: the block whose accounts it begins with.

import type { Cell } from '../../cell/index.ts'
import { type Chain, LiteError, MASTERCHAIN } from '../../node/index.ts'
import { FULL_SHARD, readableParam } from '../../tlb/index.ts'
import { isReadableParam } from '../collate/index.ts'
import type { ForkBlock } from '../journal/index.ts'

/** What a chain takes over from the network at its beginning. */
export interface ForkStart {
  readonly point: ForkBlock
  /** So that wallets sign for both. */
  readonly globalId: number
  readonly configParams: ReadonlyMap<number, Cell>
  /** Parameters of the network that cannot be read, and are not taken over. */
  readonly unreadable: readonly number[]
}

/**
 * Parameters that hold for contracts: prices, limits, roots of DNS and bridges. The chain keeps its own validators, elections and
 * system contracts, and the version that its TVM knows.
 */
const TAKEN = [4, 18, 20, 21, 22, 23, 24, 25, 43, 44, 45, 71, 72, 73, 79, 81, 82] as const

/** A network that cannot be forked as it was asked for. */
export class ForkRefused extends Error {
  override readonly name = 'ForkRefused'
}

const refuseGone = (seqno: number) => (cause: unknown) => {
  if (!(cause instanceof LiteError && cause.isMissing)) throw cause
  throw new ForkRefused(`its lite servers do not have block ${seqno} any more: name archive servers, or a newer block`)
}

/** The given block of the network, or its newest. Rejects as the chain does. */
export async function readForkStart(chain: Chain, seqno: number | null): Promise<ForkStart> {
  const head = await chain.head()
  if (seqno !== null && seqno > head.id.seqno)
    throw new ForkRefused(`the network has no block ${seqno} yet: its newest is ${head.id.seqno}`)
  const query = { workchain: MASTERCHAIN, shard: FULL_SHARD, seqno: seqno ?? head.id.seqno }
  const { id, info } = await chain.find(query).catch(refuseGone(query.seqno))
  const { config } = await chain.config(id, 'all').catch(refuseGone(query.seqno))
  const globalId = readableParam(config, 19)
  if (globalId === null) throw new ForkRefused('the configuration of the network has no global id (parameter 19)')
  const unreadable: number[] = []
  const configParams = new Map<number, Cell>()
  for (const number of TAKEN) {
    const cell = config.params.get(number)
    if (!isReadableParam(config, number)) unreadable.push(number)
    else if (cell !== undefined) configParams.set(number, cell)
  }
  const ends = (await chain.shards(id).catch(refuseGone(query.seqno))).map(({ description }) => description.endLt)
  const shardLt = ends.reduce((least, lt) => (lt < least ? lt : least), info.endLt)
  return { point: { block: id, utime: info.genUtime, lt: info.endLt, shardLt }, globalId, configParams, unreadable }
}
