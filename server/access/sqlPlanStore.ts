// Plans in the database that the processes of a service share. Each change is one of the keys too, by which all processes read
// it within moments; changes of several operators come one after the other.

import {
  changePlanRows,
  countKeysOfPlan,
  type Database,
  deletePlanRow,
  type PlanRow,
  putPlanRow,
  readPlanRows,
  type Sql,
} from '../store/index.ts'
import type { Plan } from './access.ts'
import { asKeyStoreError, KeyStoreError } from './keyStoreError.ts'
import type { PlanStore } from './planStore.ts'
import { CUSTOM, checkPlan, MOST_PLANS, planNamed } from './plans.ts'

const planOf = (row: PlanRow): Plan => ({
  name: row.name,
  perSecond: row.per_second,
  monthly: row.monthly === null ? null : Number(row.monthly),
  connections: row.connections,
  streamConnections: row.stream_connections,
  streamAddresses: row.stream_addresses,
  webhooks: row.webhooks,
})

const rowOf = ({ monthly, ...plan }: Plan): PlanRow => ({
  name: plan.name,
  per_second: plan.perSecond,
  connections: plan.connections,
  webhooks: plan.webhooks,
  stream_connections: plan.streamConnections,
  stream_addresses: plan.streamAddresses,
  monthly: monthly === null ? null : BigInt(monthly),
})

export const readPlans = async (from: Sql): Promise<readonly Plan[]> => (await readPlanRows(from)).map(planOf)

/** `now` is the wall clock in milliseconds. */
export function createSqlPlanStore(
  database: Pick<Database, 'read' | 'transaction'>,
  now: () => number = Date.now,
): PlanStore {
  const change = <T>(work: (to: Sql, plans: readonly Plan[]) => Promise<T>): Promise<T> =>
    asKeyStoreError(changePlanRows(database, (to, rows) => work(to, rows.map(planOf))))
  const known = (plans: readonly Plan[], name: string): Plan => {
    const plan = planNamed(plans, name)
    if (plan !== null) return plan
    throw new KeyStoreError('notFound', `There is no plan ${JSON.stringify(name.slice(0, 40))}`)
  }
  return {
    list: () => asKeyStoreError(readPlans(database.read)),
    async create(plan) {
      checkPlan(plan)
      return await change(async (to, plans) => {
        if (planNamed(plans, plan.name) !== null)
          throw new KeyStoreError('conflict', `There is a plan ${plan.name} already: change it, or take another name`)
        if (plans.length >= MOST_PLANS)
          throw new KeyStoreError('refused', `There are ${MOST_PLANS} plans already: remove one first`)
        await putPlanRow(to, rowOf(plan))
        return plan
      })
    },
    change: (name, changes) =>
      change(async (to, plans) => {
        const changed = { ...known(plans, name), ...changes }
        checkPlan(changed)
        await putPlanRow(to, rowOf(changed))
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
