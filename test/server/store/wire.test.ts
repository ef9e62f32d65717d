import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { ThreadWire } from '../../../server/store/pglite/wire.ts'

const ECHO = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (bytes) => parentPort.postMessage([bytes.length, bytes[0], bytes.at(-1)]))`

/** Tells of each message its length, its first and its last byte. */
function openWire() {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(ECHO)}`), { execArgv: [] })
  onTestFinished(async () => {
    await thread.terminate()
  })
  const heard: number[][] = []
  thread.on('message', (message: number[]) => heard.push(message))
  return { wire: new ThreadWire(thread), heard }
}

const bytes = (length: number, filler: number): Buffer => Buffer.alloc(length, filler)

test('what is asked in one turn is one message, in its order', async () => {
  const { wire, heard } = openWire()
  for (const filler of [1, 2, 3]) wire.write(bytes(10, filler))
  await expect.poll(() => heard).toEqual([[30, 1, 3]])
  wire.write(bytes(5, 4))
  await expect.poll(() => heard.slice(1)).toEqual([[5, 4, 4]])
})

test('a lot does not wait for the rest of its turn', async () => {
  const { wire, heard } = openWire()
  wire.write(bytes(1, 1))
  wire.write(bytes(1 << 20, 2))
  wire.write(bytes(7, 3))
  await expect
    .poll(() => heard)
    .toEqual([
      [(1 << 20) + 1, 1, 2],
      [7, 3, 3],
    ])
})
