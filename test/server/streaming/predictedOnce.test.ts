// A trace that goes on is reported twice with each of its blocks, as confirmed and as finalized: what follows is predicted once.

import { expect, onTestFinished, test, vi } from 'vitest'
import { Emulation } from '../../../server/methods/emulation/emulation.ts'
import { RestOfTraces } from '../../../server/methods/live/restOfTraces.ts'
import { loopingContract } from '../../setup/loopingContract.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { type Frame, openSocket, openWallet } from '../../setup/streams.ts'

const LOOP = `0:${'4D'.repeat(32)}`
/** More than one block takes. */
const LEAST = 600

const countOf = ({ transactions }: Frame): number => (transactions as readonly unknown[]).length

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

test('for a subscriber to what is pending, and both reports have it', async () => {
  const { client, send, mine } = await openWallet(service())
  await client.dev.setAccount({ address: LOOP, ...loopingContract(LEAST) })
  await mine()
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['transactions', 'heads'], addresses: ['*'], min_finality: 'pending' })
  const predictions = vi.spyOn(Emulation.prototype, 'follow')
  onTestFinished(() => predictions.mockRestore())
  const hash = await send(LOOP)
  const ofLoop = (frame: Frame): boolean => frame.trace_external_hash_norm === hash
  await stream.frames.first(ofLoop)
  await mine()
  const isReported = ({ type, finality }: Frame): boolean => type === 'heads' && finality === 'finalized'
  await stream.frames.first(isReported)
  expect(predictions).toHaveBeenCalledTimes(2)
  const [early, confirmed, finalized] = stream.notices().filter(ofLoop).map(countOf)
  expect(early).toBeLessThan(LEAST)
  expect(confirmed).toBeGreaterThan(LEAST)
  expect(finalized).toBe(confirmed)
})

test('what follows is kept for one block, until it is taken, as far as there is room', () => {
  const rests = new RestOfTraces<{ readonly bytes: number }>()
  const blockOf = (i: number) => ({ rootHash: Buffer.alloc(32, i) })
  const nameOf = (i: number) => Buffer.alloc(32, 100 + i)
  const mega = { bytes: 1 << 20 }
  const taken = (block: number) =>
    Array.from({ length: 40 }, (_, i) => rests.take(blockOf(block), nameOf(i))).filter((one) => one !== undefined)
      .length
  const keepAll = (block: number) => {
    for (let i = 0; i < 40; i++) rests.keep(blockOf(block), nameOf(i), mega)
  }
  keepAll(1)
  expect(taken(2)).toBe(0)
  expect(taken(1)).toBe(16)
  expect(taken(1)).toBe(0)
  keepAll(1)
  keepAll(2)
  expect(taken(1)).toBe(0)
  expect(taken(2)).toBe(16)
})
