// A block under construction: everything that has come together so far, and nothing that is decided only at the end.

import { type BinaryHash, type Cell, CellUsage, hashToBytes } from '../../cell/index.ts'
import {
  addCurrency,
  type CurrencyCollection,
  type EnqueuedMessage,
  type InMsg,
  type OutMsg,
  subtractCurrency,
  ZERO_CURRENCY,
} from '../../tlb/index.ts'
import { type AccountPatch, balanceInCell, isAbsent, MASTERCHAIN, patchAccount } from '../state/index.ts'
import type { Warn } from '../warn.ts'
import { BlockLoad, type LoadClass } from './blockLoad.ts'
import {
  type BlockMachine,
  type CellSharing,
  type RecentAccounts,
  TvmAnswers,
  WorkingAccounts,
} from './execution/index.ts'
import type { AccountName } from './messages/injected.ts'
import type { Intake } from './messages/intake.ts'
import { MessageHeap } from './messages/messageHeap.ts'
import type { Pacer } from './pacer.ts'
import type { BlockPlan, CollationLimits } from './plan.ts'

/** Where accounts may be that are not in the state yet. */
export interface LargerNetwork {
  mayHave(account: AccountName): boolean
  /** Whether a library that this message refers to may be there. */
  mayHaveLibrary(message: Cell): boolean
  /** A message waits for its account, or a library. */
  need(account: AccountName, message: Cell): void
}

/** What outlives one block and serves the next. */
export interface Workshop {
  readonly machine: BlockMachine
  readonly sharing: CellSharing
  readonly recent: RecentAccounts
  readonly limits: CollationLimits
  /** Null where all messages from outside are taken as long as the block has room. */
  readonly intake: Intake | null
  /** Null for a chain of its own. */
  readonly network: LargerNetwork | null
  /** Something a person should know about, without stopping the chain. */
  readonly warn: Warn
}

/** Messages of each origin a block has time for however slow the machine is, or a chain on a busy one would never get on. */
const LEAST = 8

export class Draft {
  readonly plan: BlockPlan
  readonly shop: Workshop
  readonly pacer: Pacer
  /** Cells of the old state that were looked into: the update of the state is made from these. */
  readonly usage = new CellUsage()
  readonly accounts: WorkingAccounts
  readonly answers = new TvmAnswers()
  readonly inMsgs: [Uint8Array, InMsg][] = []
  readonly outMsgs: [Uint8Array, OutMsg][] = []
  readonly created = new MessageHeap()
  readonly load: BlockLoad
  readonly queueChanges: [Uint8Array, EnqueuedMessage | null][] = []
  /** The last internal message processed, in the order all must agree on. */
  lastProcessed: { readonly lt: bigint; readonly hash: BinaryHash } | null = null
  /** Whether no message that waited for this chain is left in a queue. */
  hasImportedAll = false
  /** Whether a message waits for an account that has to be read first: all later ones wait behind it. */
  isWaiting = false
  endLt: bigint
  transactions = 0
  minted: CurrencyCollection = ZERO_CURRENCY
  burned: CurrencyCollection = ZERO_CURRENCY

  constructor(plan: BlockPlan, shop: Workshop, pacer: Pacer) {
    this.plan = plan
    this.shop = shop
    this.pacer = pacer
    this.endLt = plan.startLt + 1n
    this.accounts = new WorkingAccounts(plan.previous.accounts, this.usage, shop)
    this.load = new BlockLoad(plan, shop.limits.isUnbounded !== true)
  }

  get isMaster(): boolean {
    return this.plan.workchain === MASTERCHAIN
  }

  /** Whether another message can be taken in, after `taken` of its origin, into this part of the block. */
  hasRoom(
    taken: number,
    { share = 1, upTo = 'soft' }: { readonly share?: number; readonly upTo?: LoadClass } = {},
  ): boolean {
    const { maxTransactions, maxMs } = this.shop.limits
    if (this.transactions >= Math.max(1, maxTransactions * share)) return false
    // The limits of the network always leave room for one, or the chain would never get on.
    if (taken > 0 && !this.load.fits(upTo, this.endLt)) return false
    return taken < LEAST || this.pacer.elapsed <= maxMs * share
  }

  /** Messages that were created here and wait for a later block. */
  get queued(): number {
    return this.queueChanges.filter(([, entry]) => entry !== null).length
  }

  raiseEnd(lt: bigint): void {
    if (lt > this.endLt) this.endLt = lt
  }

  addIn(hash: BinaryHash, value: InMsg): void {
    this.inMsgs.push([hashToBytes(hash), value])
  }

  addOut(hash: BinaryHash, value: OutMsg): void {
    this.outMsgs.push([hashToBytes(hash), value])
  }

  mint(value: CurrencyCollection): void {
    this.minted = addCurrency(this.minted, value)
  }

  burn(value: CurrencyCollection): void {
    this.burned = addCurrency(this.burned, value)
  }

  /**
   * By how much the money of all chains grows by hand. Burned extra currencies are not taken off: older chains have copied some
   * without counting them.
   */
  get conjured(): CurrencyCollection {
    return { ...this.minted, grams: this.minted.grams - this.burned.grams }
  }

  /** Whether a message has to wait, because its account or a library may exist where it was not read yet. */
  waitsFor({ account: id, message }: { readonly account: Uint8Array; readonly message: Cell }): boolean {
    const { network } = this.shop
    if (network === null) return false
    const found = this.accounts.look(id)
    const account = { workchain: this.plan.workchain, id }
    // What a transaction of this block has made of it is read only where it was not there before.
    const isMissing = isAbsent(found.seen.account) && isAbsent(this.accounts.current(found).account)
    if (!(isMissing && network.mayHave(account)) && !network.mayHaveLibrary(message)) return false
    network.need(account, message)
    this.isWaiting = true
    return true
  }

  /** Changes accounts by hand; what they gain or lose is booked. */
  patch(patches: readonly AccountPatch[]): void {
    for (const patch of patches) {
      const account = this.accounts.get(patch.id)
      const current = this.accounts.current(account)
      const patched = patchAccount(current, patch)
      this.accounts.patch(account, patched)
      const before = balanceInCell(current.account)
      const after = balanceInCell(patched.account)
      if (after.grams > before.grams || isAbsent(current.account)) this.mint(subtractCurrency(after, before))
      else this.burn(subtractCurrency(before, after))
    }
  }
}
