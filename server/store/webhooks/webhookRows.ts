// Webhooks of all processes of a service. The process that delivers claims a webhook with the next epoch, and stores nothing
// once another one has claimed it.

import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'

/** Each behind those it refers to. */
export const WEBHOOK_TABLES = ['webhooks', 'webhook_accounts', 'webhook_opcodes', 'webhook_deliveries'] as const

/** What its owner sees of a webhook. Times are milliseconds since 1970. */
interface DescribedWebhook {
  readonly id: bigint
  /** Id of a key; empty for the programs that control an embedded chain. */
  readonly owner: string
  readonly endpoint: string
  readonly description: string
  readonly token: string
  readonly secret: string
  /** The subscription as it was sent, in JSON; empty without one. */
  readonly subscription: string
  readonly new_contracts: boolean
  readonly created_at: bigint
  readonly status: string
  readonly reason: string
  readonly status_at: bigint
  readonly last_online_at: bigint
  /** Attempts that failed since the last one that did not. */
  readonly failures: number
  readonly next_at: bigint
  readonly delivered: bigint
  readonly failed: bigint
  readonly [column: string]: unknown
}

export interface WebhookRow extends DescribedWebhook {
  /** Raised by every change but that of its progress. */
  readonly revision: bigint
  readonly epoch: bigint
  readonly cursor: string
  /** Earlier places of the cursor, by which a revert is found. */
  readonly trail: string
}

export interface ListedWebhook extends DescribedWebhook {
  /** Length of the subscription, which itself may be left out. */
  readonly subscription_bytes: number
}

export type NewWebhook = Pick<
  WebhookRow,
  'owner' | 'endpoint' | 'description' | 'token' | 'secret' | 'subscription' | 'created_at' | 'cursor' | 'trail'
>

/** Until the transaction ends no other process counts or adds webhooks, also behind poolers and without advisory locks. */
export async function lockWebhooks(to: Sql): Promise<void> {
  await to.query(sql`select version from api_key_version for update`)
}

/** Until the transaction ends no other process removes this webhook of an owner, or counts or adds what it has. */
export async function lockWebhook(to: Sql, id: bigint, owner: string): Promise<void> {
  await to.query(sql`select id from webhooks where id = ${id} and owner = ${owner} for update`)
}

export async function addWebhookRow(to: Sql, row: NewWebhook): Promise<bigint> {
  const [added] = await to.query<{ id: bigint }>(sql`insert into webhooks
      (owner, endpoint, description, token, secret, subscription, created_at, cursor, trail, status_at, last_online_at)
    values (${row.owner}, ${row.endpoint}, ${row.description}, ${row.token}, ${row.secret}, ${row.subscription},
      ${row.created_at}, ${row.cursor}, ${row.trail}, ${row.created_at}, ${row.created_at}) returning id`)
  return added?.id ?? 0n
}

/** Those of one owner, or one of them by its id. Subscriptions of more bytes than `bytes` are left out: each may have a megabyte. */
export const readWebhookRows = (
  from: Sql,
  owner: string,
  { id = null, bytes = 0 }: { id?: bigint | null; bytes?: number },
) =>
  from.query<ListedWebhook>(sql`select id, owner, endpoint, description, token, secret, new_contracts, created_at, status, reason,
      status_at, last_online_at, failures, next_at, delivered, failed, octet_length(subscription) as subscription_bytes,
      case when octet_length(subscription) <= ${bytes}::int8 then subscription else '' end as subscription
    from webhooks where owner = ${owner} and (${id}::int8 is null or id = ${id}) order by id`)

/** What there is to deliver, of all webhooks or of some. */
export const readWebhookRevisions = (from: Sql, ids: readonly bigint[] | null) =>
  from.query<Pick<WebhookRow, 'id' | 'owner' | 'revision'>>(sql`select id, owner, revision from webhooks
    where status <> 'suspended' and (${ids}::int8[] is null or id = any(${ids}::int8[]))`)

/** Another text after every change of what there is to deliver. */
export async function readWebhooksMark(from: Sql): Promise<string> {
  const [row] = await from.query<{ mark: string }>(sql`select concat_ws(' ', count(*), max(id), sum(revision),
    sum(id::numeric * revision)) as mark from webhooks where status <> 'suspended'`)
  return row?.mark ?? ''
}

export const countWebhooks = async (from: Sql, owner: string): Promise<number> =>
  countIn(await from.query(sql`select count(*)::int8 as count from webhooks where owner = ${owner}`))

export const countWebhookAccounts = async (from: Sql, id: bigint): Promise<number> =>
  countIn(await from.query(sql`select count(*)::int8 as count from webhook_accounts where webhook_id = ${id}`))

export const countWebhookOpcodes = async (from: Sql, id: bigint): Promise<number> =>
  countIn(await from.query(sql`select count(*)::int8 as count from webhook_opcodes where webhook_id = ${id}`))

