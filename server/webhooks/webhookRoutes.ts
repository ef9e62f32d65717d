// Every path of the interface, and what is done there.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { opcodeText } from '../../shared/abi/opcodeText.ts'
import { ApiError } from '../../shared/errors.ts'
import { parseFields } from '../../shared/parseFields.ts'
import { clip, withDigits } from '../../shared/primitives.ts'
import { AccountFilter } from '../../shared/v3/filters.ts'
import { inPieces } from '../fairness/index.ts'
import { timeLimit } from '../process/index.ts'
import {
  type AccountKey,
  addWebhookAccounts,
  addWebhookRow,
  countWebhookAccounts,
  countWebhookOpcodes,
  countWebhookParts,
  countWebhooks,
  deleteWebhookRow,
  type ListedWebhook,
  lockWebhook,
  lockWebhooks,
  readDeliveries,
  readWebhookAccounts,
  readWebhookOpcodes,
  readWebhookRows,
  removeWebhookAccounts,
  type Sql,
  setWebhookOpcode,
  touchWebhook,
  type WebhookChange,
} from '../store/index.ts'
import { firstPlace } from './firstPlace.ts'
import { readingAccounts } from './listedAccounts.ts'
import type { Owner } from './owner.ts'
import { checkEndpoint, endpointTrouble, type Posted, type Posting } from './postWebhook.ts'
import { blockBeforeReplay } from './replayedBlock.ts'
import { accountJson, deliveryJson, logJson, webhookText, webhookUsageJson } from './webhookJson.ts'
import type { WebhooksRequest, WebhooksServiceParts } from './webhooksRequest.ts'

interface Served {
  readonly parts: WebhooksServiceParts
  readonly request: WebhooksRequest
  readonly owner: Owner
  /** The variable parts of the path. */
  readonly words: readonly string[]
  /** Posts a sample for the caller, until that is gone. */
  readonly sample: (posting: Posting) => Promise<Posted>
}

export interface WebhookRoute {
  readonly verb: 'GET' | 'POST' | 'DELETE'
  readonly path: RegExp
  /** The reply: JSON text, or a value to serialize. */
  readonly serve: (served: Served) => Promise<unknown>
}

const CHECK_MS = 5_000
const MOST_LISTED = 1000
/** Maximum bytes of a subscription in the list: a hundred of a megabyte each blocked the database for seconds. */
const LISTED_BYTES = 16 * 1024
const OPCODES = 1000
/** The path of one webhook; further parts follow. */
const ONE = '/webhooks/(\\d{1,18})'

const Text = z.string().refine((text) => !/[\0\p{Cs}]/u.test(text), 'must have no character U+0000 or lone surrogate')
const NewWebhook = z.object({
  endpoint: Text,
  description: Text.max(256).default(''),
  subscription: z.record(z.string(), z.unknown()).nullish(),
})
const NewAccount = z.object({ account_id: AccountFilter }).transform(({ account_id }) => account_id)
const count = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000_000).default(fallback)
const Page = z.object({
  limit: count(MOST_LISTED),
  offset: count(0),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
})

const bodyOf = ({ parts, request }: Served): unknown => (request.body.trim() === '' ? {} : parts.parse(request.body))

const pageOf = ({ request }: Served) => {
  const { limit, offset, cursor } = parseFields(Page, Object.fromEntries(new URLSearchParams(request.query)))
  return { limit: Math.min(limit, MOST_LISTED), offset, before: cursor === undefined ? null : BigInt(cursor) }
}

const makeSecret = (kind: string): string => `${kind}_${randomBytes(32).toString('base64url')}`
const makeSecrets = () => ({ token: makeSecret('whtoken'), secret: makeSecret('whsecret') })

/** Throws ApiError `notFound` for a webhook that does not exist or belongs to another key. */
async function own(from: Sql, { owner, words }: Served, bytes = 0): Promise<ListedWebhook> {
  const [row] = await readWebhookRows(from, owner.name, { id: BigInt(words[0] ?? ''), bytes })
  if (row === undefined)
    throw new ApiError('notFound', `webhook ${clip(words[0] ?? '')} is not yours, or does not exist`)
  return row
}

const within = <T>({ parts }: Served, work: (sql: Sql) => Promise<T>): Promise<T> => parts.database.transaction(work)

