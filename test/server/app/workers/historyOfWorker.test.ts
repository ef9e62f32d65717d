// The history of an account from its newest transaction on, in a process that does not own the chain: the owner is asked where
// it begins, and the rest is read here, with the owner's answers.

import { setTimeout as pause } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHistoryOfWorker } from '../../../../server/app/workers/historyOfWorker.ts'
import { type Devchain, lastTransactionsOf } from '../../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../../server/devchain/lite/index.ts'
import { createWorkerHandlers, transactionTextFormat } from '../../../../server/methods/index.ts'
import { transactionHandlers } from '../../../../server/methods/v2/transactions.ts'
import { Written } from '../../../../server/methods/written.ts'
import { NOT_HERE } from '../../../../server/node/index.ts'
import { transactionsV2 } from '../../../../shared/v2/transactions.ts'
import { callWith } from '../../../setup/handlerCall.ts'
import { hex, openChain, seedOf, stillClock, temporaryFolder } from '../../devchain/devchains.ts'
import { play, prepare } from '../../devchain/traffic.ts'

const ID = seedOf(6)
const EMPTY = `0:${'07'.repeat(32)}`
const ELSEWHERE = `5:${'06'.repeat(32)}`

const sent = <T>(value: T): T => deserialize(serialize(value)) as T
const call = callWith(new AbortController().signal)

async function opened() {
  const folder = await temporaryFolder()
  const { chain } = await openChain({
    folder,
    seed: seedOf(5),
    now: stillClock().now,
    texts: transactionTextFormat,
    sync: 'interval' as const,
  })
  for (let i = 0; i < 20; i++) await chain.control.faucet({ workchain: 0, id: ID }, 1_000_000_000n)
  await play(chain, await prepare(chain, 4), { count: 3, seed: 1 })
  return { folder, chain }
}

/** A worker that hears all news, unless `isDeaf`; its questions wait until `answer` is called, unless `answersAtOnce`. */
async function workerOf(folder: string, chain: Devchain) {
  const { feed } = chain
  if (feed === null) throw new Error('nothing is archived')
  const state = { isDeaf: false, answersAtOnce: true, questions: [] as number[] }
  const held: (() => void)[] = []
  const history = await openHistoryOfWorker(
    folder,
    {
      after: (seqno) => setImmediate(() => history?.takePart(sent(feed.after(seqno)))),
      async lastTransactions(question) {
        state.questions.push(question.length / 36)
        const answer = lastTransactionsOf(chain.reader, sent(question))
        if (!state.answersAtOnce) await new Promise<void>((resolve) => held.push(resolve))
        return sent(answer)
      },
    },
    { warn: vi.fn() },
  )
  if (history === null) throw new Error('the history is not readable')
  const stop = feed.onNews((news) => {
    if (!state.isDeaf) history.take(sent(news))
  })
  onTestFinished(async () => {
    stop()
    await history.close()
  })
  history.begin()
  const methods = createWorkerHandlers({ reading: null, history, store: {} as never, testOnly: true })
  return {
    history,
    methods,
    state,
    answer: () => {
      for (const resolve of held.splice(0)) resolve()
    },
  }
}

const written = async (result: unknown): Promise<string> => {
  const found = await result
  return found instanceof Written ? found.json : JSON.stringify(found)
}

type Worker = Awaited<ReturnType<typeof workerOf>>
type Name = 'getTransactions' | 'getTransactionsStd'

const newestOf = ({ methods }: Worker, address: string, limit = 40, name: Name = 'getTransactions', from = call) =>
  written(methods.handlers[name]?.(transactionsV2[name].params.parse({ address, limit }) as never, from))

/** Resolves with what the worker says once it can. */
async function here(worker: Worker, address: string, limit?: number, name?: Name): Promise<string> {
  for (;;) {
    try {
      return await newestOf(worker, address, limit, name)
    } catch (error) {
      if (error !== NOT_HERE) throw error
      await pause(20)
    }
  }
}

test('behavior: what it reads is what the owner answers', async () => {
  const { folder, chain } = await opened()
  const worker = await workerOf(folder, chain)
  const own = transactionHandlers(createEmbeddedChain(chain))
  const addresses = [`0:${hex(ID)}`, EMPTY, ELSEWHERE, `-1:${'3'.repeat(64)}`, `-1:${'5'.repeat(64)}`]
  for (const address of addresses)
    for (const limit of [1, 5, 40])
      for (const name of ['getTransactions', 'getTransactionsStd'] as const) {
        expect(worker.methods.placeOf(name, { address, limit })).toBe('hereFirst')
        const params = transactionsV2[name].params.parse({ address, limit }) as never
        expect([address, await here(worker, address, limit, name)]).toEqual([
          address,
          await written(own[name](params, call)),
        ])
      }
  const all = JSON.parse(await here(worker, `0:${hex(ID)}`)) as unknown[]
  expect(all).toHaveLength(20)
  expect(await here(worker, EMPTY)).toBe('[]')
})

