// Messages that a server takes and loses reach the chain all the same, once; and what is kept for that is bounded.

import { describe, expect, test, vi } from 'vitest'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import {
  createRemoteChain,
  createRepeatedSending,
  LiteError,
  MASTERCHAIN,
  type RepeatedSending,
} from '../../../../server/node/index.ts'
import { accepting } from '../../devchain/traffic.ts'
import { account, bornWallet, coins, external, transfer } from '../../devchain/wallets.ts'
import { WrappedServer } from '../pool/wrappedServers.ts'
import { sendScene } from './sendScene.ts'

const at = sendScene(5)

const MINUTE = 60_000

/** Four servers that see the whole chain; the first sends are answered and lost. */
async function opened(lost: number, bounds = {}) {
  let count = 0
  const servers = [0, 1, 2, 3].map((n) => new WrappedServer(`server${n}`, at().scene, at().clock))
  for (const server of servers)
    server.fault = async (verb, _args, honest) => {
      if (verb === 'send') return ++count <= lost ? undefined : await honest()
      server.head = at().scene.blocks(MASTERCHAIN).length
      return await honest()
    }
  const pool = await at().pool(servers)
  const chain = createRemoteChain(pool)
  const sending = createRepeatedSending({ pool, chain, clock: at().clock, bounds })
  const sendsOf = () => servers.map(({ calls }) => calls.get('send') ?? 0)
  return { sending, chain, sendsOf, sends: () => count }
}

describe('a message that was taken', () => {
  test('behavior: and lost by three servers reaches the chain by the fourth', async () => {
    const { sending, sendsOf } = await opened(3)
    const to = account(0x51)
    await sending.send(transfer(bornWallet(0), { to, value: coins(1) }))
    expect(await at().transactionsOf(to)).toBe(0)
    expect(sendsOf().toSorted()).toEqual([0, 1, 1, 1])
    const left = sendsOf().indexOf(0)
    await at().clock.sleep(15_000)
    expect(sendsOf()[left]).toBe(1)
    expect(await at().transactionsOf(to)).toBe(1)
    await at().clock.sleep(10_000)
    expect(sending.waiting).toBe(0)
  })

  test.each([
    ['', 0],
    [', though the clock of this machine is ahead,', 86_400_000],
    [', though the clock of this machine is behind,', -86_400_000],
  ])('behavior: and run%s is not sent again to a contract that would run it again', async (_, ms) => {
    const to = account(0x52)
    await at().scene.chain.control.setAccount({ ...to, balance: coins(5), code: accepting, data: beginCell().end() })
    const before = await at().transactionsOf(to)
    const own = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms)
    const { sending, sends } = await opened(0)
    const sent = sending.send(writeBoc(external(to, beginCell().storeUint(1, 64).end())))
    own.mockRestore()
    await sent
    await at().clock.sleep(1_000)
    const taken = [await at().transactionsOf(to), sends()]
    expect(taken[0]).toBeGreaterThan(before)
    await at().clock.sleep(2 * MINUTE)
    expect([await at().transactionsOf(to), sends()]).toEqual(taken)
    expect([sending.waiting, sending.repeated]).toEqual([0, 0])
  })

  test('behavior: and lost by all is dropped after a minute', async () => {
    const { sending, sends } = await opened(1_000)
    await sending.send(transfer(bornWallet(1), { to: account(0x53), value: coins(1) }))
    await at().clock.sleep(59_000)
    expect([sending.waiting, sending.repeated, sends()]).toEqual([1, 5, 18])
    await at().clock.sleep(2 * MINUTE)
    expect([sending.waiting, sends()]).toEqual([0, 18])
  })

  test('behavior: is not sent again once its contract refuses it', async () => {
    const wallet = bornWallet(2)
    const { sending, sends } = await opened(3)
    await sending.send(transfer({ ...wallet }, { to: account(0x54), value: coins(1) }))
    // Another one of the same number comes first.
    await at().clock.during(at().scene.chain.send(transfer({ ...wallet }, { to: account(0x55), value: coins(1) })))
    await at().clock.sleep(2 * MINUTE)
    expect([sending.waiting, await at().transactionsOf(account(0x54))]).toEqual([0, 0])
    expect(sends()).toBeLessThanOrEqual(6)
  })

  test('error: is not kept when no server accepts it', async () => {
    const { sending } = await opened(0)
    await expect(sending.send(Uint8Array.of(1, 2, 3))).rejects.toMatchObject({ kind: 'failed' })
    expect(sending.waiting).toBe(0)
  })
})