/** Changes one webhook, and answers with an empty object. */
function changes(change: (to: Sql, row: ListedWebhook, served: Served) => Promise<WebhookChange | undefined>) {
  return async (served: Served): Promise<unknown> => {
    const id = await within(served, async (to) => {
      // Locked before it is read: another process may be removing it.
      await lockWebhook(to, BigInt(served.words[0] ?? ''), served.owner.name)
      const row = await own(to, served)
      await touchWebhook(to, row.id, BigInt(Date.now()), (await change(to, row, served)) ?? {})
      return row.id
    })
    served.parts.changed(id)
    return {}
  }
}

async function add(served: Served): Promise<unknown> {
  const { parts, owner, request } = served
  const { endpoint, description, subscription } = parseFields(NewWebhook, bodyOf(served))
  const trouble = endpointTrouble(endpoint)
  if (trouble !== null) throw new ApiError('invalidParams', trouble)
  const { addresses, allAccounts } = owner
  if (subscription) await parts.notices.read(subscription, addresses, { subject: request.caller.subject, allAccounts })
  await checkEndpoint({ endpoint, owner: owner.name }, parts.rules, timeLimit(CHECK_MS)).catch((cause: unknown) => {
    const text = cause instanceof Error && cause.name === 'HostError' ? cause.message : 'the host is not known'
    const hint =
      parts.rules.allowsPrivate || text.includes('known')
        ? ''
        : '; for hosts of a private network the service has --webhook-private'
    throw new ApiError('invalidParams', `endpoint: ${text}${hint}`, {}, { cause })
  })
  const secrets = makeSecrets()
  const text = subscription ? JSON.stringify(subscription, withDigits) : ''
  const row = { owner: owner.name, endpoint, description, ...secrets, subscription: text }
  const id = await within(served, async (to) => {
    await lockWebhooks(to)
    const head = parts.feed.head()
    if (head === null) throw new ApiError('notIndexed', undefined, { retryAfter: 1 })
    if ((await countWebhooks(to, owner.name)) >= owner.webhooks)
      throw new ApiError('conflict', `too many webhooks of one key: ${owner.webhooks} at most; delete one`)
    return await addWebhookRow(to, { ...row, ...(await firstPlace(to, head)), created_at: BigInt(Date.now()) })
  })
  parts.changed(id)
  return { webhook_id: Number(id), ...secrets }
}

const list = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const { name } = served.owner
    const parts = new Map((await countWebhookParts(from, name)).map((one) => [one.id, one]))
    const none = { accounts: 0n, opcodes: 0n }
    const rows = await readWebhookRows(from, name, { bytes: LISTED_BYTES })
    return `{"webhooks":[${rows.map((row) => webhookText(row, parts.get(row.id) ?? none)).join()}]}`
  })

const showOne = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const row = await own(from, served, Number.MAX_SAFE_INTEGER)
    const accounts = await countWebhookAccounts(from, row.id)
    const opcodes = await countWebhookOpcodes(from, row.id)
    return webhookText(row, { accounts, opcodes })
  })

async function renewSecrets(served: Served): Promise<unknown> {
  const secrets = makeSecrets()
  await changes(() => Promise.resolve(secrets))(served)
  return secrets
}

async function remove(served: Served): Promise<unknown> {
  const id = await within(served, async (to) => {
    const row = await own(to, served)
    await deleteWebhookRow(to, row.id)
    return row.id
  })
  served.parts.changed(id)
  return {}
}

/** For the accounts that a body lists, which are read before the webhook is locked: there may be thousands. */
function changesAccounts(
  account: z.ZodType<AccountKey>,
  change: (to: Sql, id: bigint, keys: readonly AccountKey[], served: Served) => Promise<void>,
) {
  return async (served: Served): Promise<unknown> => {
    const { subject } = served.request.caller
    const keys = await inPieces(readingAccounts(account, bodyOf(served)), { subject })
    const changed = changes((to, { id }) => change(to, id, keys, served).then(() => undefined))
    return await changed(served)
  }
}

const tooMany = (what: string, most: number): ApiError =>
  new ApiError('conflict', `too many ${what} of one webhook: ${most} at most; unsubscribe some, or add another webhook`)

const subscribeAccounts = changesAccounts(NewAccount, async (to, id, keys, { owner: { addresses: most } }) => {
  await addWebhookAccounts(to, id, keys)
  if ((await countWebhookAccounts(to, id)) > most) throw tooMany('accounts', most)
})

const unsubscribeAccounts = changesAccounts(AccountFilter, removeWebhookAccounts)

