// Dispatch queues: which accounts have messages there, and which messages.

import { openCell, sameBytes } from '../../cell/index.ts'
import { loadEnvelope, type MessageMetadata, outQueueOf } from '../../tlb/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type {
  DispatchMessagesAnswer,
  DispatchQueueMessage,
  DispatchQueueOfAccount,
  DispatchQueuesAnswer,
  TransactionMetadata,
} from '../liteAnswers.ts'
import type { DispatchMessagesQuery, DispatchQueuesQuery } from '../liteServer.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, fewRootsOf, refusing } from './readProof.ts'
import { provenStatePair } from './state.ts'

const MOST_SHOWN = 64

function queueOf(id: BlockIdExt, answer: { readonly id: BlockIdExt; readonly proof: Uint8Array }) {
  demandSameBlock(answer.id, id)
  return outQueueOf(provenStatePair(id, answer.proof)).extra?.dispatchQueue ?? null
}

/** Checks that the shown entries are in order with no gap before or between them and, when complete, none after. */
function demandList<T>(
  proven: Iterator<T>,
  { shown, complete, most }: { readonly shown: number; readonly complete: boolean; readonly most: number },
  check: (one: T, i: number) => boolean,
): void {
  demand(shown <= Math.min(most, MOST_SHOWN), 'list', `${shown} entries where up to ${most} were wanted`)
  for (let i = 0; i < shown; i++) {
    const next = proven.next()
    demand(next.done !== true && check(next.value, i), 'queue', `entry ${i} of the queue is another one`)
  }
  demand(complete || shown > 0, 'list', 'the list breaks off before it begins')
  if (complete) demand(proven.next().done === true, 'list', 'entries are left out at the end')
}

/** Checks which accounts have queued messages after a block. */
export function verifyDispatchQueues(
  id: BlockIdExt,
  { count, after }: DispatchQueuesQuery,
  answer: DispatchQueuesAnswer,
): readonly DispatchQueueOfAccount[] {
  return refusing('dispatch queue', () => {
    const queue = queueOf(id, answer)
    const start = after === undefined ? {} : { from: after, inclusive: false }
    const { queues, complete } = answer
    const entries = queue?.entries(start) ?? [].values()
    demandList(entries, { shown: queues.length, complete, most: count }, ([account, { messages, count: size }], i) => {
      const shown = queues[i]
      return (
        shown !== undefined &&
        sameBytes(shown.account, account) &&
        shown.size === size &&
        shown.minLt === messages.min()?.[0] &&
        shown.maxLt === messages.max()?.[0]
      )
    })
    return queues
  })
}

/** Metadata may be left out; when shown it must be right. */
function isSameMetadata(shown: TransactionMetadata | null, proven: MessageMetadata | null): boolean {
  if (shown === null) return true
  if (proven === null || proven.initiator.kind !== 'std') return false
  const { initiator } = proven
  return (
    shown.depth === proven.depth &&
    shown.initiatorLt === proven.initiatorLt &&
    shown.initiator.workchain === initiator.workchain &&
    sameBytes(shown.initiator.hash, initiator.hash)
  )
}

/** As the public node reads it: `afterLt` is for the first account that has messages, and below 0 it is 0. */
function* walk(queue: ReturnType<typeof queueOf>, query: DispatchMessagesQuery) {
  let after = query.afterLt < 0n ? 0n : query.afterLt
  for (const [account, { messages }] of queue?.entries({ from: query.account }) ?? []) {
    if (query.onlyThisAccount === true && !sameBytes(account, query.account)) return
    for (const [lt, { envelope }] of messages.entries({ from: after, inclusive: false }))
      yield { account, lt, ...loadEnvelope(openCell(envelope)) }
    after = 0n
  }
}

/** Checks which messages are queued after a block. */
export function verifyDispatchMessages(
  id: BlockIdExt,
  query: DispatchMessagesQuery,
  answer: DispatchMessagesAnswer,
): readonly DispatchQueueMessage[] {
  return refusing('dispatch queue', () => {
    const queue = queueOf(id, answer)
    const { messages, complete } = answer
    const roots = answer.bodies.length === 0 ? [] : fewRootsOf(answer.bodies, MOST_SHOWN)
    demand(query.wantBodies !== true || roots.length === messages.length, 'list', 'not one body for each message')
    demandList(
      walk(queue, query),
      { shown: messages.length, complete, most: query.count },
      ({ message, metadata, ...one }, i) => {
        const shown = messages[i]
        const body = roots[i]
        return (
          shown !== undefined &&
          sameBytes(shown.account, one.account) &&
          shown.lt === one.lt &&
          sameBytes(shown.hash, message.hashBytes()) &&
          isSameMetadata(shown.metadata, metadata) &&
          (body === undefined || body.hash() === message.hash())
        )
      },
    )
    return messages
  })
}
