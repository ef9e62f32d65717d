// `tonrpc plans`: what keys of each plan may do, in the database that the processes of a service share.

import { z } from 'zod'
import { BUILT_IN, MAX_PER_SECOND, PLAN_BOUNDS, type PlanChanges } from '../../access/plans.ts'
import { command, commandGroup } from '../command.ts'
import { UsageError } from '../commandErrors.ts'
import { keysPlaceFlags } from '../keys/command.ts'

const UNLIMITED = 'unlimited'

/** A number, or no limit. */
const limit = (name: keyof typeof PLAN_BOUNDS, description: string) => {
  const { least, most } = PLAN_BOUNDS[name]
  const fits = (text: string): boolean =>
    text === UNLIMITED || (/^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most)
  return z
    .string()
    .refine(fits, { error: `${UNLIMITED} or a whole number from ${least} to ${most}` })
    .optional()
    .meta({ takes: `number|${UNLIMITED}`, description })
}

const [FREE] = BUILT_IN

const rps = z.int().min(PLAN_BOUNDS.perSecond.least).max(MAX_PER_SECOND)

const limits = {
  monthly: limit('monthly', 'calls of a calendar month (UTC) by weight, for keys without a quota of their own'),
  connections: limit(
    'connections',
    `connections open at once with one key; those of a new plan are ${FREE.connections}`,
  ),
  streamConnections: limit('streamConnections', 'of them, those of streams'),
  streamAddresses: limit('streamAddresses', 'accounts of one stream or webhook'),
  webhooks: z
    .int()
    .min(PLAN_BOUNDS.webhooks.least)
    .max(PLAN_BOUNDS.webhooks.most)
    .optional()
    .describe('webhooks of one key'),
}

const planName = { name: 'NAME', description: 'the name of a plan, from the first column of: tonrpc plans list' }

interface Given extends Partial<Record<Exclude<keyof typeof limits, 'webhooks'>, string | undefined>> {
  readonly rps?: number | undefined
  readonly webhooks?: number | undefined
}

/** What was given alone: the rest stays as it is. */
function changesOf({ rps: perSecond, webhooks, ...texts }: Given): PlanChanges {
  const numbers = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text === UNLIMITED ? null : Number(text)] as const],
  )
  return {
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(webhooks === undefined ? {} : { webhooks }),
    ...Object.fromEntries(numbers),
  }
}

const list = command({
  name: 'plans list',
  summary: 'show what keys of each plan may do',
  flags: z.strictObject(keysPlaceFlags),
  async run(place, io) {
    const { listPlans } = await import('./perform.ts')
    await listPlans({ ...io, ...place })
  },
})

const create = command({
  name: 'plans create',
  summary: 'make a plan; limits that are left out are those of free',
  words: [{ name: 'NAME', description: 'a name for it: letters a to z, digits, - and _' }],
  flags: z.strictObject({ rps: rps.describe('requests per second'), ...limits, ...keysPlaceFlags }),
  async run({ data, database, databaseFile, json, ...given }, io, [name = '']) {
    const { createPlan } = await import('./perform.ts')
    await createPlan({ ...FREE, ...changesOf(given), name }, { ...io, data, database, databaseFile, json })
  },
})

const change = command({
  name: 'plans change',
  summary: 'change limits for all keys of a plan, within two seconds',
  words: [planName],
  flags: z.strictObject({ rps: rps.optional().describe('requests per second'), ...limits, ...keysPlaceFlags }),
  async run({ data, database, databaseFile, json, ...given }, io, [name = '']) {
    const changes = changesOf(given)
    if (Object.keys(changes).length === 0) throw new UsageError('nothing to change: name a limit, such as --rps 50')
    const { changePlan } = await import('./perform.ts')
    await changePlan(name, changes, { ...io, data, database, databaseFile, json })
  },
})

const remove = command({
  name: 'plans remove',
  summary: 'remove a plan that no key that works has',
  words: [planName],
  flags: z.strictObject(keysPlaceFlags),
  async run(place, io, [name = '']) {
    const { removePlan } = await import('./perform.ts')
    await removePlan(name, { ...io, ...place })
  },
})

export const plansCommand = commandGroup({
  name: 'plans',
  summary: 'make, list, change and remove plans of API keys',
  commands: [list, create, change, remove],
})
