// Calls of the webhook interface, and what is printed of their results.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { codeOf, printable, timeLimit } from '../../process/index.ts'
import { alignedLines } from '../alignedLines.ts'
import type { Io } from '../command.ts'
import { CommandError, noService, otherProgram } from '../commandErrors.ts'

export interface WebhooksIo extends Pick<Io, 'out'> {
  /** The variable of the environment with the key, whose value is empty without one. */
  readonly envKey: { readonly name: string; readonly value: string }
  readonly url: string
  readonly keyFile: string
  readonly json: boolean
}

const CALL_MS = 30_000

const Listed = z.looseObject({
  webhooks: z.array(
    z.looseObject({
      id: z.number(),
      endpoint: z.string(),
      status: z.string(),
      reason: z.string(),
      delivered: z.number(),
      failed: z.number(),
      subscribed_accounts: z.number(),
      last_online_at: z.string(),
    }),
  ),
})
const Added = z.looseObject({ webhook_id: z.number(), token: z.string(), secret: z.string() })
const Deliveries = z.looseObject({
  deliveries: z.array(
    z.looseObject({
      time: z.string(),
      event_type: z.string(),
      mc_seqno: z.number(),
      attempt: z.number(),
      status: z.number(),
      ms: z.number(),
      error: z.string().optional(),
    }),
  ),
})
const Done = z.looseObject({})
const Tested = z.looseObject({ status: z.number(), ms: z.number(), error: z.string() })
const Refused = z.object({ error: z.string() })

/** Fetch takes nothing else for a header, and fails as it does without a service. */
const ONE_WORD = /^[!-~]+$/

/** Empty without one. Throws CommandError. */
async function keyOf({ keyFile, envKey }: WebhooksIo): Promise<string> {
  if (keyFile === '') {
    // Secrets that are mounted as variables often end with a line break.
    const key = envKey.value.trim()
    if (envKey.value === '' || ONE_WORD.test(key)) return key
    throw new CommandError(`${envKey.name} must hold an API key and nothing else`)
  }
  let text: string
  try {
    text = (await readFile(keyFile, 'utf8')).trim()
  } catch (cause) {
    const why = `the file ${keyFile} cannot be read (${codeOf(cause)}): name one that holds the API key`
    throw new CommandError(`--key-file: ${why}`, { cause })
  }
  if (ONE_WORD.test(text)) return text
  throw new CommandError(`--key-file: the file ${keyFile} must hold an API key and nothing else`)
}

/** An answer. Throws CommandError for a refusal, for a service that is not there and for one of another kind. */
async function call<T>(
  schema: z.ZodType<T>,
  [verb, path]: readonly [verb: string, path: string],
  io: WebhooksIo,
  body?: unknown,
): Promise<T> {
  const root = io.url.replace(/\/+$/, '')
  const key = await keyOf(io)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { 'Content-Type': 'application/json', ...(key === '' ? {} : { 'X-API-Key': key }) }
  const signal = timeLimit(CALL_MS)
  const answer = await fetch(`${root}/api/webhooks/v1${path}`, { method: verb, headers, signal, ...sent }).catch(
    (cause: unknown) => {
      throw noService(root, cause)
    },
  )
  const value: unknown = await answer.json().catch(() => null)
  if (answer.ok) {
    const { data } = schema.safeParse(value)
    if (data !== undefined) return data
    throw otherProgram(root)
  }
  const refused = Refused.safeParse(value)
  throw new CommandError(printable(refused.success ? refused.data.error : `the service answered ${answer.status}`))
}

export async function listWebhooks(io: WebhooksIo): Promise<void> {
  const value = await call(Listed, ['GET', '/webhooks'], io)
  if (io.json) return io.out(JSON.stringify(value))
  const { webhooks } = value
  if (webhooks.length === 0) return io.out('No webhooks yet. To add one: tonrpc webhooks add https://example.com/hook')
  const rows = webhooks.map((one) => [
    String(one.id),
    one.status,
    String(one.delivered),
    String(one.failed),
    one.last_online_at,
    one.endpoint,
    one.reason,
  ])
  const head = ['ID', 'STATUS', 'DELIVERED', 'FAILED', 'LAST ONLINE', 'ENDPOINT', 'REASON']
  for (const line of alignedLines([head, ...rows.map((row) => row.map(printable))])) io.out(line)
}

export async function addWebhook(order: object, io: WebhooksIo): Promise<void> {
  const value = await call(Added, ['POST', '/webhooks'], io, order)
  if (io.json) return io.out(JSON.stringify(value))
  const { webhook_id, token, secret } = value
  io.out(`Webhook ${webhook_id}. Its secrets are shown once and cannot be shown again:`)
  io.out(`token  ${token}`)
  io.out(`secret ${secret}`)
  io.out('Each delivery has the token as Authorization: Bearer, and X-Signature is made with the secret.')
}

export async function removeWebhook(id: string, io: WebhooksIo): Promise<void> {
  const value = await call(Done, ['DELETE', `/webhooks/${id}`], io)
  io.out(io.json ? JSON.stringify(value) : `Removed webhook ${id}.`)
}

export async function listDeliveries(id: string, limit: number, io: WebhooksIo): Promise<void> {
  const value = await call(Deliveries, ['GET', `/webhooks/${id}/deliveries?limit=${limit}`], io)
  if (io.json) return io.out(JSON.stringify(value))
  const { deliveries } = value
  if (deliveries.length === 0) return io.out('Nothing was posted yet.')
  const rows = deliveries.map(({ time, event_type, mc_seqno, attempt, status, ms, error = '' }) => [
    time,
    event_type,
    String(mc_seqno),
    String(attempt),
    status === 0 ? '-' : String(status),
    String(ms),
    error,
  ])
  const head = ['TIME', 'EVENT', 'BLOCK', 'ATTEMPT', 'STATUS', 'MS', 'ERROR']
  for (const line of alignedLines([head, ...rows.map((row) => row.map(printable))])) io.out(line)
}

export async function testWebhook(id: string, io: WebhooksIo): Promise<void> {
  const value = await call(Tested, ['POST', `/webhooks/${id}/test`], io)
  if (io.json) return io.out(JSON.stringify(value))
  const { status, ms, error } = value
  if (error !== '') throw new CommandError(`the endpoint did not take it: ${printable(error)} (${ms} ms)`)
  io.out(`The endpoint answered ${status} within ${ms} ms.`)
}

export async function replayWebhook(id: string, from: number, io: WebhooksIo): Promise<void> {
  const value = await call(Done, ['POST', `/webhooks/${id}/replay`], io, { from })
  io.out(io.json ? JSON.stringify(value) : `Webhook ${id} posts again what is in block ${from} and later ones.`)
}
