// All types of notifications, by the subject they are about; of one subject in the order they are sent.

import { accountStateChange } from './accountStateChange.ts'
import { actionNotices } from './actions.ts'
import { blockNotices, headNotices } from './blocks.ts'
import { jettonsChange } from './jettonsChange.ts'
import type { NotificationType, Subjects } from './notification.ts'
import { trace } from './trace.ts'
import { transactionNotices } from './transactions.ts'

export const notifications: { readonly [K in keyof Subjects]: readonly NotificationType<Subjects[K]>[] } = {
  trace: [transactionNotices, actionNotices, trace],
  account: [accountStateChange, jettonsChange],
  block: [blockNotices, headNotices],
}

interface Named {
  readonly name: string
  readonly needsAddresses: boolean
}

export const byName: ReadonlyMap<string, Named> = new Map(
  Object.values(notifications).flatMap((all: readonly Named[]) => all.map((one) => [one.name, one] as const)),
)

/** Whether every block has something for a subscription, whatever accounts it has. */
export const wantsBlocks = (types: ReadonlySet<string>): boolean =>
  notifications.block.some(({ name }) => types.has(name))
