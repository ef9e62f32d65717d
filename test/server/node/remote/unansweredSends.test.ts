// The connection to the only server ends before it has answered a message: callers learn the truth, and the message runs once.

import { describe, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { createRemoteChain, createRepeatedSending, LiteError, MASTERCHAIN } from '../../../../server/node/index.ts'
import { accepting } from '../../devchain/traffic.ts'
import { account, bornWallet, coins, external, transfer } from '../../devchain/wallets.ts'
import { WrappedServer } from '../pool/wrappedServers.ts'
import { sendScene } from './sendScene.ts'

const at = sendScene(6)

type Cut = 'before' | 'after' | null

/** A server that ends its connection at the first sends, before or after it has taken the message. */
async function cutting(cuts: readonly Cut[], last: Cut = null) {
  let sends = 0
  const server = new WrappedServer('only', at().scene, at().clock)
  server.fault = async (verb, _args, honest) => {
    server.head = at().scene.blocks(MASTERCHAIN).length
    if (verb !== 'send') return await honest()
    const cut = cuts[sends++] ?? last
    const answer = cut === 'before' ? null : honest()
    await answer?.catch(() => undefined)
    if (cut === null) return await answer
    server.goDown()
    server.isUp = true
    return undefined
  }
  const pool = await at().pool([server])
  const chain = createRemoteChain(pool)
  const sending = createRepeatedSending({ pool, chain, clock: at().clock })
  return { sending, sends: () => sends }
}

describe('a message whose answer is lost with the connection', () => {
  test('behavior: counts as sent when it was taken, and is not run again', async () => {
    const to = account(0x71)
    await at().scene.chain.control.setAccount({ ...to, balance: coins(5), code: accepting, data: beginCell().end() })
    const before = await at().transactionsOf(to)
    const { sending, sends } = await cutting(['after'])
    await sending.send(writeBoc(external(to, beginCell().storeUint(1, 64).end())))
    await at().clock.sleep(60_000)
    expect([(await at().transactionsOf(to)) - before > 0, sends()]).toEqual([true, 1])
  })

  test('behavior: is sent again when it was not taken', async () => {
    const { sending, sends } = await cutting(['before', 'before'])
    const to = account(0x72)
    await sending.send(transfer(bornWallet(0), { to, value: coins(1) }))
    expect([await at().transactionsOf(to), sends()]).toEqual([1, 3])
  })

  test('error: is refused as its contract refuses it, when another one came first', async () => {
    const wallet = bornWallet(1)
    const { sending } = await cutting(['before'])
    await at().clock.during(at().scene.chain.send(transfer({ ...wallet }, { to: account(0x73), value: coins(1) })))
    const sent = sending.send(transfer({ ...wallet }, { to: account(0x74), value: coins(1) }))
    await expect(sent).rejects.toThrow(/exitcode=\d+/)
    expect([await at().transactionsOf(account(0x74)), sending.waiting]).toEqual([0, 0])
  })

  test('error: and is what ends the connections, is sent three times', async () => {
    const { sending, sends } = await cutting([], 'before')
    const sent = sending.send(transfer(bornWallet(2), { to: account(0x75), value: coins(1) }), { timeoutMs: 60_000 })
    await expect(sent).rejects.toMatchObject({ kind: 'cancelled' })
    await at().clock.sleep(120_000)
    expect([sends(), sending.waiting]).toEqual([3, 0])
  })

  test('error: is not sent again after the end, nor beyond its time', async () => {
    for (const end of [true, false]) {
      const { sending, sends } = await cutting(['before'])
      const message = transfer(bornWallet(2), { to: account(0x76), value: coins(1) })
      const sent = sending.send(message, end ? {} : { timeoutMs: 900 })
      const refused = expect(sent).rejects.toMatchObject({ kind: 'cancelled' })
      await at().clock.sleep(500)
      if (end) sending.close()
      await refused
      await at().clock.sleep(30_000)
      expect(sends()).toBe(1)
    }
  })

  test('error: to an account that is too busy to be searched may have been taken, and is not sent again', async () => {
    let sends = 0
    const passOn = async (_message: Uint8Array, given: Set<string>) => {
      sends++
      given.add('only')
      throw new LiteError('cancelled', 'the connection to only ended')
    }
    const [id] = at().scene.blocks(MASTERCHAIN)
    const other = (lt: bigint) => ({ lt, now: 2, prevLt: lt - 1n, prevHash: new Uint8Array(32), inMessage: null })
    const chain = {
      traits: { canRewind: false },
      head: async () => ({ id, utime: 1 }),
      account: async () => ({ shardAccount: { lastTransLt: 1_000n, lastTransHash: new Uint8Array(32) } }),
      transactions: async ({ lt, count }: { lt: bigint; count: number }) =>
        Array.from({ length: count }, (_, i) => ({ transaction: other(lt - BigInt(i)) })),
    }
    const sending = createRepeatedSending({ pool: { passOn }, chain: chain as never, clock: at().clock })
    const sent = sending.send(transfer(bornWallet(2), { to: account(0x77), value: coins(1) }))
    await expect(sent).rejects.toMatchObject({ kind: 'cancelled' })
    expect(sends).toBe(1)
  })
})
