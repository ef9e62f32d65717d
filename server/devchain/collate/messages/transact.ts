// One transaction: the TVM makes it, the draft takes note of it and of the messages it sent.

import {
  type BinaryHash,
  type Cell,
  isLargeTree,
  loadDict,
  NO_CRC,
  openCell,
  writeBocText,
  writingBoc,
} from '../../../cell/index.ts'
import { type InternalInfo, loadMessageInfo, outMessagesKind } from '../../../tlb/index.ts'
import type { TransactionResult } from '../../../tvm/index.ts'
import type { Draft } from '../blockDraft.ts'
import { bocOf, isReady, makeReady, type WorkingAccount } from '../execution/index.ts'
import type { Rejection } from './external.ts'

export type Executed =
  | { readonly done: true; readonly transaction: Cell }
  | { readonly done: false; readonly rejection: Rejection }

/** A message as the TVM takes it, and the account it is addressed to. */
export interface Delivery {
  /** Null for a large message, which is written in pieces when its turn comes. */
  readonly boc: Uint8Array | string | null
  readonly message: Cell
  readonly account: Uint8Array
}

const runOf = (draft: Draft, account: WorkingAccount, boc: Uint8Array | string, afterLt: bigint) => ({
  account: bocOf(account),
  message: boc,
  lt: notBefore(draft, account, afterLt),
})

/** Begins to execute a message that comes soon, where there are threads and no other message of its account is begun. */
export function expectMessage(draft: Draft, message: Delivery, afterLt: bigint): void {
  const { machine } = draft.shop
  if (!machine.looksAhead || message.boc === null) return
  const account = draft.accounts.look(message.account)
  if (isReady(account)) account.begun ??= machine.expect(runOf(draft, account, message.boc, afterLt))
}

/** Executes a message on the account it is addressed to, not before the logical time `afterLt`. */
export async function runMessage(draft: Draft, message: Delivery, afterLt: bigint): Promise<Executed> {
  const { pacer } = draft
  const account = draft.accounts.get(message.account)
  if (!isReady(account)) await makeReady(account, pacer)
  const boc = message.boc ?? (await pacer.through(writingBoc(message.message, NO_CRC))).toString('base64')
  const { begun } = account
  account.begun = null
  const result = await draft.shop.machine.message(runOf(draft, account, boc, afterLt), begun)
  return take(draft, account, result)
}

/** Wakes a special account; not before the logical time `afterLt`. */
export async function runTickTock(
  draft: Draft,
  wake: { readonly account: Uint8Array; readonly which: 'tick' | 'tock' },
  afterLt: bigint,
): Promise<Executed> {
  const account = draft.accounts.get(wake.account)
  if (!isReady(account)) await makeReady(account, draft.pacer)
  const result = await draft.shop.machine.tickTock(bocOf(account), wake.which, notBefore(draft, account, afterLt))
  return take(draft, account, result)
}

/** An internal message that is in the block already as a cell. */
export const deliveryOf = (message: Cell, info: InternalInfo): Delivery => ({
  boc: isLargeTree(message) ? null : writeBocText(message, NO_CRC),
  message,
  account: accountOf(info),
})

/** Account id of a destination; the action phase lets no other form out. */
export function accountOf({ dest }: Pick<InternalInfo, 'dest'>): Uint8Array {
  if (dest.kind !== 'std') throw new Error('A message to an address that is not standard')
  return dest.hash
}

/** Behind a logical time, the beginning of the block, and what the account has done in it. */
function notBefore({ plan }: Draft, { endLt }: WorkingAccount, afterLt: bigint): bigint {
  const lt = (afterLt > plan.startLt ? afterLt : plan.startLt) + 1n
  return lt > endLt ? lt : endLt
}

function take(draft: Draft, account: WorkingAccount, result: TransactionResult): Executed {
  if (!result.accepted) return { done: false, rejection: result }
  const transaction = draft.answers.read(result.transaction)
  const { lt, endLt, outMessages } = outcomeOf(transaction)
  const growth = result.shardAccount.length - (account.boc?.length ?? 0)
  draft.load.add({ transaction, text: result.transaction.length, growth, account: account.id })
  draft.accounts.record(account, [lt, transaction], result.shardAccount)
  account.endLt = endLt
  draft.raiseEnd(endLt)
  draft.transactions++
  for (const message of outMessages) takeMessage(draft, message, transaction)
  return { done: true, transaction }
}

function takeMessage(draft: Draft, message: Cell, transaction: Cell): void {
  const info = loadMessageInfo(openCell(message))
  const hash: BinaryHash = message.hash()
  if (info.kind === 'internal') draft.created.push({ lt: info.createdLt, hash, message, info, transaction })
  else draft.addOut(hash, { kind: 'external', message, transaction })
}

/** Of a transaction what a block must know, read without the rest. */
function outcomeOf(transaction: Cell): { lt: bigint; endLt: bigint; outMessages: Iterable<Cell> } {
  const slice = openCell(transaction).skip(4 + 256)
  const lt = slice.loadUintBig(64)
  const outCount = slice.skip(256 + 64 + 32).loadUint(15)
  const messages = openCell(slice.loadRef())
  messages.loadMaybeRef()
  return { lt, endLt: lt + 1n + BigInt(outCount), outMessages: loadDict(messages, outMessagesKind).values() }
}
