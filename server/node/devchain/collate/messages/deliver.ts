// Messages meet their accounts: those waiting in queues first, then those from outside, then those created on the way.

import { addCurrency, gramsOnly } from '../../../../tlb/index.ts'
import { readMarks } from '../../state/index.ts'
import type { Draft } from '../draft.ts'
import type { External, ExternalOutcome } from './external.ts'
import { inMsgCell } from './inMsgCell.ts'
import { type CreatedMessage, compareMessages } from './messageHeap.ts'
import { enqueue, envelopeCell, type QueuedMessage, undelivered } from './queue.ts'
import { runInternal, runMessage } from './transact.ts'

/** Imports what waits for this chain in its own queue and the neighbour's. False when the block was full before the end. */
export async function importMessages(draft: Draft): Promise<boolean> {
  const { previous, neighbour, workchain } = draft.plan
  const marks = readMarks(previous.queue.processed)
  const own = draft.usage.run(() => undelivered(previous, workchain, marks))
  const ownKeys = new Set(own)
  const waiting = [...own, ...undelivered(neighbour, workchain, marks)].sort(compareMessages)
  for (const message of waiting) {
    if (draft.isFull) return false
    await importOne(draft, message, ownKeys.has(message))
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
    // Exported long ago and imported by nobody: the value is gone without a trace in this block.
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
  for (const external of externals) {
    outcomes.set(external, draft.isFull ? { kind: 'left' } : await runExternal(draft, external))
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
    if (next.info.dest.workchain === workchain && mayProcess && !draft.isFull) await deliverHere(draft, next)
    else enqueue(draft, next)
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
