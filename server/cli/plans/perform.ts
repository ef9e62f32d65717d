// Plans as a person reads and changes them.

import type { Plan, PlanChanges, PlanStore } from '../../access/index.ts'
import { alignedLines } from '../alignedLines.ts'
import { placeWords } from '../keys/placeWords.ts'
import { type KeysIo, withKeys } from '../keys/withKeys.ts'

const HEAD = ['NAME', 'RATE', 'MONTHLY', 'CONNECTIONS', 'STREAMS', 'ADDRESSES', 'WEBHOOKS']

const limitOf = (value: number | null): string => (value === null ? 'unlimited' : String(value))

const cells = (plan: Plan): string[] => [
  plan.name,
  plan.perSecond === null ? 'by key' : `${plan.perSecond}/s`,
  ...[plan.monthly, plan.connections, plan.streamConnections, plan.streamAddresses, plan.webhooks].map(limitOf),
]

const withPlans = (io: KeysIo, work: (plans: PlanStore) => Promise<void>): Promise<void> =>
  withKeys(io, (_, plans) => work(plans), '. Names are in the first column of: tonrpc plans list')

function show(plans: readonly Plan[], io: KeysIo): void {
  for (const line of alignedLines([HEAD, ...plans.map(cells)])) io.out(line)
}

export const listPlans = (io: KeysIo): Promise<void> =>
  withPlans(io, async (store) => {
    const plans = await store.list()
    if (io.json) io.out(JSON.stringify(plans))
    else show(plans, io)
  })

function report(plan: Plan, text: string, io: KeysIo): void {
  if (io.json) io.out(JSON.stringify(plan))
  else {
    show([plan], io)
    io.out(text)
  }
}

export const createPlan = (plan: Plan, io: KeysIo): Promise<void> =>
  withPlans(io, async (store) =>
    report(await store.create(plan), `For a key of it: tonrpc keys create --plan ${plan.name}${placeWords(io)}`, io),
  )

export const changePlan = (name: string, changes: PlanChanges, io: KeysIo): Promise<void> =>
  withPlans(io, async (store) =>
    report(await store.change(name, changes), 'Running services follow within two seconds.', io),
  )

export const removePlan = (name: string, io: KeysIo): Promise<void> =>
  withPlans(io, async (store) => {
    await store.remove(name)
    io.out(io.json ? JSON.stringify({ name, removed: true }) : `Removed ${name}.`)
  })
