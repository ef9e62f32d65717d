import { expect, onTestFinished, test } from 'vitest'
import { reportRefusedThreads } from '../../../server/app/reports/threadReport.ts'
import { onThreadRefused, startThread, TaskThread } from '../../../server/process/index.ts'
import { RefusedThreads } from '../../setup/refusedThreads.ts'

const ANSWERING = new URL(
  `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.on('message', (task) => parentPort.postMessage(task))")}`,
)

test('a thread the system refuses is null, and those who listen hear of it', () => {
  const heard: string[] = []
  const threads = new RefusedThreads()
  const stop = onThreadRefused(({ message }) => heard.push(message))
  expect(threads.start(ANSWERING, {})).toBeNull()
  expect(heard).toEqual(['EAGAIN'])
  stop()
  expect(threads.start(ANSWERING, {})).toBeNull()
  expect(heard).toHaveLength(1)
})

test('error: what is wrong with a thread otherwise is thrown', () => {
  expect(() => startThread(new URL('http://127.0.0.1/thread.js'), {})).toThrow(/URL/)
})

test('a task without a thread has no answer, and the next one starts another', async () => {
  const thread = new TaskThread<{ readonly number: number }, { readonly number: number }>({
    entry: () => ANSWERING,
    idleMs: 1,
    begin: new RefusedThreads(1).start,
  })
  expect(await thread.run({})).toBeNull()
  expect([thread.isRunning, thread.pending]).toEqual([false, 0])
  expect(await thread.run({})).toEqual({ number: 0 })
})

test('the log names it once, with what to do', () => {
  const lines: unknown[] = []
  const warn = (facts: object, text: string) => void lines.push([facts, text])
  onTestFinished(reportRefusedThreads({ warn }))
  const threads = new RefusedThreads()
  for (let i = 0; i < 3; i++) threads.start(ANSWERING, {})
  expect(lines).toEqual([
    [{ cause: 'EAGAIN' }, expect.stringMatching(/refused by the system.*pids\.max, TasksMax=, ulimit -u/)],
  ])
})
