// What a type of notification is: one file with one of these, and one entry in the list.

import type { StreamTypeName } from '../../../shared/subscribable.ts'
import type { Finality, LiveTrace, toStateInTransaction } from '../../methods/index.ts'
import type { AccountKey, BlockRow, JettonWalletRow, NftOwnersRow, TransactionFound } from '../../store/index.ts'
import type { SharedTexts } from '../sharedTexts.ts'
import type { Audience, Routes } from '../streamRoutes.ts'
import type { Subscription } from '../streamSubscription.ts'

/** What subscriptions receive of one subject, by the parts of it that they named. */
export interface Selector {
  /** The same for all that receive the same; null for nothing. */
  key(subscription: Subscription, parts: readonly number[]): string | null
  /** Called once for each key; in pieces where there may be thousands of members. */
  write(
    subscription: Subscription,
    parts: readonly number[],
  ): NotificationContent | Generator<void, NotificationContent>
}

export interface NotificationContent {
  /** Members after `type` and `finality`; long ones are written already. */
  readonly members: Readonly<Record<string, unknown>>
  /** Accounts for the address book and the metadata; null for a type without them. */
  readonly accounts: readonly AccountKey[] | null
}

export interface NotificationType<S> {
  readonly name: StreamTypeName
  /** Order among the types of one subject, and part of cursors: never reused, below 8. */
  readonly place: number
  /** It comes several times of a trace that is too large for one notification: with its transactions of named accounts, or with all. */
  readonly parts?: 'named' | 'all'
  finality(subject: S): Finality
  /** Subscribers that may want it. */
  audience(subject: S, routes: Routes): Audience | Generator<void, Audience>
  /** What is the same for all subscriptions is found out once. */
  selector(subject: S, texts: SharedTexts): Selector
}

/** An account after a block. */
export interface AccountChange {
  readonly account: AccountKey
  readonly raw: string
  readonly finality: Finality
  readonly state: ReturnType<typeof toStateInTransaction>
  /** Its last transaction in the block; null when it was set by hand. */
  readonly last: TransactionFound | null
  /** What it is as a jetton wallet; null for other accounts. */
  readonly wallet: JettonWalletRow | null
  /** Its owners before and after, as an item that has got another one; null for other accounts. */
  readonly nft: NftOwnersRow | null
}

export interface BlockChange {
  readonly block: BlockRow
  readonly finality: Finality
}

/** The subjects of a block, in the order they are reported. */
export interface Subjects {
  readonly trace: LiveTrace
  readonly account: AccountChange
  readonly block: BlockChange
}