describe('bounds', () => {
  const numbered = (number: number, bytes = 0): Uint8Array => {
    const body = beginCell().storeUint(number, 64)
    if (bytes > 0) body.storeBytes(new Uint8Array(bytes))
    return writeBoc(external(account(0x60), body.end()))
  }
  /** A network that takes everything and runs nothing. */
  function taking(bounds: object) {
    const log: Uint8Array[] = []
    const away = () => Promise.reject(new LiteError('cancelled', 'no server'))
    const passOn = async (message: Uint8Array) => void log.push(message)
    const head = async () => ({ id: at().scene.blocks(MASTERCHAIN)[0] })
    const traits = { canRewind: false }
    const chain = { traits, head, account: async () => ({ shardAccount: null }), transactions: away }
    return {
      log,
      sending: createRepeatedSending({ pool: { passOn }, chain: chain as never, clock: at().clock, bounds }),
    }
  }

  test('behavior: a caller with many messages loses its own, never those of another', async () => {
    const { sending, log } = taking({ messages: 10 })
    await sending.send(numbered(0), { share: 'quiet' })
    for (let i = 1; i <= 100; i++) await sending.send(numbered(i), { share: 'loud' })
    expect(sending.waiting).toBe(10)
    log.length = 0
    await at().clock.sleep(11_000)
    expect(log).toHaveLength(10)
    expect(log).toContainEqual(numbered(0))
    expect(log).toContainEqual(numbered(100))
    expect(log).not.toContainEqual(numbered(1))
  })

  test('behavior: bytes count, and the same message counts once', async () => {
    const { sending } = taking({ bytes: 1_000 })
    for (let i = 0; i < 20; i++) await sending.send(numbered(i, 100))
    const { waiting } = sending
    expect(waiting).toBeGreaterThan(3)
    expect(waiting * numbered(1, 100).length).toBeLessThanOrEqual(1_000)
    for (let i = 0; i < 20; i++) await sending.send(numbered(19, 100))
    expect(sending.waiting).toBe(waiting)
  })

  test.each([
    ['the end', (sending: RepeatedSending) => sending.close()],
    [
      'a revert',
      (_: RepeatedSending, report: (head: object) => void) => report({ kind: 'head', id: { seqno: 1 }, isOther: true }),
    ],
  ])('behavior: a message that is being taken at %s is not sent again either', async (_, happens) => {
    let take = (): void => undefined
    let sends = 0
    const passOn = async () => {
      sends++
      await new Promise<void>((resolve) => {
        take = resolve
      })
    }
    let report: (head: object) => void = () => undefined
    const onHead = (listener: typeof report) => {
      report = listener
      return () => undefined
    }
    const head = async () => ({ id: at().scene.blocks(MASTERCHAIN)[0] })
    const chain = { traits: { canRewind: true }, head, onHead, account: async () => ({ shardAccount: null }) }
    const sending = createRepeatedSending({ pool: { passOn }, chain: chain as never, clock: at().clock })
    const sent = sending.send(numbered(1))
    happens(sending, report)
    take()
    await sent
    expect(sending.waiting).toBe(0)
    await at().clock.sleep(2 * MINUTE)
    expect(sends).toBe(1)
  })

  test('behavior: nothing is sent after the end', async () => {
    const { sending, log } = taking({})
    await sending.send(numbered(1))
    sending.close()
    await at().clock.sleep(2 * MINUTE)
    expect([log.length, sending.waiting]).toEqual([1, 0])
  })
})
