// Smaller parts of states: public libraries, queues, block counts of validators.

import { hashFromBytes } from '../../cell/index.ts'
import {
  type BlockIdExt,
  LIBRARIES_PER_QUERY,
  type LibrariesAnswer,
  type LibraryEntry,
  LiteError,
  type QueueSizeAnswer,
  type QueueSizesAnswer,
  type ShardId,
  shardsMeet,
  type ValidatorStatsAnswer,
  type ValidatorStatsQuery,
} from '../../node/index.ts'
import { outQueueOf, stateDetailsOf } from '../../tlb/index.ts'
import { type ChainState, queueSizeOf } from '../state/index.ts'
import type { ChainSource } from './chainSource.ts'
import { checkHash, checkShard } from './checkQuery.ts'
import { NO_PROOF, openMaster, pairBoc, proveAfter, separateBocs, toAnyBoc } from './proofs.ts'

const MOST_PUBLISHERS = 16
const MOST_STATS = 1000
/** External messages a node holds at most. */
export const EXTERNAL_LIMIT = 8000

const WITH_PUBLISHERS = 1
const WITHOUT_BODIES = 2

/** The first few, in order and without doubles. */
export function distinctLibraries(hashes: readonly Uint8Array[]): Uint8Array[] {
  for (const hash of hashes) checkHash(hash, 'a hash')
  const byHash = new Map(hashes.slice(0, LIBRARIES_PER_QUERY).map((hash) => [hashFromBytes(hash), hash]))
  return [...byHash.values()].sort(Buffer.compare)
}

export async function libraries(source: ChainSource, hashes: readonly Uint8Array[]): Promise<LibraryEntry[]> {
  const { libraries: all } = source.reader.moment().master.details
  const entries: LibraryEntry[] = []
  for (const hash of distinctLibraries(hashes)) {
    const found = all.get(hash)
    if (found !== undefined) entries.push({ hash, data: await toAnyBoc(source, found.library) })
  }
  return entries
}

export async function librariesWithProof(
  source: ChainSource,
  id: BlockIdExt,
  hashes: readonly Uint8Array[],
  mode: number,
): Promise<LibrariesAnswer> {
  const wanted = distinctLibraries(hashes)
  const proven = await proveAfter(source, source.locateMaster(id), (state) => {
    const { libraries: all } = stateDetailsOf(state)
    return wanted.flatMap((hash) => {
      const found = all.get(hash)
      if (found === undefined) return []
      let count = 0
      if ((mode & WITH_PUBLISHERS) !== 0)
        for (const _ of found.publishers.keys()) if (++count === MOST_PUBLISHERS) break
      return [{ hash, library: found.library }]
    })
  })
  const bare = (mode & WITHOUT_BODIES) !== 0
  const result: LibraryEntry[] = []
  for (const { hash, library } of proven.value)
    result.push({ hash, data: bare ? NO_PROOF : await toAnyBoc(source, library) })
  return { id, mode, result, ...separateBocs(proven) }
}

export function queueSizes({ reader }: ChainSource, wanted: ShardId | undefined): QueueSizesAnswer {
  if (wanted !== undefined) checkShard(wanted)
  const { master, shard } = reader.moment()
  const shards = [master, shard]
    .filter(({ id }) => wanted === undefined || shardsMeet(id, wanted))
    .map((state: ChainState) => ({ id: state.id, size: queueSizeOf(state) }))
  return { shards, externalLimit: EXTERNAL_LIMIT }
}

export async function blockQueueSize(
  source: ChainSource,
  id: BlockIdExt,
  wantProof: boolean,
): Promise<QueueSizeAnswer> {
  const located = source.locate(id)
  const proven = await proveAfter(source, located, (state) => outQueueOf(state).extra?.queueSize ?? null)
  if (proven.value === null) throw new LiteError('failed', 'no out_msg_queue_size in shard state')
  return { mode: wantProof ? 1 : 0, id, size: proven.value, proof: wantProof ? pairBoc(proven) : NO_PROOF }
}

const STARTS_AFTER = 1
const INCLUSIVE = 2
const MODIFIED_AFTER = 4

export async function validatorStats(
  source: ChainSource,
  id: BlockIdExt,
  { limit, startAfter, inclusive = false, modifiedAfter }: ValidatorStatsQuery,
): Promise<ValidatorStatsAnswer> {
  if (limit < 1) throw new LiteError('badQuery', 'requested entry count limit must be positive')
  if (startAfter !== undefined) checkHash(startAfter, 'a public key')
  const most = Math.min(limit, MOST_STATS)
  const proven = await proveAfter(source, source.locateMaster(id), (state) => {
    const { createStats } = openMaster(state).details
    if (createStats?.kind !== 'plain') throw new LiteError('failed', 'cannot extract block create stats from mc state')
    const start = startAfter === undefined ? {} : { from: startAfter, inclusive }
    const walk = createStats.counters.entries(start)
    for (let count = 0; count < most; count++) if (walk.next().done === true) return { count, complete: true }
    return { count: most, complete: false }
  })
  const mode =
    (startAfter === undefined ? 0 : STARTS_AFTER) |
    (inclusive ? INCLUSIVE : 0) |
    (modifiedAfter === undefined ? 0 : MODIFIED_AFTER)
  return { mode, id, ...proven.value, ...separateBocs(proven) }
}
