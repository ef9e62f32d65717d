// Webhooks that are added, or delivered, while the database of what delivers cannot be used.

import { expect, test } from 'vitest'
import { type Database, StoreError } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openDelivery, wish } from './deliveryScene.ts'

/** A database that refuses transactions with `failure` while `fails` is set. */
function failingOn(database: Pick<Database, 'kind' | 'transaction'>, failure: StoreError) {
  const failing = {
    kind: database.kind,
    fails: false,
    refused: 0,
    transaction: <T>(...work: Parameters<typeof database.transaction<T>>): Promise<T> => {
      if (!failing.fails) return database.transaction(...work)
      failing.refused++
      return Promise.reject(failure)
    },
  }
  return failing
}

test('one that was added while the database could not be read is begun once it can be', async () => {
  await using database = await freshDatabase('pglite')
  const failing = failingOn(database, new StoreError('unavailable', 'away'))
  const { posts, ask, grow, mend } = openDelivery(database, failing)
  mend()
  const isDelivered = async (id: unknown, count: number) =>
    (await ask('GET', `/webhooks/${id}`)).delivered === count || undefined
  const { webhook_id: first } = await ask('POST', '/webhooks', wish)
  grow()
  await eventually(() => isDelivered(first, 1))
  failing.fails = true
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  await eventually(() => failing.refused > 0 || undefined)
  failing.fails = false
  grow()
  await eventually(() => isDelivered(id, 1))
  await eventually(() => isDelivered(first, 2))
  expect(posts).toEqual(['2', '3', '3'])
})

test('while the disk is full that is logged once, however many webhooks try again', async () => {
  await using database = await freshDatabase('pglite')
  const failing = failingOn(database, new StoreError('full', 'no space'))
  const logged: unknown[] = []
  const { ask, grow, mend } = openDelivery(database, failing, (text) => logged.push(text))
  mend()
  const ids = [(await ask('POST', '/webhooks', wish)).webhook_id, (await ask('POST', '/webhooks', wish)).webhook_id]
  const areDelivered = async (count: number) => {
    const found = await Promise.all(ids.map((id) => ask('GET', `/webhooks/${id}`)))
    return found.every(({ delivered }) => delivered === count) || undefined
  }
  grow()
  await eventually(() => areDelivered(1))
  failing.fails = true
  grow()
  await eventually(() => failing.refused >= 6 || undefined)
  expect(logged).toEqual(['webhook paused; others with the same trouble are not logged'])
  failing.fails = false
  await eventually(() => areDelivered(2))
})

test('error: while the disk is full', async () => {
  const transaction = () => Promise.reject(new StoreError('full', 'no space for /data'))
  const { ask } = openDelivery({ kind: 'pglite', transaction })
  const words = { kind: 'diskFull', message: 'no room on the disk for webhooks' }
  await expect(ask('POST', '/webhooks', wish)).rejects.toMatchObject(words)
})
