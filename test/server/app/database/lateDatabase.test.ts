import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLateDatabase, type LateDatabase } from '../../../../server/app/database/lateDatabase.ts'
import { type Database, StoreError, type StoreErrorCode, sql } from '../../../../server/store/index.ts'
import { freshDatabase } from '../../../setup/database.ts'

interface Late {
  readonly late: LateDatabase
  /** Ends the try that is in flight. */
  readonly next: (result: Database | StoreErrorCode) => void
  /** A thread opens it. */
  readonly begin: () => void
  readonly tries: () => number
  readonly warn: ReturnType<typeof vi.fn>
  readonly info: ReturnType<typeof vi.fn>
}

function someLate(): Late {
  let settle: (result: Database | StoreErrorCode) => void = () => undefined
  let tries = 0
  let begin: () => void = () => undefined
  const open = (signal: AbortSignal, onBegun: () => void): Promise<Database> => {
    tries++
    begin = onBegun
    return new Promise((resolve, reject) => {
      // A test that fails leaves a try in flight: closing must not wait for it.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      settle = (result) =>
        typeof result === 'string' ? reject(new StoreError(result, `it is ${result}`)) : resolve(result)
    })
  }
  const warn = vi.fn()
  const info = vi.fn()
  const late = createLateDatabase({ kind: 'pglite', open, log: { warn, info } })
  onTestFinished(() => late.close())
  return { late, next: (result) => settle(result), begin: () => begin(), tries: () => tries, warn, info }
}

const ONE = sql`select 1 as one`

test('reads wait for the first try, and get the rows of what it opened', async () => {
  const { late, next } = someLate()
  const reading = late.read.query(ONE)
  expect(late.isOpen).toBe(false)
  next(await freshDatabase('pglite'))
  expect(await reading).toEqual([{ one: 1 }])
  expect([late.isOpen, late.failure]).toEqual([true, null])
})

test.each(['unavailable', 'timeout', 'busy', 'full', 'locked', 'conflict'] as const)(
  'what is %s is opened again until it succeeds',
  async (code) => {
    const { late, next, tries, warn, info } = someLate()
    const waiting = late.read.query(ONE)
    const leading = late.transaction((to) => to.query(ONE))
    next(code)
    // Those who wait, and those who come meanwhile, get the reason at once.
    await expect(waiting).rejects.toMatchObject({ code, message: `it is ${code}` })
    await expect(late.read.query(ONE)).rejects.toMatchObject({ code })
    expect(late.failure).toMatchObject({ code })
    await expect.poll(tries).toBe(2)
    next(await freshDatabase('pglite'))
    expect(await leading).toEqual([{ one: 1 }])
    expect(await late.read.query(ONE)).toEqual([{ one: 1 }])
    expect(late.failure).toBeNull()
    // One sentence, once; none for a moment in which another process has it.
    const lines = code === 'locked' ? [] : [[{ reason: `it is ${code}` }, 'waiting for the database']]
    expect(warn.mock.calls).toEqual(lines)
    expect(info.mock.calls).toEqual([[{ failures: 1 }, 'database opened']])
  },
)

test('a read gets the reason of the newest try, and one that was opened at once has no line', async () => {
  const { late, next, tries, info } = someLate()
  next('busy')
  await expect.poll(tries).toBe(2)
  next('full')
  await expect.poll(tries).toBe(3)
  await expect(late.read.query(ONE)).rejects.toMatchObject({ code: 'full' })
  const other = someLate()
  other.next(await freshDatabase('pglite'))
  await other.late.read.query(ONE)
  expect([info.mock.calls, other.info.mock.calls]).toEqual([[], []])
})

test('a wait for one reason and then for another is one line', async () => {
  const { late, next, tries, warn } = someLate()
  for (const code of [
    'locked',
    'unavailable',
    'busy',
    'locked',
    'locked',
    'locked',
    'locked',
    'unavailable',
  ] as const) {
    const before = tries()
    next(code)
    await expect.poll(tries).toBe(before + 1)
  }
  expect(warn.mock.calls).toEqual([[{ reason: 'it is unavailable' }, 'waiting for the database']])
  next(await freshDatabase('pglite'))
  await expect.poll(() => late.isOpen).toBe(true)
})

test('what waiting does not change refuses every call with the reason, and is not tried again', async () => {
  const { late, next, tries } = someLate()
  const calls = [late.read.query(ONE), late.transaction((to) => to.query(ONE)), late.lead(new AbortController().signal)]
  next('mismatch')
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'mismatch' })
  await expect(late.read.query(ONE)).rejects.toMatchObject({ code: 'mismatch' })
  expect(tries()).toBe(1)
})

test('closed while it is opened, it refuses those who wait', async () => {
  const { late, next } = someLate()
  const waiting = late.transaction((to) => to.query(ONE))
  late.giveUp()
  await expect(waiting).rejects.toMatchObject({ code: 'closed' })
  next('unavailable')
})

test.each(['a thread opens it', 'it is open', 'it cannot be opened now', 'it cannot be opened'])(
  'who begins to open it may go on to something else when %s',
  async (when) => {
    const { late, next, begin } = someLate()
    let hasBegun = false
    const begun = late.begun.then(() => {
      hasBegun = true
    })
    await setImmediate()
    expect(hasBegun).toBe(false)
    if (when === 'a thread opens it') begin()
    else if (when === 'it is open') next(await freshDatabase('pglite'))
    else next(when === 'it cannot be opened' ? 'mismatch' : 'full')
    await begun
    late.giveUp()
    next('unavailable')
  },
)

test('the newest block that was reported to callers while it was being opened is passed on', async () => {
  const { late, next } = someLate()
  const [one, two] = [1, 2].map((seqno) => ({ seqno, rootHash: new Uint8Array(32) }))
  const keepUp = vi.fn()
  late.keepUp(one ?? null)
  next(Object.assign(await freshDatabase('pglite'), { keepUp }))
  await late.read.query(ONE)
  late.keepUp(two ?? null)
  expect(keepUp.mock.calls).toEqual([[one], [two]])
})
