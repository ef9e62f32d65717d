// After the loss of a primary its address may lead to a replica, and later to the primary of now, while connections to the replica
// stay open: the service finds its way without a restart.

import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { cuttableProxy } from '../../setup/cuttableProxy.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { hasServer, ownPostgres } from '../../setup/ownPostgres.ts'

const stands = sql`select pg_is_in_recovery() as stands`

test.runIf(hasServer)('what leads to a replica first is left for the primary', async () => {
  const own = await ownPostgres()
  onTestFinished(() => own[Symbol.asyncDispose]())
  const replica = await own.replica()
  const name = await cuttableProxy(replica.port)
  onTestFinished(() => name.close())
  const address = `postgres://postgres@127.0.0.1:${name.port}/postgres`
  const database = await openDatabase({ database: address, migrations: [], readTimeoutMs: PATIENCE_MS })
  onTestFinished(() => database.close())
  const write = () => database.transaction((to) => to.query(sql`create table written (n int)`))
  const words = {
    code: 'unavailable',
    message: expect.stringMatching(/is a replica.*let its address lead to the primary/),
  }
  expect(await database.read.query(stands)).toEqual([{ stands: true }])
  await expect(write()).rejects.toMatchObject(words)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await expect(database.lead(signal)).rejects.toMatchObject(words)
  name.move(own.primary.port)
  await write()
  const { lost, release } = await database.lead(signal)
  expect(lost.aborted).toBe(false)
  await expect.poll(() => database.read.query(stands)).toEqual([{ stands: false }])
  await release()
})
