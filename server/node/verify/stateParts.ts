// Smaller parts of states: public libraries, the size of the outgoing queue, block counts of validators.

import { type Cell, hashFromBytes, sameBytes } from '../../cell/index.ts'
import { type CreatorStats, outQueueOf, stateDetailsOf } from '../../tlb/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { LibrariesAnswer, QueueSizeAnswer, ValidatorStatsAnswer } from '../liteAnswers.ts'
import type { ValidatorStatsQuery } from '../liteServer.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, refusing, wholeTree } from './readProof.ts'
import { detailsOf, masterchainOfState, provenState, provenStatePair } from './state.ts'

/** Libraries by hash, lowercase hex. */
export type VerifiedLibraries = ReadonlyMap<string, Cell>

/** A lite server looks up at most so many libraries in one query. */
export const LIBRARIES_PER_QUERY = 16
const MOST_STATS = 1000
const NO_BODY = 2

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * Checks libraries as of a masterchain block, including the absence of those not shown. When the query left out the library
 * cells, the returned cells have their hashes but cannot be read.
 */
export const verifyLibrariesWithProof = (
  id: BlockIdExt,
  wanted: readonly Uint8Array[],
  answer: LibrariesAnswer,
): VerifiedLibraries => refusing('libraries', () => provenLibraries(id, wanted, answer))

function provenLibraries(id: BlockIdExt, wanted: readonly Uint8Array[], answer: LibrariesAnswer): VerifiedLibraries {
  demandSameBlock(answer.id, id)
  const { libraries } = stateDetailsOf(provenState(id, answer.stateProof, answer.dataProof))
  const shown = new Map(answer.result.map((entry) => [hashFromBytes(entry.hash), entry.data]))
  demand(shown.size === answer.result.length, 'library', 'a library is shown twice')
  const found = new Map<string, Cell>()
  for (const hash of wanted.slice(0, LIBRARIES_PER_QUERY)) {
    const key = hashFromBytes(hash)
    const data = shown.get(key)
    const proven = libraries.get(hash)?.library
    if (found.has(hex(hash))) continue
    demand((proven === undefined) === (data === undefined), 'library', 'a library is shown or kept back wrongly')
    if (proven === undefined || data === undefined) continue
    demand(proven.hash() === key, 'library', 'the state names another library')
    const isBare = data.length === 0 && (answer.mode & NO_BODY) !== 0
    const cell = isBare ? proven : wholeTree(data)
    demand(cell.hash() === key, 'hash', 'a library has another hash')
    found.set(hex(hash), cell)
    shown.delete(key)
  }
  demand(found.size === answer.result.length, 'library', 'a library that was not requested')
  return found
}

/** Checks the number of messages in the outgoing queue of a shard after a block. */
export function verifyQueueSize(id: BlockIdExt, answer: QueueSizeAnswer): number {
  return refusing('queue', () => {
    demandSameBlock(answer.id, id)
    const size = outQueueOf(provenStatePair(id, answer.proof)).extra?.queueSize ?? null
    demand(size === answer.size, 'queue', `${size} messages wait, not ${answer.size}`)
    return answer.size
  })
}

export interface VerifiedValidatorStats {
  /** By public key; the zero key counts all blocks. */
  readonly rows: readonly (readonly [Uint8Array, CreatorStats])[]
  readonly complete: boolean
}

/** Checks a range of the validators' block counts. */
export function verifyValidatorStats(
  id: BlockIdExt,
  { limit, startAfter, inclusive = false }: ValidatorStatsQuery,
  answer: ValidatorStatsAnswer,
): VerifiedValidatorStats {
  return refusing('validator statistics', () => {
    demandSameBlock(answer.id, id)
    const state = provenState(id, answer.stateProof, answer.dataProof)
    const { createStats } = detailsOf(masterchainOfState(id, state))
    demand(createStats?.kind === 'plain', 'unsupported', 'the state has no statistics of the known form')
    const most = Math.min(limit, MOST_STATS)
    demand(answer.count <= most && answer.count >= 0, 'list', `${answer.count} rows where up to ${most} were wanted`)
    const start = startAfter === undefined ? {} : { from: startAfter, inclusive }
    const walk = createStats.counters.entries(start)
    const rows: (readonly [Uint8Array, CreatorStats])[] = []
    while (rows.length < answer.count) {
      const next = walk.next()
      demand(next.done !== true, 'list', 'more rows are announced than are proven')
      rows.push(next.value)
    }
    demand(answer.complete || answer.count === most, 'list', 'the list breaks off before it is full')
    if (answer.complete) demand(walk.next().done === true, 'list', 'rows are left out at the end')
    return { rows, complete: answer.complete }
  })
}

/** Checks a whole state against its known hash, a zerostate also by its bytes. */
export function verifyState(id: BlockIdExt, stateHash: Uint8Array, boc: Uint8Array): Cell {
  return refusing('state', () => {
    const root = wholeTree(boc)
    demand(
      sameBytes(root.hashBytes(), stateHash),
      'hash',
      `the state after ${id.workchain}:${id.seqno} has another hash`,
    )
    return root
  })
}
