// The chain's clock and the computer's: what moves it, the effect on messages, and how the two become equal again.

import { describe, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { walletAccounts, walletRequest } from '../../../server/devchain/accounts/index.ts'
import { outgoingMessage } from '../../../server/devchain/contracts/index.ts'
import { type Devchain, MessageRefused } from '../../../server/devchain/index.ts'
import { openChain, stillClock } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { account, coins, external } from './wallets.ts'

const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const

/** A transfer that is good for a minute by the computer's clock. */
function signed(kind: (typeof KINDS)[number], now: number, seconds = 60): Uint8Array {
  const wallet = walletAccounts(-3).find((one) => one.kind === kind)
  if (wallet === undefined) throw new Error(`No wallet ${kind}`)
  const to = { workchain: 0, hash: new Uint8Array(32).fill(3) }
  const message = outgoingMessage({ to, value: coins(1), bounce: false })
  return writeBoc(walletRequest(wallet, { seqno: 0, validUntil: now + seconds, messages: [{ mode: 3, message }] }))
}

const refusal = (chain: Devchain, boc: Uint8Array): Promise<string> =>
  chain.send(boc).then(
    () => 'taken',
    (error: unknown) => {
      if (!(error instanceof MessageRefused)) throw error
      return error.message
    },
  )

describe('a clock that is ahead', () => {
  test.each(KINDS)('error: a message of %s that expired only on the chain is refused with the reason', async (kind) => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const { computer } = await chain.control.increaseTime(720)
    await chain.control.mine()
    expect(await refusal(chain, signed(kind, computer))).toMatch(
      /exitcode=(35|36|136)[\s\S]*The chain's clock is 720 s ahead of this computer's.*dev\.revert.*dev\.resetTime/,
    )
    expect(await refusal(chain, signed(kind, computer, 1000))).toBe('taken')
  })

  test.each(KINDS)('behavior: %s says nothing of clocks that agree, nor for another reason', async (kind) => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const now = clock.now() / 1000
    expect(await refusal(chain, signed(kind, now, -1))).not.toMatch(/clock/)
    await chain.control.increaseTime(720)
    await chain.control.mine()
    const nonsense = external(account(1), beginCell().storeUint(1, 32).end())
    expect(await refusal(chain, writeBoc(nonsense))).not.toMatch(/clock/)
  })
})

describe('the clock is reset', () => {
  test('behavior: blocks keep their time until the computer has caught up, then follow it', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const start = clock.now() / 1000
    const times: number[] = []
    const mined = async () => {
      await chain.control.mine()
      times.push(chain.head().master.utime - start)
    }
    expect(await chain.control.increaseTime(100)).toEqual({ chain: start + 100, computer: start })
    await mined()
    expect(await chain.control.resetTime()).toEqual({ chain: start + 100, computer: start })
    await mined()
    clock.move(60)
    expect(chain.control.state().clockOffset).toBe(40)
    await mined()
    clock.move(50)
    await mined()
    expect(times).toEqual([100, 100, 100, 110])
    expect(chain.control.state().clockOffset).toBe(0)
    await checkChain(chain)
  })

  test('behavior: going back to a snapshot puts the clock back at once', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const now = clock.now() / 1000
    const name = await chain.control.snapshot()
    await chain.control.increaseTime(720)
    await chain.control.mine()
    await chain.control.revert(name)
    expect(chain.control.state().clockOffset).toBe(0)
    expect(await refusal(chain, signed('v4r2', now))).toBe('taken')
  })

  test('behavior: moving on counts from the newest block, also after a reset', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const start = clock.now() / 1000
    await chain.control.setNextBlockTime(start + 100)
    await chain.control.mine()
    await chain.control.resetTime()
    await chain.control.increaseTime(5)
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(start + 105)
  })

  test('behavior: moving on after the time of the next block was set counts from that, and the next block shows it', async () => {
    const { chain } = await openChain({ now: stillClock().now })
    const start = chain.head().master.utime
    await chain.control.setNextBlockTime(start + 100)
    expect((await chain.control.increaseTime(5)).chain).toBe(start + 105)
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(start + 105)
  })
})
