// Dispatch queues. This chain delivers every message in the block that makes it or in the next, so the queues are always
// empty, which the answers prove.

import {
  type BlockIdExt,
  type DispatchMessagesAnswer,
  type DispatchMessagesQuery,
  type DispatchQueuesAnswer,
  type DispatchQueuesQuery,
  LiteError,
} from '../../node/index.ts'
import { outQueueOf } from '../../tlb/index.ts'
import type { ChainSource } from './chainSource.ts'
import { checkHash } from './checkQuery.ts'
import { NO_PROOF, pairBoc, proveAfter } from './proofs.ts'

const queueBits = { proof: 1, after: 2 } as const
const messageBits = { proof: 1, oneAccount: 2, bodies: 4 } as const

const bitIf = (bit: number, isSet: boolean | undefined): number => (isSet === true ? bit : 0)

async function proveEmpty(source: ChainSource, id: BlockIdExt, wantProof = false): Promise<Uint8Array> {
  const proven = await proveAfter(source, source.locate(id), (state) => {
    const queue = outQueueOf(state).extra?.dispatchQueue
    return queue === undefined || queue.root === null
  })
  if (!proven.value) throw new LiteError('failed', 'the dispatch queue is not empty, which this server does not show')
  return wantProof ? pairBoc(proven) : NO_PROOF
}

export async function dispatchQueues(
  source: ChainSource,
  id: BlockIdExt,
  { count, after, wantProof }: DispatchQueuesQuery,
): Promise<DispatchQueuesAnswer> {
  if (after !== undefined) checkHash(after, 'an account id')
  if (count < 1) throw new LiteError('badQuery', 'invalid max_accounts')
  const proof = await proveEmpty(source, id, wantProof)
  const mode = bitIf(queueBits.proof, wantProof) | bitIf(queueBits.after, after !== undefined)
  return { mode, id, queues: [], complete: true, proof }
}

export async function dispatchMessages(
  source: ChainSource,
  id: BlockIdExt,
  { count, account, onlyThisAccount, wantProof, wantBodies }: DispatchMessagesQuery,
): Promise<DispatchMessagesAnswer> {
  checkHash(account, 'an account id')
  if (count < 1) throw new LiteError('badQuery', 'invalid max_messages')
  const proof = await proveEmpty(source, id, wantProof)
  const mode =
    bitIf(messageBits.proof, wantProof) |
    bitIf(messageBits.oneAccount, onlyThisAccount) |
    bitIf(messageBits.bodies, wantBodies)
  return { mode, id, messages: [], complete: true, proof, bodies: NO_PROOF }
}
