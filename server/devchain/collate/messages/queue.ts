// The queue of messages queued for the other chain (or, from a block that was full, to this one), and envelopes.

import { type BinaryHash, type Cell, hashFromBytes } from '../../../cell/index.ts'
import {
  type EnqueuedMessage,
  fromCell,
  type InternalInfo,
  internalInfoOf,
  loadEnvelope,
  type MessageEnvelope,
  storeEnvelope,
  toCell,
} from '../../../tlb/index.ts'
import { type ChainState, isProcessed, type ProcessedMark, readMarks } from '../../state/index.ts'
import type { Draft } from '../blockDraft.ts'
import { type CreatedMessage, compareMessages } from './messageHeap.ts'
import { accountOf } from './transact.ts'

/** Bits of routing; all of them are the destination's when nothing is left to go. */
const ALL = 96
const KEY_BYTES = 44
const PREFIX_BYTES = 12

export interface QueuedMessage {
  readonly key: Uint8Array
  readonly envelopeCell: Cell
  readonly envelope: MessageEnvelope
  readonly info: InternalInfo
  readonly lt: bigint
  readonly hash: BinaryHash
}

/** The envelope of a message that has arrived, or that goes straight to the other chain. */
export function envelopeCell(message: Cell, fwdFeeRemaining: bigint, isLocal: boolean): Cell {
  const envelope: MessageEnvelope = {
    version: 1,
    current: { kind: 'regular', destBits: isLocal ? ALL : 0 },
    next: { kind: 'regular', destBits: ALL },
    fwdFeeRemaining,
    message,
    emittedLt: null,
    metadata: null,
  }
  return toCell(envelope, storeEnvelope)
}

function queueKey(workchain: number, account: Uint8Array, hash: BinaryHash): Uint8Array {
  const key = Buffer.alloc(KEY_BYTES)
  key.writeInt32BE(workchain)
  key.set(account.subarray(0, 8), 4)
  key.write(hash, PREFIX_BYTES, 'latin1')
  return key
}

/** Puts a created message into the queue. */
export function enqueueMessage(draft: Draft, { lt, hash, message, info, transaction }: CreatedMessage): void {
  const { workchain } = info.dest
  const envelope = envelopeCell(message, info.fwdFee, workchain === draft.plan.workchain)
  draft.addOut(hash, { kind: 'new', envelope, transaction })
  draft.queueChanges.push([queueKey(workchain, accountOf(info), hash), { enqueuedLt: lt, envelope }])
}

function openEntry(key: Uint8Array, { envelope: envelopeCell }: EnqueuedMessage): QueuedMessage {
  const envelope = fromCell(envelopeCell, loadEnvelope)
  const info = internalInfoOf(envelope.message)
  const hash = hashFromBytes(key.subarray(PREFIX_BYTES))
  return { key, envelopeCell, envelope, info, lt: info.createdLt, hash }
}

const compareLts = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1)

/** Messages in the queue of a chain for a workchain, in the order of processing. A long queue costs what is taken of it. */
function* queuedFor(state: ChainState, workchain: number): Generator<QueuedMessage> {
  const prefix = Buffer.alloc(4)
  prefix.writeInt32BE(workchain)
  // Those of one logical time come in any order.
  let equal: QueuedMessage[] = []
  for (const [key, entry] of state.queue.queue.smallestFirst(prefix, compareLts)) {
    const message = openEntry(key, entry)
    if (equal[0] !== undefined && equal[0].lt !== message.lt) {
      yield* equal.sort(compareMessages)
      equal = []
    }
    equal.push(message)
  }
  yield* equal.sort(compareMessages)
}

/** Messages `from` holds for the chain with these marks that it has not processed, in the order of processing. */
export function* undelivered(
  from: ChainState,
  workchain: number,
  marks: readonly ProcessedMark[],
): Generator<QueuedMessage> {
  for (const message of queuedFor(from, workchain)) if (!isProcessed(marks, message.lt, message.hash)) yield message
}

/** The same messages; cells opened on the way to each are recorded as cells of the old state. */
function* recorded(draft: Draft, messages: Iterator<QueuedMessage>): Generator<QueuedMessage> {
  const next = () => draft.usage.run(() => messages.next())
  for (let step = next(); step.done !== true; step = next()) yield step.value
}

/** Takes what the neighbour has processed out of the queue of this chain, and says so in the block. */
export function removeDelivered(draft: Draft): void {
  const { previous, neighbour } = draft.plan
  const marks = readMarks(neighbour.queue.processed)
  for (const { key, envelopeCell, lt, hash } of recorded(draft, queuedFor(previous, neighbour.id.workchain))) {
    if (!isProcessed(marks, lt, hash)) break
    draft.queueChanges.push([key, null])
    draft.addOut(hash, {
      kind: 'dequeuedShort',
      envelopeHash: envelopeCell.hashBytes(),
      nextWorkchain: neighbour.id.workchain,
      nextPrefix: new DataView(key.buffer, key.byteOffset).getBigUint64(4),
      importBlockLt: neighbour.lt,
    })
  }
}

/** Queues whatever has been created and will not be delivered in this block any more. */
export function enqueueRest(draft: Draft): void {
  for (let next = draft.created.pop(); next !== undefined; next = draft.created.pop()) enqueueMessage(draft, next)
}
