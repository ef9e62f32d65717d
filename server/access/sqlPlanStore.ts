// Plans in the database that the processes of a service share. Each change is one of the keys too, by which all processes read
// it within moments; changes of several operators come one after the other.

import {
  changePlanRows,
  countKeysOfPlan,
  type Database,
  deletePlanRow,
  putPlanRow,
  readPlanRows,
  type Sql,
} from '../store/index.ts'
import type { Plan } from './access.ts'
import { asKeyStoreError, KeyStoreError } from './keyStoreError.ts'
import type { PlanStore } from './planStore.ts'
import { CUSTOM, checkPlan, MOST_PLANS, planNamed } from './plans.ts'

/** `now` is the wall clock in milliseconds. */
export function createSqlPlanStore(
  database: Pick<Database, 'read' | 'transaction'>,
  now: () => number = Date.now,
): PlanStore {
  const change = <T>(work: (to: Sql, plans: readonly Plan[]) => Promise<T>): Promise<T> =>
    asKeyStoreError(changePlanRows(database, work))
  const known = (plans: readonly Plan[], name: string): Plan => {
    const plan = planNamed(plans, name)
    if (plan !== null) return plan
    throw new KeyStoreError('notFound', `There is no plan ${JSON.stringify(name.slice(0, 40))}`)
  }
  return {
    list: () => asKeyStoreError(readPlanRows(database.read)),
    async create(plan) {
      checkPlan(plan)
      return await change(async (to, plans) => {
        if (planNamed(plans, plan.name) !== null)
          throw new KeyStoreError('conflict', `There is a plan ${plan.name} already: change it, or take another name`)
        if (plans.length >= MOST_PLANS)
          throw new KeyStoreError('refused', `There are ${MOST_PLANS} plans already: remove one first`)
        await putPlanRow(to, plan)
        return plan
      })
    },
    change: (name, changes) =>
      change(async (to, plans) => {
        const changed = { ...known(plans, name), ...changes }
        checkPlan(changed)
        await putPlanRow(to, changed)
        return changed
      }),
    remove: (name) =>
      change(async (to, plans) => {
        known(plans, name)
        if (name === CUSTOM) throw new KeyStoreError('refused', `The plan ${CUSTOM} cannot be removed`)
        const keys = await countKeysOfPlan(to, name, now())
        if (keys > 0)
          throw new KeyStoreError(
            'conflict',
            `The plan ${name} is in use (keys: ${keys}): revoke them or let them end first`,
          )
        await deletePlanRow(to, name)
      }),
  }
}
