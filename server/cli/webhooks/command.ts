// `tonrpc webhooks`: webhooks of one key, on a service that runs.

import { z } from 'zod'
import { STREAM_TYPE_NAMES } from '../../../shared/subscribable.ts'
import { command, commandGroup, type Io } from '../command.ts'
import { UsageError } from '../commandErrors.ts'
import { ENV_KEY, serviceUrl } from '../flags.ts'

const common = {
  url: serviceUrl,
  keyFile: z
    .string()
    .default('')
    .meta({ takes: 'file', description: `file that holds the API key; without it ${ENV_KEY} of the environment` }),
  json: z.boolean().default(false).describe('print one JSON document'),
}
const webhookId = { name: 'ID', description: 'the id of a webhook, from the first column of: tonrpc webhooks list' }
const MOST = 1000

const placeOf = <P>(io: Io, place: P) => ({
  ...io,
  ...place,
  envKey: { name: ENV_KEY, value: io.env[ENV_KEY] ?? '' },
})

function idOf([id = '']: readonly string[]): string {
  if (!/^\d{1,18}$/.test(id))
    throw new UsageError('ids of webhooks are numbers: the first column of tonrpc webhooks list')
  return id
}

const list = command({
  name: 'webhooks list',
  summary: 'show the webhooks of the key, and how they do',
  flags: z.strictObject(common),
  async run(place, io) {
    const { listWebhooks } = await import('./perform.ts')
    await listWebhooks(placeOf(io, place))
  },
})

const add = command({
  name: 'webhooks add',
  summary: 'post notifications to an address; prints its secrets, once',
  words: [{ name: 'ENDPOINT', description: 'where they are posted: https://example.com/hook' }],
  flags: z.strictObject({
    types: z
      .array(z.string())
      .default(['transactions'])
      .describe(`types of notifications: ${STREAM_TYPE_NAMES.join(', ')}`),
    addresses: z.array(z.string()).default([]).describe('accounts they are about'),
    traces: z
      .array(z.string())
      .default([])
      .describe('traces they are about, by the hash of the message that begins each; type trace needs it'),
    opcodes: z
      .array(z.string())
      .default([])
      .describe(
        'opcodes of messages, such as 0x0f8a7ea5; type messages needs them; without addresses of all accounts, where the key may',
      ),
    actionTypes: z.array(z.string()).default([]).describe('types of actions; all when none is named'),
    description: z.string().default('').describe('what it is for'),
    ...common,
  }),
  async run({ types, addresses, traces, opcodes, actionTypes, description, ...place }, io, [endpoint = '']) {
    if (types.includes('trace') && traces.length === 0)
      throw new UsageError('type trace needs --traces: hashes of the messages that begin them')
    if (types.includes('messages') && opcodes.length === 0)
      throw new UsageError('type messages needs --opcodes: first 32 bits of their bodies, such as 0x0f8a7ea5')
    const { addWebhook } = await import('./perform.ts')
    const subscription = {
      types,
      addresses,
      ...(traces.length > 0 && { trace_external_hash_norms: traces }),
      ...(opcodes.length > 0 && { opcodes }),
      ...(actionTypes.length > 0 && { action_types: actionTypes }),
    }
    await addWebhook({ endpoint, description, subscription }, placeOf(io, place))
  },
})

const remove = command({
  name: 'webhooks remove',
  summary: 'end a webhook; nothing more is posted',
  words: [webhookId],
  flags: z.strictObject(common),
  async run(place, io, words) {
    const id = idOf(words)
    const { removeWebhook } = await import('./perform.ts')
    await removeWebhook(id, placeOf(io, place))
  },
})

const deliveries = command({
  name: 'webhooks deliveries',
  summary: 'show the last attempts of a webhook, the newest first',
  words: [webhookId],
  flags: z.strictObject({
    limit: z.int().min(1).max(MOST).default(20).describe('so many'),
    ...common,
  }),
  async run({ limit, ...place }, io, words) {
    const id = idOf(words)
    const { listDeliveries } = await import('./perform.ts')
    await listDeliveries(id, limit, placeOf(io, place))
  },
})

const test = command({
  name: 'webhooks test',
  summary: 'post a sample now and show what the endpoint answers',
  words: [webhookId],
  flags: z.strictObject(common),
  async run(place, io, words) {
    const id = idOf(words)
    const { testWebhook } = await import('./perform.ts')
    await testWebhook(id, placeOf(io, place))
  },
})

const replay = command({
  name: 'webhooks replay',
  summary: 'post everything from a masterchain block on again',
  words: [webhookId],
  flags: z.strictObject({
    from: z.int().min(2).describe('the masterchain block it begins with'),
    ...common,
  }),
  async run({ from, ...place }, io, words) {
    const id = idOf(words)
    const { replayWebhook } = await import('./perform.ts')
    await replayWebhook(id, from, placeOf(io, place))
  },
})

export const webhooksCommand = commandGroup({
  name: 'webhooks',
  summary: 'add, list, test and remove webhooks, show their deliveries',
  commands: [list, add, remove, deliveries, test, replay],
})
