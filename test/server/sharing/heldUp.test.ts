// A Redis that has answered while the process that asked could not run: the answer is read, not called late.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { RedisConnection } from '../../../server/sharing/index.ts'

const ANSWER_MS = 300
const PATIENCE = { timeout: 300_000 }

/** A server in a thread of its own, which goes on while this one is held. It counts what it answered to GET; PUT has no answer. */
const SERVER = `
  const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      if (bytes.includes('PUT')) return
      if (!bytes.includes('GET')) return void socket.write('+PONG\\r\\n')
      socket.write('+here\\r\\n', () => {
        Atomics.add(workerData, 0, 1)
        Atomics.notify(workerData, 0)
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

async function connected() {
  const answers = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(SERVER, { eval: true, workerData: answers })
  onTestFinished(async () => void (await worker.terminate()))
  const port = await new Promise<unknown>((resolve) => worker.once('message', resolve))
  const connection = new RedisConnection({
    address: `redis://127.0.0.1:${port}`,
    onChange: () => undefined,
    answerMs: ANSWER_MS,
  })
  onTestFinished(() => connection.close())
  await expect.poll(() => connection.isReady, PATIENCE).toBe(true)
  return { connection, answers }
}

test('an answer that came while the process stood still is read', PATIENCE, async () => {
  const { connection, answers } = await connected()
  const answer = connection.send(['GET', 'x']).catch((error: Error) => error.message)
  // After this turn of the loop timers come, then what is to be read.
  await nextTurn()
  Atomics.wait(answers, 0, 0)
  Atomics.wait(answers, 0, 1, 2 * ANSWER_MS)
  expect(await answer).toBe('here')
  // Its time is over since, and ends nothing.
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(await connection.send(['GET', 'x'])).toBe('here')
})

test('error: a server that says nothing is given up', PATIENCE, async () => {
  const { connection } = await connected()
  await expect(connection.send(['PUT', 'x'])).rejects.toThrow(`no answer within ${ANSWER_MS} ms`)
})
