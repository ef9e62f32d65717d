// Accounts kept for get-methods: proven once for a block, and never shown at another one.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../../server/devchain/lite/index.ts'
import { RunAccounts } from '../../../../server/methods/tvm/runAccounts.ts'
import { type AccountAt, type Chain, masterBlock } from '../../../../server/node/index.ts'
import { parseAddress } from '../../../../shared/address.ts'

const HASH = new Uint8Array(32).fill(5)
const signal = new AbortController().signal

let chain: Devchain
let view: Chain
beforeAll(async () => {
  chain = await openDevchain({ idleBlockMs: 3_600_000 })
  view = createEmbeddedChain(chain)
})
afterAll(() => chain.close())

const addressOf = (byte: string) => {
  const address = parseAddress(`0:${byte.repeat(32)}`)
  if (!address) throw new Error('an address was expected')
  return address
}

/** The chain, and how often an account was read from it. */
function counted() {
  const requested: number[] = []
  const account: Chain['account'] = (block, id, options) => {
    requested.push(block.seqno)
    return view.account(block, id, options)
  }
  const accounts = new RunAccounts({ account })
  const at = async (byte: string, seqno?: number) =>
    accounts.at(addressOf(byte), await masterBlock(view, seqno), signal)
  return { requested, at }
}

const dataOf = ({ account }: AccountAt) => {
  const state = account?.storage.state
  return state?.kind === 'active' ? state.init.data : null
}

const data = (value: number) => beginCell().storeUint(value, 8).end()
const put = (value: number) =>
  chain.control.setAccount({ workchain: 0, id: HASH, code: beginCell().end(), data: data(value) })

test('once for a block, and again for the next one', async () => {
  const { requested, at } = counted()
  await put(1)
  const first = chain.head().master.id.seqno
  const one = await at('05')
  const again = await at('05')
  expect(again).toBe(one)
  expect(requested).toEqual([first])
  await put(2)
  const later = await at('05')
  expect(later.block.seqno).toBeGreaterThan(first)
  expect(dataOf(later)?.hash()).not.toBe(dataOf(one)?.hash())
  expect(await at('05', first)).toBe(one)
  expect(requested).toEqual([first, later.block.seqno])
})

test('one that is not there is kept too, and runs nothing', async () => {
  const { requested, at } = counted()
  const none = await at('77')
  expect(none.account).toBeNull()
  expect(await at('77')).toBe(none)
  await at('78')
  expect(requested).toHaveLength(2)
})
