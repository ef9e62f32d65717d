import { once } from 'node:events'
import { expect, test } from 'vitest'
import { TaskThread } from '../../../server/process/index.ts'

interface Task {
  readonly number: number
  readonly text: unknown
}

const ANSWERING =
  "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ number, text }) => parentPort.postMessage({ number, text }))"

const answering = (idleMs?: number) =>
  new TaskThread<Task, Task>({ entry: () => new URL(`data:text/javascript,${encodeURIComponent(ANSWERING)}`), idleMs })

/** What no message can hold. */
const unsendable = { text: () => undefined }

test('tasks are answered, and the thread ends when it has none', async () => {
  const thread = answering(1)
  expect(thread.isRunning).toBe(false)
  const started = thread.start()
  if (started === null) return expect.fail('a thread was refused')
  const ended = once(started, 'exit')
  expect(thread.isRunning).toBe(true)
  expect(await thread.run({ text: 'one' })).toEqual({ number: 0, text: 'one' })
  await ended
  expect(thread.isRunning).toBe(false)
  expect(await thread.run({ text: 'two' })).toEqual({ number: 1, text: 'two' })
})

test('error: a task that cannot be sent is rejected, and is not waited for', async () => {
  const thread = answering(1)
  await expect(thread.run(unsendable)).rejects.toThrow('could not be cloned')
  expect(thread.pending).toBe(0)
  await expect.poll(() => thread.isRunning).toBe(false)
})

test('error: nor does it end the thread while another task waits', async () => {
  const thread = answering(0)
  const first = thread.run({ text: 'one' })
  await expect(thread.run(unsendable)).rejects.toThrow('could not be cloned')
  expect(await first).toEqual({ number: 0, text: 'one' })
})
