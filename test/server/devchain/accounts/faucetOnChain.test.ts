// The faucet on a real chain: through restarts, jumps of the clock, and with the code that earlier versions began chains with.

import { describe, expect, test } from 'vitest'
import { beginCell, readBoc, writeBoc } from '../../../../server/cell/index.ts'
import { createFaucet, type Devchain, faucetAccount } from '../../../../server/devchain/index.ts'
import { depthBalanceOf } from '../../../../server/tlb/index.ts'
import { openChain, temporaryFolder } from '../devchains.ts'
import { account, coins } from '../wallets.ts'

/** Ids were entries of two dictionaries; requests and address were the same. */
const EARLIER_CODE =
  'te6ccgECEQEAAYQAART/APSkE/S88sgLAQIBIAIDAgFIBAUB9vKDCNcY1NEg0NMf0z/TH/oA1NHtRNDT/9Mf0z/0BPQE0VGTuvKkBvgjoSDCAAGBDhC7' +
  'sPKjCPkAVBCS+RDyogQQN0Z18AFTUYBA9A5voTGRf5tTUIBA9A5voTHDAOLyYfgnbxAHghA7msoAoBe+8qX4AMhAVYBA9EMCyBACAs8GBwIBIAgJAAsMPiR8' +
  'kCAANz4IyOhIIEOELmRMOAxbBKBHCC5kjBt3234IwKACAnMKCwIBIA4PACmtznaiaGn/6Y+Y6Z+Y+gIY+gIY6MACASAMDQAoq7btRNDT/zHTHzHTP/QEMfQE' +
  'MdEAKKo77UTQ0/8x0x/TPzH0BDH0BDHRAAu5pugQ4QgAWbhPTtRNDT/9Mf0z/0BPQE0fABbCIyUiCAQPQOb6Exklt/mYBA9A5voTHDAOKABoy//LHxLLP/QA' +
  '9ADJ7VT4D44g0PpI+gD0BPQE0cjPhQgU+lJY+gJwzwtp9ADJc/sAIG7mMA=='

const { address, publicKey } = faucetAccount()

const balance = (chain: Devchain, to: number): bigint => {
  const found = chain.reader.moment().shard.accounts.get(account(to).id)
  return found === undefined ? 0n : depthBalanceOf(found.account).balance.grams
}

const gifts = async (chain: Devchain, first: number, count: number): Promise<void> => {
  const each = Array.from({ length: count }, (_, index) => index + first)
  await Promise.all(each.map((index) => chain.control.faucet(account(index), coins(1))))
  for (const index of each) expect(balance(chain, index)).toBe(coins(1))
}

const request = (chain: Devchain, to: number): Uint8Array => {
  const faucet = createFaucet({ now: () => chain.head().master.utime })
  return writeBoc(faucet.request([{ to: { workchain: 0, hash: account(to).id }, amount: coins(1) }]))
}

describe('the faucet of a chain', () => {
  test('behavior: many gifts at once, before and after a restart; a request that was paid is never paid again', async () => {
    const folder = await temporaryFolder()
    const { chain } = await openChain({ folder })
    await gifts(chain, 100, 30)
    const boc = request(chain, 1)
    await chain.send(boc)
    await chain.close()
    const { chain: again } = await openChain({ folder })
    await expect(again.send(boc)).rejects.toThrow('exitcode=33')
    await gifts(again, 200, 30)
    expect(balance(again, 1)).toBe(coins(1))
  })

  test('behavior: a clock that jumps ahead expires requests, and the next gifts are paid', async () => {
    const { chain } = await openChain()
    const boc = request(chain, 1)
    for (const seconds of [700, 1200, 2400, 365 * 86_400]) {
      await chain.control.increaseTime(seconds)
      await gifts(chain, seconds, 2)
      await expect(chain.send(boc)).rejects.toThrow('exitcode=35')
    }
  })

  test('behavior: with blocks by hand, a message is judged by the time of the block it would be in', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    const boc = request(chain, 1)
    await chain.control.increaseTime(5000)
    await expect(chain.send(boc)).rejects.toThrow('exitcode=35')
    await chain.control.faucet(account(2), coins(1))
    await chain.control.mine()
    expect([balance(chain, 1), balance(chain, 2)]).toEqual([0n, coins(1)])
  })

  test('behavior: a chain that was begun with an earlier faucet has it at the same address, and it goes on paying', async () => {
    const folder = await temporaryFolder()
    const { chain } = await openChain({ folder })
    const data = beginCell().storeBytes(publicKey).storeUint(1, 32).storeUint(0, 64).storeRepeat(0, 2).end()
    const code = readBoc(Buffer.from(EARLIER_CODE, 'base64'))
    await chain.control.setAccount({ workchain: 0, id: address.hash, code, data })
    await gifts(chain, 100, 10)
    const boc = request(chain, 1)
    await chain.send(boc)
    await chain.close()
    const { chain: again } = await openChain({ folder })
    await gifts(again, 200, 10)
    await expect(again.send(boc)).rejects.toThrow('exitcode=33')
  })
})