test('behavior: accounts that are waited for meanwhile are one question', async () => {
  const { folder, chain } = await opened()
  const worker = await workerOf(folder, chain)
  await here(worker, `0:${hex(ID)}`)
  worker.state.questions = []
  worker.state.answersAtOnce = false
  const first = Array.from({ length: 5 }, () => newestOf(worker, `0:${hex(ID)}`, 2))
  await expect.poll(() => worker.state.questions).toEqual([5])
  const left = new AbortController()
  const gone = newestOf(worker, EMPTY, 3, 'getTransactions', callWith(left.signal))
  const late = newestOf(worker, EMPTY)
  left.abort(new Error('the caller left'))
  await expect(gone).rejects.toThrow('the caller left')
  await pause(0)
  expect(worker.state.questions).toEqual([5])
  worker.answer()
  expect(new Set(await Promise.all(first)).size).toBe(1)
  await expect.poll(() => worker.state.questions).toEqual([5, 1])
  worker.answer()
  expect(await late).toBe('[]')
})

test('behavior: an answer of a block that was not heard of is not used', async () => {
  const { folder, chain } = await opened()
  const worker = await workerOf(folder, chain)
  const address = `0:${hex(ID)}`
  await here(worker, address)
  worker.state.isDeaf = true
  await chain.control.faucet({ workchain: 0, id: ID }, 5n)
  await expect(newestOf(worker, address)).rejects.toBe(NOT_HERE)
  await expect(newestOf(worker, EMPTY)).rejects.toBe(NOT_HERE)
})

test('behavior: the chain goes another way between the two steps', async () => {
  const { folder, chain } = await opened()
  const worker = await workerOf(folder, chain)
  const address = `0:${hex(ID)}`
  const mark = await chain.control.snapshot()
  await chain.control.faucet({ workchain: 0, id: ID }, 5n)
  const before = await here(worker, address)
  worker.state.answersAtOnce = false
  const asked = [newestOf(worker, address), newestOf(worker, EMPTY)].map((one) => one.catch((error: unknown) => error))
  await expect.poll(() => worker.state.questions.at(-1)).toBe(2)
  await chain.control.revert(mark)
  // As many blocks as there were, others.
  await chain.control.faucet({ workchain: 0, id: ID }, 7n)
  worker.answer()
  expect(await Promise.all(asked)).toEqual([NOT_HERE, NOT_HERE])
  worker.state.answersAtOnce = true
  const after = await here(worker, address)
  expect(JSON.parse(after)).toHaveLength(21)
  expect(after).not.toBe(before)
})

test('behavior: the chain goes another way while the history is read', async () => {
  const { folder, chain } = await opened()
  const worker = await workerOf(folder, chain)
  const address = `0:${hex(ID)}`
  const mark = await chain.control.snapshot()
  // The second page begins before them.
  for (let i = 0; i < 10; i++) await chain.control.faucet({ workchain: 0, id: ID }, 5n)
  await here(worker, address)
  const { chain: read } = worker.history
  let pages = 0
  const { getTransactions } = transactionHandlers(
    {
      ...read,
      async transactions(...query) {
        if (++pages === 2) await chain.control.revert(mark)
        return await read.transactions(...query)
      },
    },
    (account, signal) => worker.history.newest(account, signal),
  )
  const params = transactionsV2.getTransactions.params.parse({ address, limit: 40 })
  await expect((async () => await getTransactions(params, call))()).rejects.toBe(NOT_HERE)
  expect(pages).toBe(2)
})

test('error: the owner does not answer', async () => {
  const { folder, chain } = await opened()
  const worker = await workerOf(folder, chain)
  await here(worker, EMPTY)
  const moment = vi.spyOn(chain.reader, 'moment').mockImplementation(() => {
    throw new Error('away')
  })
  await expect(newestOf(worker, EMPTY)).rejects.toThrow('away')
  moment.mockRestore()
  expect(await newestOf(worker, EMPTY)).toBe('[]')
})
