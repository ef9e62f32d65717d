// Messages meet their accounts: those waiting in queues first, then those from outside, then those created on the way.

import { addCurrency, gramsOnly } from '../../../tlb/index.ts'
import { readMarks } from '../../state/index.ts'
import type { Draft } from '../draft.ts'
import type { BlockWork } from '../plan.ts'
import type { External, ExternalOutcome } from './external.ts'
import { inMsgCell } from './inMsgCell.ts'
import { type CreatedMessage, compareMessages } from './messageHeap.ts'
import { enqueueMessage, envelopeCell, type QueuedMessage, recorded, undelivered } from './queue.ts'
import { runInternal, runMessage } from './transact.ts'

/** Part of a block that messages from queues may fill while others wait outside, or a contract could keep those out. */
const IMPORT_SHARE = 0.5

interface Waiting {
  readonly message: QueuedMessage
  readonly isOwn: boolean
}

/** What waits for this chain in its own queue and the neighbour's, in the order of processing. */
function* waitingFor(draft: Draft): Generator<Waiting> {
  const { previous, neighbour, workchain } = draft.plan
  const marks = readMarks(previous.queue.processed)
  const own = recorded(draft, undelivered(previous, workchain, marks))
  const theirs = undelivered(neighbour, workchain, marks)
  let [mine, other] = [own.next(), theirs.next()]
  while (mine.done !== true || other.done !== true) {
    const isOwn = mine.done !== true && (other.done === true || compareMessages(mine.value, other.value) < 0)
    const message = isOwn ? mine.value : other.value
    if (message === undefined) return
    yield { message, isOwn }
    if (isOwn) mine = own.next()
    else other = theirs.next()
  }
}

/**
 * Imports what waits for this chain, up to a part of the block when there are messages from outside. False when something
 * is left.
 */
export async function importMessages(draft: Draft, { externals }: Pick<BlockWork, 'externals'>): Promise<boolean> {
  const share = externals.length > 0 ? IMPORT_SHARE : 1
  let taken = 0
  for (const { message, isOwn } of waitingFor(draft)) {
    if (!draft.hasRoom(taken++, share)) return false
    await importOne(draft, message, isOwn)
    await draft.pacer.restIfDue()
  }
  return true
}

async function importOne(draft: Draft, queued: QueuedMessage, isOwn: boolean): Promise<void> {
  const { key, envelope, envelopeCell: cell, hash, info, lt } = queued
  draft.lastProcessed = { lt, hash }
  if (isOwn) draft.queueChanges.push([key, null])
  const executed = await runInternal(draft, envelope.message, info, 0n)
  if (!executed.done) {
    // Exported long ago and never imported: the value disappears without a trace in this block.
    draft.shop.warn('A message could not be delivered and was dropped', { reason: executed.rejection.reason })
    return
  }
  const { transaction } = executed
  const imported = { kind: 'final', envelope: cell, transaction, fwdFee: envelope.fwdFeeRemaining } as const
  draft.addIn(hash, imported)
  if (isOwn) draft.addOut(hash, { kind: 'dequeuedImmediate', envelope: cell, reimport: inMsgCell(imported) })
}

/** Executes messages from outside until the block is full, and says what came of each. */
export async function runExternals(
  draft: Draft,
  externals: readonly External[],
): Promise<Map<External, ExternalOutcome>> {
  const outcomes = new Map<External, ExternalOutcome>()
  for (const [taken, external] of externals.entries()) {
    outcomes.set(external, draft.hasRoom(taken) ? await runExternal(draft, external) : { kind: 'left' })
    await draft.pacer.restIfDue()
  }
  return outcomes
}

async function runExternal(draft: Draft, external: External): Promise<ExternalOutcome> {
  const executed = await runMessage(draft, external, draft.lastProcessed?.lt ?? 0n)
  if (!executed.done) return { kind: 'rejected', rejection: executed.rejection }
  const { message } = external
  draft.addIn(message.hash(), { kind: 'external', message, transaction: executed.transaction })
  return { kind: 'included' }
}

/**
 * Delivers what was created in this block and stays in this chain, and queues the rest. When something imported is still
 * waiting, everything is queued: messages are processed in one order, and these come later in it.
 */
export async function deliverCreated(draft: Draft, mayProcess: boolean): Promise<void> {
  const { workchain } = draft.plan
  for (let next = draft.created.pop(); next !== undefined; next = draft.created.pop()) {
    if (next.info.dest.workchain === workchain && mayProcess && draft.hasRoom(draft.transactions))
      await deliverHere(draft, next)
    else enqueueMessage(draft, next)
    await draft.pacer.restIfDue()
  }
}

async function deliverHere(draft: Draft, created: CreatedMessage): Promise<void> {
  const { lt, hash, message, info, transaction: sender } = created
  draft.lastProcessed = { lt, hash }
  const executed = await runInternal(draft, message, info, lt)
  if (!executed.done) {
    draft.burn(addCurrency(info.value, gramsOnly(info.fwdFee)))
    draft.shop.warn('A message could not be delivered and was burned', { reason: executed.rejection.reason })
    return
  }
  const envelope = envelopeCell(message, info.fwdFee, true)
  const received = { kind: 'immediate', envelope, transaction: executed.transaction, fwdFee: info.fwdFee } as const
  draft.addIn(hash, received)
  draft.addOut(hash, { kind: 'immediate', envelope, transaction: sender, reimport: inMsgCell(received) })
}
