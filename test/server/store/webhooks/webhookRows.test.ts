// What is stored of a webhook: by the process that has claimed it last, and until it is set back.

import { expect, test } from 'vitest'
import {
  type AccountKey,
  addWebhookAccounts,
  type Database,
  readWebhookAccounts,
} from '../../../../server/store/index.ts'
import {
  addWebhookRow,
  claimWebhook,
  noteAttempts,
  readDeliveries,
  readWebhookRows,
  readWebhooksMark,
  storeWebhookCursors,
  touchWebhook,
  type WebhookAttempt,
} from '../../../../server/store/webhooks/webhookRows.ts'
import { freshDatabase } from '../../../setup/database.ts'

const OWN = { owner: 'key', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 5n }
const ACCOUNT = new Uint8Array(36).fill(7) as AccountKey

async function openWebhook() {
  const database: Database & AsyncDisposable = await freshDatabase('pglite')
  const id = await database.transaction((to) => addWebhookRow(to, { ...OWN, cursor: 'begin', trail: '' }))
  const claim = async (): Promise<bigint> => (await database.transaction((to) => claimWebhook(to, id)))?.epoch ?? 0n
  const attempt = (epoch: bigint, more: Partial<WebhookAttempt>): WebhookAttempt => {
    const made = { at: 10n, event: 'blocks', mcSeqno: 3, attempt: 1, status: 200, ms: 1, error: '' }
    return {
      id,
      epoch,
      cursor: 'next',
      trail: '',
      ...made,
      isTaken: true,
      isPruned: false,
      next: null,
      account: null,
      ...more,
    }
  }
  const note = async (one: WebhookAttempt, kept = 100): Promise<boolean> =>
    (await database.transaction((to) => noteAttempts(to, [one], kept))).has(id)
  const store = async (epoch: bigint, cursor: string): Promise<boolean> =>
    (await database.transaction((to) => storeWebhookCursors(to, [{ id, epoch, cursor, trail: '' }]))).has(id)
  const row = async () => (await database.transaction((from) => readWebhookRows(from, 'key', { id })))[0]
  return {
    database,
    id,
    claim,
    attempt,
    note,
    store,
    row,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const FAILED = { isTaken: false, status: 500, error: 'answered 500', cursor: 'begin' } as const
const LATER = { status: 'offline', reason: 'answered 500', at: 99n }

test('who has not claimed it last stores nothing', async () => {
  await using webhook = await openWebhook()
  const { claim, attempt, note, store } = webhook
  const old = await claim()
  const newer = await claim()
  expect([await note(attempt(old, {})), await store(old, 'old')]).toEqual([false, false])
  expect([await note(attempt(newer, {})), await store(newer, 'new')]).toEqual([true, true])
})

test('who was delivering it when it was set back stores nothing more', async () => {
  await using webhook = await openWebhook()
  const { database, id, claim, attempt, note, store } = webhook
  const epoch = await claim()
  await database.transaction((to) => touchWebhook(to, id, 20n, { isOnline: true }))
  expect(await store(epoch, 'on')).toBe(true)
  await database.transaction((to) => touchWebhook(to, id, 20n, { place: { cursor: 'back', trail: '' } }))
  expect([await note(attempt(epoch, {})), await store(epoch, 'on')]).toEqual([false, false])
  expect(await database.transaction((to) => claimWebhook(to, id))).toMatchObject({ cursor: 'back' })
})

test('failures are counted until one is taken, or until it is back online', async () => {
  await using webhook = await openWebhook()
  const { database, id, claim, attempt, note, row } = webhook
  const epoch = await claim()
  for (let i = 0; i < 2; i++) await note(attempt(epoch, { ...FAILED, next: LATER }))
  const failed = {
    status: 'offline',
    failures: 2,
    next_at: 99n,
    delivered: 0n,
    failed: 2n,
    status_at: 10n,
    last_online_at: 5n,
  }
  expect(await row()).toMatchObject(failed)
  await database.transaction((to) => touchWebhook(to, id, 20n, { isOnline: true }))
  expect(await row()).toMatchObject({ status: 'online', reason: '', failures: 0, next_at: 0n, status_at: 20n })
  await note(attempt(epoch, { ...FAILED, next: LATER }))
  await note(attempt(epoch, { at: 30n }))
  const taken = {
    status: 'online',
    reason: '',
    failures: 0,
    next_at: 0n,
    delivered: 1n,
    failed: 3n,
    last_online_at: 30n,
  }
  expect(await row()).toMatchObject(taken)
})

test('an account is where its last event was taken', async () => {
  await using webhook = await openWebhook()
  const { database, id, claim, attempt, note } = webhook
  await database.transaction((to) => addWebhookAccounts(to, id, [ACCOUNT]))
  const epoch = await claim()
  const lts: bigint[] = []
  for (const more of [
    { account: { account: ACCOUNT, lt: 7n } },
    { ...FAILED, next: LATER, account: { account: ACCOUNT, lt: 9n } },
  ]) {
    await note(attempt(epoch, more))
    for (const { last_lt } of await database.transaction((from) => readWebhookAccounts(from, id))) lts.push(last_lt)
  }
  expect(lts).toEqual([7n, 7n])
})

test('of its attempts as many are kept as were wanted, the newest', async () => {
  await using webhook = await openWebhook()
  const { database, id, claim, attempt, note } = webhook
  const epoch = await claim()
  for (let i = 1; i <= 5; i++) await note(attempt(epoch, { mcSeqno: i, isPruned: i === 5 }), 3)
  const left = await database.transaction((from) => readDeliveries(from, id, { before: null, limit: 100 }))
  expect(left.map(({ mc_seqno }) => mc_seqno)).toEqual([5n, 4n, 3n])
})

test('which of two has changed is seen by the mark', async () => {
  await using webhook = await openWebhook()
  const { database, id } = webhook
  const other = await database.transaction((to) => addWebhookRow(to, { ...OWN, cursor: '', trail: '' }))
  const marks = new Set<string>()
  for (const changed of [id, other])
    await database
      .transaction(async (to) => {
        await touchWebhook(to, changed, 20n)
        marks.add(await readWebhooksMark(to))
        throw new Error('undone')
      })
      .catch(() => undefined)
  marks.add(await database.transaction(readWebhooksMark))
  expect(marks.size).toBe(3)
})
