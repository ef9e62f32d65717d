// Where plans are kept: in the database that several processes share, or fixed in the program.

import type { Plan } from './access.ts'
import { KeyStoreError } from './keyStoreError.ts'
import { BUILT_IN, type PlanChanges } from './plans.ts'

/** Failures an operator can act on are KeyStoreError. */
export interface PlanStore {
  /** By rate, the smallest first. */
  list(): Promise<readonly Plan[]>
  create(plan: Plan): Promise<Plan>
  /** Changes what is given, for all keys of the plan. */
  change(name: string, changes: PlanChanges): Promise<Plan>
  /** Refused while a key that holds has the plan. */
  remove(name: string): Promise<void>
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new KeyStoreError(
      'refused',
      'Without a shared database the plans are those of the program: start the service with --database postgres://...',
    ),
  )

/** The plans of a service with the embedded database. */
export const builtInPlans: PlanStore = {
  list: () => Promise.resolve(BUILT_IN),
  create: refuse,
  change: refuse,
  remove: refuse,
}
