// Many clients ask for large answers at once. Only a few answers are made at a time: the first clients get theirs in time, and memory
// stays small. An answer whose client has gone is not made.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import { readAhead } from '../../../../server/node/verify/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { restingAlways } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from './liteScene.ts'

const CELLS = 20_000
const ACCOUNTS: readonly AccountId[] = Array.from({ length: 24 }, (_, i) => ({
  workchain: 0,
  hash: new Uint8Array(32).fill(i + 0x40),
}))

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  const code = beginCell().storeUint(1, 8).end()
  const data = treeOf(CELLS)
  for (const { workchain, hash: id } of ACCOUNTS)
    await scene.chain.control.setAccount({ workchain, id, balance: 10n ** 9n, code, data })
  await scene.chain.control.mine(1)
})
afterAll(() => scene.close())

const askAll = <T>(ask: (account: AccountId, i: number) => Promise<T>): Promise<T>[] => ACCOUNTS.map(ask)

/** How many turns of the event loop began before each of them settled, successfully or not. */
async function turnsUntilEach(works: readonly Promise<unknown>[]): Promise<readonly number[]> {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  const ends = works.map((work) =>
    work.then(
      () => turns,
      () => turns,
    ),
  )
  const found = await Promise.all(ends)
  clearImmediate(next)
  return found
}

const first = (turns: readonly number[]): number => Math.min(...turns)
const last = (turns: readonly number[]): number => Math.max(...turns)

test('behavior: of many large accounts one caller asks for, the first are written long before the last', async () => {
  const { id } = scene.chain.head().master
  const turns = await restingAlways(() =>
    turnsUntilEach(askAll((account) => scene.lite.accountState(id, account, { share: 'one' }))),
  )
  expect(first(turns)).toBeLessThan(last(turns) / 4)
})

test('behavior: and of those that are read', async () => {
  const { id } = scene.chain.head().master
  const answers = await Promise.all(askAll((account) => scene.lite.accountState(id, account)))
  const copies = answers.map((answer) => ({ ...answer, state: answer.state.slice() }))
  const turns = await restingAlways(() =>
    turnsUntilEach(copies.map(async (answer) => await readAhead(answer, { share: 'one' }))),
  )
  expect(first(turns)).toBeLessThan(last(turns) / 4)
})

test('behavior: another caller does not wait for all of the first one', async () => {
  await scene.chain.control.mine(1)
  const { id } = scene.chain.head().master
  const done: number[] = []
  const newcomer = ACCOUNTS.length - 1
  const share = (i: number): string => (i === newcomer ? 'other' : 'one')
  await restingAlways(() =>
    Promise.all(
      askAll(async (account, i) => {
        await scene.lite.accountState(id, account, { share: share(i) })
        done.push(i)
      }),
    ),
  )
  expect(done.indexOf(newcomer)).toBeLessThan(ACCOUNTS.length / 2)
})

test('error: what a caller that has gone asked for is not made', async () => {
  await scene.chain.control.mine(1)
  const { id } = scene.chain.head().master
  const gone = new AbortController()
  const works = askAll((account) => scene.lite.accountState(id, account, { share: 'one', signal: gone.signal }))
  const settled = Promise.allSettled(works)
  await Promise.race(works)
  gone.abort()
  const kinds = (await settled).map((one) => (one.status === 'rejected' ? one.reason.kind : 'made'))
  expect(kinds.filter((kind) => kind === 'cancelled').length).toBeGreaterThan(ACCOUNTS.length / 2)
  expect(new Set(kinds)).toEqual(new Set(['made', 'cancelled']))
})

test('error: nor is what such a caller was to read', async () => {
  const { id } = scene.chain.head().master
  const [account] = ACCOUNTS
  if (account === undefined) throw new Error('there is no account')
  const answer = await scene.lite.accountState(id, account)
  const gone = new AbortController()
  const reading = readAhead({ ...answer, state: answer.state.slice() }, { signal: gone.signal })
  gone.abort()
  await expect(reading).rejects.toMatchObject({ kind: 'cancelled' })
})

test('behavior: the same large account, asked for many times at once, is written once; a caller that goes takes it from no other', async () => {
  await scene.chain.control.mine(1)
  const { id } = scene.chain.head().master
  const [account] = ACCOUNTS
  if (account === undefined) throw new Error('there is no account')
  const ask = (signal: AbortSignal) => scene.lite.accountState(id, account, { share: 'one', signal })
  const stays = new AbortController().signal
  const gone = new AbortController()
  const first = ask(gone.signal)
  const others = Array.from({ length: 8 }, () => ask(stays))
  setImmediate(() => gone.abort())
  await first.catch(() => undefined)
  const states = (await Promise.all(others)).map(({ state }) => state)
  expect(new Set(states).size).toBe(1)
})
