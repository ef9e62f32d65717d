// Messages meet their accounts: those waiting in queues first, then those from outside, then those created on the way.

import { CellUsage } from '../../../cell/index.ts'
import { addCurrency, gramsOnly } from '../../../tlb/index.ts'
import { readMarks } from '../../state/index.ts'
import type { Draft } from '../blockDraft.ts'
import type { BlockWork } from '../plan.ts'
import type { External, ExternalOutcome } from './external.ts'
import { inMsgCell } from './inMsgCell.ts'
import { type CreatedMessage, compareMessages } from './messageHeap.ts'
import { enqueueMessage, envelopeCell, type QueuedMessage, undelivered } from './queue.ts'
import { accountOf, type Delivery, deliveryOf, expectMessage, runMessage } from './transact.ts'

/** Part of a block that messages from queues may fill while others wait outside, or a contract could keep those out. */
const IMPORT_SHARE = 0.5

/** Messages that may be executed before their turn: enough for two threads while the others are taken in. */
const AHEAD = 24

/** Messages behind one whose account is being read, whose accounts are read with it. */
const MOST_BEHIND = 200

/** The same items; `expect` is called with each some places before its turn. */
function* withForesight<T>(all: Iterable<T>, expect: (one: T) => void): Generator<T> {
  const coming: T[] = []
  for (const one of all) {
    expect(one)
    coming.push(one)
    if (coming.length > AHEAD) yield* coming.splice(0, 1)
  }
  yield* coming
}

interface Waiting {
  readonly message: QueuedMessage
  readonly delivery: Delivery
  /** Cells of the old state that were opened to find it in the own queue; null in the neighbour's. */
  readonly opened: CellUsage | null
}

/** What waits for this chain in its own queue and the neighbour's, in the order of processing. */
function* waitingFor(draft: Draft): Generator<Waiting> {
  const { previous, neighbour, workchain } = draft.plan
  const marks = readMarks(previous.queue.processed)
  const own = undelivered(previous, workchain, marks)
  const theirs = undelivered(neighbour, workchain, marks)
  let opened = new CellUsage()
  let mine = opened.run(() => own.next())
  let other = theirs.next()
  while (mine.done !== true || other.done !== true) {
    const isOwn = mine.done !== true && (other.done === true || compareMessages(mine.value, other.value) < 0)
    const message = isOwn ? mine.value : other.value
    if (message === undefined) return
    const delivery = deliveryOf(message.envelope.message, message.info)
    yield { message, delivery, opened: isOwn ? opened : null }
    if (isOwn) {
      opened = new CellUsage()
      mine = opened.run(() => own.next())
    } else other = theirs.next()
  }
}

/**
 * Imports what waits for this chain, up to a part of the block when there are messages from outside: the draft records
 * whether that was all.
 */
export async function importMessages(draft: Draft, { externals }: Pick<BlockWork, 'externals'>): Promise<void> {
  const share = externals.length > 0 ? IMPORT_SHARE : 1
  let taken = 0
  let behind = 0
  const expect = ({ delivery }: Waiting): void => {
    if (!draft.isWaiting) expectMessage(draft, delivery, 0n)
  }
  for (const waiting of withForesight(waitingFor(draft), expect)) {
    if (!draft.hasRoom(taken++, { share })) return
    // Those behind one that waits wait as well: what they will need is read together.
    if (draft.waitsFor(waiting.delivery) || draft.isWaiting) {
      if (++behind > MOST_BEHIND) return
      continue
    }
    await importOne(draft, waiting)
    await draft.pacer.restIfDue()
  }
  draft.hasImportedAll = behind === 0
}

async function importOne(draft: Draft, { message: queued, delivery, opened }: Waiting): Promise<void> {
  const { key, envelope, envelopeCell: cell, hash, lt } = queued
  const isOwn = opened !== null
  draft.lastProcessed = { lt, hash }
  if (isOwn) {
    draft.usage.include(opened)
    draft.queueChanges.push([key, null])
  }
  const executed = await runMessage(draft, delivery, 0n)
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

/** Executes messages from outside until the block is full or has taken as many as it should, and says what came of each. */
export async function runExternals(
  draft: Draft,
  externals: readonly External[],
): Promise<Map<External, ExternalOutcome>> {
  const outcomes = new Map<External, ExternalOutcome>()
  const afterLt = draft.lastProcessed?.lt ?? 0n
  const most = draft.shop.intake?.most ?? externals.length
  const before = draft.transactions
  let expected = 0
  /** One that was rejected takes no place. */
  const mayTake = (count: number): boolean => count < most + outcomes.size - (draft.transactions - before)
  const expect = (one: External): void => {
    if (mayTake(expected++)) expectMessage(draft, one, afterLt)
  }
  for (const external of withForesight(externals, expect)) {
    if (!mayTake(outcomes.size) || !draft.hasRoom(outcomes.size, { upTo: 'medium' })) break
    outcomes.set(external, await runExternal(draft, external, afterLt))
    await draft.pacer.restIfDue()
  }
  for (const external of externals.slice(outcomes.size)) outcomes.set(external, { kind: 'left' })
  return outcomes
}

async function runExternal(draft: Draft, external: External, afterLt: bigint): Promise<ExternalOutcome> {
  if (draft.waitsFor(external)) return { kind: 'dropped', why: 'its account is not read from the network yet' }
  const executed = await runMessage(draft, external, afterLt)
  if (!executed.done) return { kind: 'rejected', rejection: executed.rejection }
  const { message } = external
  draft.addIn(message.hash(), { kind: 'external', message, transaction: executed.transaction })
  return { kind: 'included' }
}

/**
 * Delivers what was created in this block and stays in this chain, and queues the rest. When something imported is still
 * waiting, everything is queued: messages are processed in one order, and these come later in it. False when something
 * that stays in this chain is left.
 */
export async function deliverCreated(draft: Draft): Promise<boolean> {
  const { workchain } = draft.plan
  const hasRoom = () => draft.hasImportedAll && !draft.isWaiting && draft.hasRoom(draft.transactions)
  let everythingDelivered = true
  for (let next = draft.created.popNext(); next.length > 0; next = draft.created.popNext()) {
    const isFull = !hasRoom()
    const all = next.map((created) => {
      const { message, info } = created
      return { created, delivery: isFull || info.dest.workchain !== workchain ? null : deliveryOf(message, info) }
    })
    const coming = withForesight(all, ({ created, delivery }) => {
      if (delivery !== null) expectMessage(draft, delivery, created.lt)
    })
    for (const { created, delivery } of coming) {
      if (delivery !== null && hasRoom() && !draft.waitsFor(delivery)) await deliverHere(draft, created, delivery)
      else {
        enqueueMessage(draft, created)
        everythingDelivered &&= created.info.dest.workchain !== workchain
        // What those behind a message that waits will need is read together.
        if (draft.isWaiting && created.info.dest.workchain === workchain)
          draft.waitsFor({ message: created.message, account: accountOf(created.info) })
      }
      await draft.pacer.restIfDue()
    }
  }
  return everythingDelivered
}

async function deliverHere(draft: Draft, created: CreatedMessage, delivery: Delivery): Promise<void> {
  const { lt, hash, message, info, transaction: sender } = created
  draft.lastProcessed = { lt, hash }
  const executed = await runMessage(draft, delivery, lt)
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
