// One thread of the pool by itself: what it reports of its jobs.

import { serializeTuple } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { startThread } from '../../../server/process/index.ts'
import { createConfig, prepareTvm, TvmError, TvmTimeout } from '../../../server/tvm/index.ts'
import { PoolWorker, type PoolWorkerEvents } from '../../../server/tvm/poolWorker.ts'
import { getMethodJob } from '../../../server/tvm/portable.ts'
import { type PendingJob, ThreadShare } from '../../../server/tvm/threadShare.ts'
import { alice, boc, code } from './contracts.ts'
import { now } from './corpus.ts'

test('a run that was ended is charged with the time since it began, not more', async () => {
  const config = createConfig(defaultConfig)
  const methodId = 5
  const run = {
    code: boc(code.endless),
    data: boc(code.silent),
    address: alice.toRawString(),
    balance: 1n,
    methodId,
    now,
  }
  const job = getMethodJob(config.hash, { ...run, stack: boc(serializeTuple([])), gasLimit: 1_000_000n })
  const charged: number[] = []
  let began = Number.NaN
  const cause = await prepareTvm().then(
    (machine) =>
      new Promise<TvmError>((reject) => {
        let isBegun = false
        const events: PoolWorkerEvents = {
          ready(worker) {
            if (isBegun) return
            isBegun = true
            began = performance.now()
            const share = new ThreadShare('caller')
            const resolve = (): void => expect.fail('a run without an end has ended')
            worker.run({
              id: 1,
              job,
              config,
              timeLimitMs: 200,
              share,
              dropped: false,
              resolve,
              reject,
            } satisfies PendingJob)
          },
          finished: (_job, ms) => charged.push(ms),
          back: () => undefined,
          gone: () => undefined,
        }
        const begun = PoolWorker.begin(machine, events, startThread)
        onTestFinished(() => begun?.stop(new TvmError('closed', 'The test is over')))
      }),
  )
  expect(cause).toBeInstanceOf(TvmTimeout)
  expect(charged).toHaveLength(1)
  // A timer of Node may be a millisecond early.
  expect(charged[0]).toBeGreaterThanOrEqual(199)
  expect(charged[0]).toBeLessThanOrEqual(performance.now() - began)
})
