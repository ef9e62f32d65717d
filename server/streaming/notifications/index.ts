// All types of notifications, by the subject they are about; of one subject in the order they are sent.

import { accountStateChange } from './accountStateChange.ts'
import { actions } from './actions.ts'
import { blocks } from './blocks.ts'
import { jettonsChange } from './jettonsChange.ts'
import type { NotificationType, Subjects } from './notification.ts'
import { trace } from './trace.ts'
import { transactions } from './transactions.ts'

export const notifications: { readonly [K in keyof Subjects]: readonly NotificationType<Subjects[K]>[] } = {
  trace: [transactions, actions, trace],
  account: [accountStateChange, jettonsChange],
  block: [blocks],
}

interface Named {
  readonly name: string
  readonly needsAddresses: boolean
}

export const byName: ReadonlyMap<string, Named> = new Map(
  Object.values(notifications).flatMap((all: readonly Named[]) => all.map((one) => [one.name, one] as const)),
)
