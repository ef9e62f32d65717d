// A PostgreSQL that has answered while the process that asked could not run: the answer is read, not called late.

import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { answeredInTime, clientOf } from '../../../server/store/postgres/pooledClient.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

const ANSWER_MS = 300
const PATIENCE = { timeout: 300_000 }

/** Says when the server has answered a statement; in a thread of its own, which goes on while this one is held. */
const WATCH = `
  const pg = require('pg')
  const { workerData } = require('node:worker_threads')
  const { address, flag } = workerData
  void (async () => {
    const client = new pg.Client(address)
    await client.connect()
    for (let isHere = false; !isHere; ) {
      const { rows } = await client.query(
        "select from pg_stat_activity where datname = current_database() and state = 'idle' and query = 'select 1 as held'",
      )
      isHere = rows.length > 0
    }
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
    await client.end()
  })()
`

async function database(): Promise<string> {
  const address = await emptyDatabase()
  onTestFinished(() => dropDatabase(address))
  return address
}

test.runIf(drivers.includes('postgres'))(
  'an answer that came while the process stood still is read',
  PATIENCE,
  async () => {
    const address = await database()
    const client = new (clientOf(address))()
    await client.connect()
    onTestFinished(() => client.end())
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(WATCH, { eval: true, workerData: { address, flag } })
    onTestFinished(async () => void (await worker.terminate()))
    const answer = answeredInTime(client, client.query('select 1 as held'), ANSWER_MS)
    // After this turn of the loop timers come, then what is to be read.
    await new Promise<void>((resolve) => setImmediate(resolve))
    Atomics.wait(flag, 0, 0)
    Atomics.wait(flag, 0, 1, 2 * ANSWER_MS)
    expect((await answer).rows).toEqual([{ held: 1 }])
  },
)
