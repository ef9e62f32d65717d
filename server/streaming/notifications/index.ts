// All types of notifications, by the subject they are about; of one subject in the order they are sent.

import { isOfAnyAccount, type Subscription } from '../streamSubscription.ts'
import { accountStateChange } from './accountStateChange.ts'
import { actionNotices } from './actions.ts'
import { blockNotices, headNotices } from './blocks.ts'
import { jettonsChange } from './jettonsChange.ts'
import { messageNotices } from './messageNotices.ts'
import { nftsChange } from './nftsChange.ts'
import type { NotificationType, Subjects } from './notification.ts'
import { trace } from './trace.ts'
import { transactionNotices } from './transactions.ts'

export const notifications: { readonly [K in keyof Subjects]: readonly NotificationType<Subjects[K]>[] } = {
  trace: [transactionNotices, actionNotices, trace, messageNotices],
  account: [accountStateChange, jettonsChange, nftsChange],
  block: [blockNotices, headNotices],
}

type Wishes = Pick<Subscription, 'types' | 'addresses' | 'opcodes' | 'namesNoAccount'>

/** Whether every block may have something for a subscription, whatever accounts it has. */
export const wantsEveryBlock = (wishes: Wishes): boolean =>
  notifications.block.some(({ name }) => wishes.types.has(name)) || isOfAnyAccount(wishes)