const countIn = ([row]: readonly { readonly count: bigint }[]): number => Number(row?.count ?? 0n)

export async function deleteWebhookRow(to: Sql, id: bigint): Promise<void> {
  await to.query(sql`delete from webhooks where id = ${id}`)
}

export interface WebhookChange {
  readonly token?: string
  readonly secret?: string
  readonly newContracts?: boolean
  /** Tries again at once. */
  readonly isOnline?: boolean
  /** Goes on from there; what delivers it now stores nothing more. */
  readonly place?: Pick<WebhookCursor, 'cursor' | 'trail'>
}

/** Notes a change, so that deliveries go on with it. */
export async function touchWebhook(to: Sql, id: bigint, now: bigint, change: WebhookChange = {}): Promise<void> {
  const { token = null, secret = null, newContracts = null, isOnline = false, place } = change
  await to.query(sql`update webhooks set revision = revision + 1,
      token = coalesce(${token}::text, token), secret = coalesce(${secret}::text, secret),
      new_contracts = coalesce(${newContracts}::bool, new_contracts),
      cursor = coalesce(${place?.cursor ?? null}::text, cursor), trail = coalesce(${place?.trail ?? null}::text, trail),
      epoch = epoch + ${place === undefined ? 0 : 1}::int8,
      status = case when ${isOnline}::bool then 'online' else status end,
      reason = case when ${isOnline}::bool then '' else reason end,
      status_at = case when ${isOnline}::bool then ${now}::int8 else status_at end,
      failures = case when ${isOnline}::bool then 0 else failures end,
      next_at = case when ${isOnline}::bool then 0 else next_at end
    where id = ${id}`)
}

export async function setWebhookOpcode(to: Sql, id: bigint, opcode: bigint, isWanted: boolean): Promise<void> {
  await to.query(
    isWanted
      ? sql`insert into webhook_opcodes (webhook_id, opcode) values (${id}, ${opcode}) on conflict do nothing`
      : sql`delete from webhook_opcodes where webhook_id = ${id} and opcode = ${opcode}`,
  )
}

export const readWebhookOpcodes = async (from: Sql, id: bigint): Promise<bigint[]> =>
  (
    await from.query<{ opcode: bigint }>(
      sql`select opcode from webhook_opcodes where webhook_id = ${id} order by opcode`,
    )
  ).map(({ opcode }) => opcode)

/** Accounts and opcodes of each webhook of an owner. */
export const countWebhookParts = (from: Sql, owner: string) =>
  from.query<{ id: bigint; accounts: bigint; opcodes: bigint }>(sql`select id,
      (select count(*) from webhook_accounts a where a.webhook_id = w.id)::int8 as accounts,
      (select count(*) from webhook_opcodes o where o.webhook_id = w.id)::int8 as opcodes
    from webhooks w where owner = ${owner}`)

/** Takes a webhook over from a process that delivered it before; null when it is gone. */
export async function claimWebhook(to: Sql, id: bigint): Promise<WebhookRow | null> {
  const [row] = await to.query<WebhookRow>(sql`update webhooks set epoch = epoch + 1 where id = ${id} returning *`)
  return row ?? null
}

/** How far a webhook has come, as its claim stores it. */
export interface WebhookCursor {
  readonly id: bigint
  readonly epoch: bigint
  readonly cursor: string
  readonly trail: string
}

/** The ids of those that were stored: another process may have claimed a webhook, or it is gone. */
export async function storeWebhookCursors(to: Sql, cursors: readonly WebhookCursor[]): Promise<ReadonlySet<bigint>> {
  const stored = await to.query<Pick<WebhookRow, 'id'>>(sql`update webhooks w
      set cursor = given.cursor, trail = given.trail
    from unnest(${cursors.map(({ id }) => id)}::int8[], ${cursors.map(({ epoch }) => epoch)}::int8[],
      ${cursors.map(({ cursor }) => cursor)}::text[], ${cursors.map(({ trail }) => trail)}::text[])
      as given (id, epoch, cursor, trail)
    where w.id = given.id and w.epoch = given.epoch returning w.id`)
  return new Set(stored.map(({ id }) => id))
}

export interface WebhookAttempt extends WebhookCursor {
  readonly at: bigint
  readonly event: string
  readonly mcSeqno: number
  readonly attempt: number
  /** Of HTTP; 0 without a response. */
  readonly status: number
  readonly ms: number
  readonly error: string
  readonly isTaken: boolean
  /** Whether old attempts are deleted now. */
  readonly isPruned: boolean
  /** After an attempt that failed. */
  readonly next: { readonly status: string; readonly reason: string; readonly at: bigint } | null
  /** The account whose subscription this was, and where it is now. */
  readonly account: { readonly account: AccountKey; readonly lt: bigint } | null
}

