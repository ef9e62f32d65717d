// The transactions of a block and the messages they took in and sent out.

import { type BinaryHash, type Cell, hashFromBytes, inOnePiece, openCell, sameBytes } from '../../cell/index.ts'
import type { AccountKey, BlockKey, WrittenMessage } from '../../store/index.ts'
import { accountBlocksOf, type BlockExtra, loadTransaction, type Transaction } from '../../tlb/index.ts'
import { accountKey, accountKeyText } from './accountKey.ts'
import { storableLt } from './bounds.ts'
import { descriptionText } from './description.ts'
import type { TransactionFacts } from './facts.ts'
import { type MessageContext, messageRow, type SendingTransaction } from './message.ts'
import { ParseBudget } from './parseBudget.ts'
import { demandParsed, reading, readingPieces } from './parseError.ts'
import { isSystem } from './system.ts'

interface Found {
  readonly account: AccountKey
  readonly lt: bigint
  readonly cell: Cell
}

const nameOf = ({ account, lt }: Pick<Found, 'account' | 'lt'>): string =>
  `transaction ${accountKeyText(account)},${lt}`

type InBlock = Pick<TransactionFacts, 'lt' | 'account'>

export const byLtAndAccount = (a: InBlock, b: InBlock): number =>
  a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : Buffer.compare(a.account, b.account)

/**
 * All transactions of a block, by logical time, then account. Keys must be what the values say of themselves, so that
 * no part of a dictionary can count several times.
 */
function findTransactions(extra: BlockExtra, workchain: number): Found[] {
  const found: Found[] = []
  for (const [id, { account, transactions }] of accountBlocksOf(extra)) {
    demandParsed(sameBytes(id, account), 'transactions', 'an account is listed as another one')
    const key = accountKey(workchain, id)
    for (const [lt, cell] of transactions) found.push({ account: key, lt, cell })
  }
  return found.sort(byLtAndAccount)
}

export class TransactionReader {
  readonly transactions: TransactionFacts[] = []
  /** Each hash once. */
  readonly messages: WrittenMessage[] = []
  private readonly known = new Map<BinaryHash, WrittenMessage>()
  private readonly block: BlockKey
  private readonly mcSeqno: number
  private readonly context: MessageContext

  constructor(block: BlockKey, mcSeqno: number, context: MessageContext) {
    this.block = block
    this.mcSeqno = mcSeqno
    this.context = context
  }

  /** Comes back after each transaction, and after each message of one: each may have thousands of cells. */
  *read(extra: BlockExtra): Generator<void, void> {
    const found = reading(
      () => 'transactions',
      () => findTransactions(extra, this.block.workchain),
    )
    for (const one of found) {
      this.transactions.push(yield* readingPieces(() => nameOf(one), this.transaction(one)))
      yield
    }
  }

  /** A single transaction, as it would be in a block. */
  one(account: AccountKey, cell: Cell): TransactionFacts {
    const { lt } = loadTransaction(openCell(cell))
    const found = { account, lt, cell }
    return inOnePiece(readingPieces(() => nameOf(found), this.transaction(found)))
  }

  private *transaction(found: Found): Generator<void, TransactionFacts> {
    const { account, cell } = found
    const value = loadTransaction(openCell(cell))
    const isListed = value.lt === found.lt && sameBytes(value.account, account.subarray(1))
    demandParsed(isListed, () => nameOf(found), 'it is listed as another one')
    const sender = { hash: cell.hashBytes(), lt: storableLt(value.lt) }
    const inMessage = value.inMessage === null ? null : this.consumed(value.inMessage)
    return {
      account,
      now: value.now,
      mcSeqno: this.mcSeqno,
      block: this.block,
      prevHash: value.prevHash,
      prevLt: storableLt(value.prevLt),
      origStatus: value.origStatus,
      endStatus: value.endStatus,
      totalFees: value.totalFees.grams,
      totalFeesExtra: this.context.budget.extra(value.totalFees),
      description: descriptionText(value.description, (amount) => this.context.budget.extra(amount)),
      inMsgHash: inMessage?.hash ?? null,
      inOpcode: inMessage?.opcode ?? null,
      inBodyHash: inMessage?.bodyHash ?? null,
      isSystem: isSystem({ account, inMessage }, () => value.description.kind === 'tickTock'),
      stateBefore: value.stateUpdate.before,
      stateAfter: value.stateUpdate.after,
      inMessage,
      outMessages: yield* this.produced(value, found, sender),
      ...sender,
    }
  }

  private consumed(cell: Cell): WrittenMessage {
    return this.known.get(cell.hash()) ?? this.add(cell, null)
  }

  // Transactions come in order of time, so what is sent in this block is met here before it arrives.
  private *produced(
    { outMessages, outCount }: Transaction,
    found: Found,
    sender: SendingTransaction,
  ): Generator<void, readonly WrittenMessage[]> {
    const rows: WrittenMessage[] = []
    for (const [, cell] of outMessages) {
      demandParsed(!this.known.has(cell.hash()), () => nameOf(found), 'it sends a message that was there already')
      rows.push(this.add(cell, sender))
      yield
    }
    demandParsed(rows.length === outCount, () => nameOf(found), 'it sends another number of messages than it says')
    return rows
  }

  private add(cell: Cell, sender: SendingTransaction | null): WrittenMessage {
    const row = messageRow(cell, sender, this.context)
    this.known.set(cell.hash(), row)
    this.messages.push(row)
    return row
  }

  /** The last transaction of each account, by the account's id. */
  lastOfEach(): Map<BinaryHash, TransactionFacts> {
    const last = new Map<BinaryHash, TransactionFacts>()
    for (const one of this.transactions) last.set(hashFromBytes(one.account.subarray(1)), one)
    return last
  }
}

/** The supposed block of a pending transaction. */
export interface SupposedPlace {
  readonly block: BlockKey
  readonly mcSeqno: number
  /** The protocol in force. */
  readonly globalVersion: number
}

/** A transaction that no block has, in rows. Throws ParseError. */
export const parseTransaction = (account: AccountKey, cell: Cell, place: SupposedPlace): TransactionFacts =>
  new TransactionReader(place.block, place.mcSeqno, {
    budget: new ParseBudget(),
    globalVersion: place.globalVersion,
  }).one(account, cell)
