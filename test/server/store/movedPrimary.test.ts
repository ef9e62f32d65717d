// After the loss of a primary its address may lead to a replica, and later to the primary of now, while connections to the replica
// stay open: the service finds its way without a restart.

import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { freePort } from '../../setup/freePort.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { hasServer, ownPostgres } from '../../setup/ownPostgres.ts'

/** A name that leads new connections elsewhere, and leaves the others as they are. */
async function movingName(first: number) {
  let target = first
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port, move: (to: number) => (target = to) }
}

const stands = sql`select pg_is_in_recovery() as stands`

test.runIf(hasServer)('what leads to a replica first is left for the primary', async () => {
  const own = await ownPostgres()
  onTestFinished(() => own[Symbol.asyncDispose]())
  const replica = await own.replica()
  const name = await movingName(replica.port)
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