/**
 * Stores one attempt of each of these webhooks, with its consequences. Returns the ids of those stored: a webhook may be deleted,
 * or claimed by another process. With `isPruned`, deletes all but the last `kept` attempts of that webhook.
 */
export async function noteAttempts(
  to: Sql,
  attempts: readonly WebhookAttempt[],
  kept: number,
): Promise<ReadonlySet<bigint>> {
  const of = <T>(pick: (attempt: WebhookAttempt) => T): T[] => attempts.map(pick)
  const rows = await to.query<Pick<WebhookRow, 'id'>>(sql`update webhooks w set
      cursor = a.cursor, trail = a.trail,
      status_at = case when w.status = a.status then w.status_at else a.at end,
      status = a.status, reason = a.reason, next_at = a.next_at,
      last_online_at = case when a.taken = 1 then a.at else w.last_online_at end,
      failures = case when a.taken = 1 then 0 else w.failures + 1 end,
      delivered = w.delivered + a.taken, failed = w.failed + 1 - a.taken
    from unnest(${of(({ id }) => id)}::int8[], ${of(({ epoch }) => epoch)}::int8[], ${of(({ cursor }) => cursor)}::text[],
      ${of(({ trail }) => trail)}::text[], ${of(({ at }) => at)}::int8[], ${of(({ isTaken }) => (isTaken ? 1 : 0))}::int4[],
      ${of(({ next }) => next?.status ?? 'online')}::text[], ${of(({ next }) => next?.reason ?? '')}::text[],
      ${of(({ next }) => next?.at ?? 0n)}::int8[]) as a (id, epoch, cursor, trail, at, taken, status, reason, next_at)
    where w.id = a.id and w.epoch = a.epoch returning w.id`)
  const stored = new Set(rows.map(({ id }) => id))
  const own = attempts.filter(({ id }) => stored.has(id))
  if (own.length > 0) await addDeliveries(to, own)
  const pruned = own.flatMap(({ id, isPruned }) => (isPruned ? [id] : []))
  if (pruned.length > 0) await pruneDeliveries(to, pruned, kept)
  return stored
}

async function addDeliveries(to: Sql, attempts: readonly WebhookAttempt[]): Promise<void> {
  const of = <T>(pick: (attempt: WebhookAttempt) => T): T[] => attempts.map(pick)
  await to.query(sql`insert into webhook_deliveries (webhook_id, at, event, mc_seqno, attempt, status, ms, error)
    select * from unnest(${of(({ id }) => id)}::int8[], ${of(({ at }) => at)}::int8[], ${of(({ event }) => event)}::text[],
      ${of(({ mcSeqno }) => mcSeqno)}::int8[], ${of(({ attempt }) => attempt)}::int4[], ${of(({ status }) => status)}::int4[],
      ${of(({ ms }) => ms)}::int4[], ${of(({ error }) => error)}::text[])`)
  const places = attempts.flatMap(({ id, account, isTaken }) => (account && isTaken ? [{ id, ...account }] : []))
  if (places.length > 0)
    await to.query(sql`update webhook_accounts w set last_lt = a.lt
      from unnest(${places.map(({ id }) => id)}::int8[], ${places.map(({ account }) => account)}::bytea[],
        ${places.map(({ lt }) => lt)}::int8[]) as a (id, account, lt)
      where w.webhook_id = a.id and w.account = a.account`)
}

export interface WebhookDeliveryRow {
  readonly id: bigint
  readonly at: bigint
  readonly event: string
  readonly mc_seqno: bigint
  readonly attempt: number
  readonly status: number
  readonly ms: number
  readonly error: string
  readonly [column: string]: unknown
}

/** The newest first. */
export const readDeliveries = (
  from: Sql,
  id: bigint,
  page: {
    readonly before: bigint | null
    readonly limit: number
    readonly offset?: number
    readonly onlyFailed?: boolean
  },
) =>
  from.query<WebhookDeliveryRow>(sql`select id, at, event, mc_seqno, attempt, status, ms, error from webhook_deliveries
    where webhook_id = ${id} and (${page.before}::int8 is null or id < ${page.before}::int8)
      and (${page.onlyFailed !== true}::bool or error <> '')
    order by id desc limit ${page.limit}::int8 offset ${page.offset ?? 0}::int8`)

/** Deletes all but the last `kept` attempts of each. */
async function pruneDeliveries(to: Sql, ids: readonly bigint[], kept: number): Promise<void> {
  await to.query(sql`delete from webhook_deliveries d
    using unnest(${ids}::int8[]) as w (id), lateral (select id from webhook_deliveries
      where webhook_id = w.id order by id desc offset ${kept}::int8 limit 1) as last
    where d.webhook_id = w.id and d.id <= last.id`)
}