const changeOpcode = (isWanted: boolean) =>
  changes(async (to, { id }, { words: [, opcode = ''] }) => {
    await setWebhookOpcode(to, id, BigInt(opcode), isWanted)
    if ((await countWebhookOpcodes(to, id)) > OPCODES) throw tooMany('opcodes', OPCODES)
    return undefined
  })

const goOnline = changes(async () => ({ isOnline: true }))

async function replay(served: Served): Promise<unknown> {
  const before = await blockBeforeReplay(served.parts.feed, bodyOf(served))
  return await changes(async (to) => ({ isOnline: true, place: await firstPlace(to, before) }))(served)
}

const changeNewContracts = (newContracts: boolean) => changes(async () => ({ newContracts }))

/** Messages that are in no block yet are never posted, so that there is nothing to end. */
const changeNothing = changes(async () => undefined)

const listAccounts = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const rows = await readWebhookAccounts(from, (await own(from, served)).id, pageOf(served))
    return `{"account_tx_subscriptions":[${rows.map(accountJson).join()}]}`
  })

const listOpcodes = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const opcodes = await readWebhookOpcodes(from, (await own(from, served)).id)
    return { subscriptions: opcodes.map((opcode) => ({ opcode: opcodeText(Number(opcode)), status: 'active' })) }
  })

const logs = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const { limit, offset } = pageOf(served)
    const { id } = await own(from, served)
    const rows = await readDeliveries(from, id, { before: null, limit, offset, onlyFailed: true })
    return { logs: rows.map(logJson), ...(limit > 0 && rows.length === limit ? { next_offset: offset + limit } : {}) }
  })

const deliveries = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const { limit, before } = pageOf(served)
    const rows = await readDeliveries(from, (await own(from, served)).id, { before, limit })
    const last = rows.length < limit ? undefined : rows.at(-1)
    return { deliveries: rows.map(deliveryJson), ...(last === undefined ? {} : { next_cursor: String(last.id) }) }
  })

async function test(served: Served): Promise<unknown> {
  const { owner, endpoint, token, secret, id } = await within(served, (from) => own(from, served))
  const body = JSON.stringify({ type: 'test', webhook_id: Number(id) })
  return await served.sample({ owner, endpoint, token, secret, name: 'test', body })
}

const usage = (served: Served): Promise<unknown> =>
  within(served, async (from) => {
    const { name } = served.owner
    return webhookUsageJson(await readWebhookRows(from, name, {}), await countWebhookParts(from, name))
  })

const NO_MEMPOOL = 'messages that are in no block yet are not posted: subscribe to a stream with min_finality pending'
const noMempool = (): Promise<never> => Promise.reject(new ApiError('invalidParams', NO_MEMPOOL))

const route = (verb: WebhookRoute['verb'], path: string, serve: WebhookRoute['serve']): WebhookRoute => ({
  verb,
  serve,
  path: new RegExp(`^${path}$`),
})

const OPCODE = '(0x[0-9a-fA-F]{1,8})'

export const routes: readonly WebhookRoute[] = [
  route('GET', '/webhooks', list),
  route('POST', '/webhooks', add),
  route('GET', ONE, showOne),
  route('DELETE', ONE, remove),
  route('POST', `${ONE}/generate-new-token`, renewSecrets),
  route('POST', `${ONE}/back-online`, goOnline),
  route('POST', `${ONE}/replay`, replay),
  route('GET', `${ONE}/logs`, logs),
  route('GET', `${ONE}/deliveries`, deliveries),
  route('POST', `${ONE}/test`, test),
  route('POST', `${ONE}/account-tx/subscribe`, subscribeAccounts),
  route('POST', `${ONE}/account-tx/unsubscribe`, unsubscribeAccounts),
  route('GET', `${ONE}/account-tx/subscriptions`, listAccounts),
  route('POST', `${ONE}/subscribe-msg-opcode/${OPCODE}`, changeOpcode(true)),
  route('POST', `${ONE}/unsubscribe-msg-opcode/${OPCODE}`, changeOpcode(false)),
  route('GET', `${ONE}/msg-opcode/subscriptions`, listOpcodes),
  route('POST', `${ONE}/subscribe-new-contracts`, changeNewContracts(true)),
  route('POST', `${ONE}/unsubscribe-new-contracts`, changeNewContracts(false)),
  route('POST', `${ONE}/mempool/subscribe`, noMempool),
  route('POST', `${ONE}/mempool/unsubscribe`, changeNothing),
  route('GET', '/usage-stats', usage),
]
