import { describe, expect, onTestFinished, test } from 'vitest'
import { reportRefusedThreads } from '../../../server/app/reports/threadReport.ts'
import { onThreadRefused, startThread, TaskThread } from '../../../server/process/index.ts'
import { ThreadStarts } from '../../../server/process/startThread.ts'
import { RefusedThreads, TOO_LARGE } from '../../setup/refusedThreads.ts'

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

describe('tries, of each of which Node keeps memory', () => {
  const MINUTE_MS = 60_000

  function setup() {
    let now = 0
    let refused = 0
    onTestFinished(onThreadRefused(() => void refused++))
    const starts = new ThreadStarts(() => now)
    return {
      starts,
      wait(ms: number) {
        now += ms
      },
      /** How many of so many starts the system refused. */
      refusedOf(count: number) {
        const before = refused
        for (let i = 0; i < count; i++) expect(starts.start(ANSWERING, { resourceLimits: TOO_LARGE })).toBeNull()
        return refused - before
      },
    }
  }

  test('are eight, and one more each minute', () => {
    const { wait, refusedOf } = setup()
    expect(refusedOf(100)).toBe(8)
    wait(MINUTE_MS - 1)
    expect(refusedOf(100)).toBe(0)
    wait(1)
    expect(refusedOf(100)).toBe(1)
    wait(100 * MINUTE_MS)
    expect(refusedOf(100)).toBe(8)
  })

  test('and one for each thread that has ended, which the next thread uses up', async () => {
    const { starts, refusedOf } = setup()
    const end = async (thread = starts.start(ANSWERING, {})) => void (await thread?.terminate())
    await end()
    expect(refusedOf(100)).toBe(9)
    expect(starts.start(ANSWERING, {})).toBeNull()
    const { starts: others, refusedOf: refusedOfOthers } = setup()
    const first = others.start(ANSWERING, {})
    expect(refusedOfOthers(100)).toBe(8)
    await end(first)
    const second = others.start(ANSWERING, {})
    expect(second).not.toBeNull()
    expect(refusedOfOthers(100)).toBe(0)
    await end(second)
    expect(refusedOfOthers(100)).toBe(1)
  })
})
