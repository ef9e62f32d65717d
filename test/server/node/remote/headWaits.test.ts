// Waits for blocks that are yet to come hold nothing once their callers have left.

import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createVerifiedLiteServer, type LiteServer, Trust } from '../../../../server/node/index.ts'
import { openScene } from '../../devchain/lite/liteScene.ts'

function pending() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

test.each(['while the newest block is read', 'while the block is awaited'])('a caller that leaves %s', async (when) => {
  const scene = await openScene({ messages: 2, seed: 3 })
  onTestFinished(() => scene.close())
  let listeners = 0
  const asked = pending()
  const gate = pending()
  let isSlow = false
  const source: LiteServer = {
    ...scene.lite,
    onHead(listener) {
      listeners++
      const stop = scene.lite.onHead(listener)
      return () => {
        listeners--
        stop()
      }
    },
    // Answers also those that do not wait for it any more.
    async masterchainInfo() {
      if (isSlow) {
        asked.resolve()
        await gate.promise
      }
      return await scene.lite.masterchainInfo()
    },
  }
  const { last } = await scene.lite.masterchainInfo()
  const trust = new Trust(source)
  await trust.read()
  isSlow = true
  const verified = createVerifiedLiteServer(source, trust)
  const caller = new AbortController()
  const waiting = verified.waitMasterchainSeqno(last.seqno + 5, { signal: caller.signal })
  const outcome = expect(waiting).rejects.toMatchObject({ kind: 'cancelled' })
  await asked.promise
  if (when.includes('awaited')) {
    gate.resolve()
    await expect.poll(() => listeners).toBe(1)
  }
  caller.abort()
  await outcome
  gate.resolve()
  for (let turns = 0; turns < 200; turns++) await turn()
  expect(listeners).toBe(0)
})
