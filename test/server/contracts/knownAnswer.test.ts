// What is worked out from the data of known code is what the TVM leaves on the stack when it runs that code.

import { defaultConfig } from '@ton/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builder, beginCell, type Cell, openCell, stdAddress, storeAddress } from '../../../server/cell/index.ts'
import {
  addressAt,
  intValue,
  type RunnableContract,
  type RunOutcome,
  runGetMethod,
  type StackValue,
  writeStack,
} from '../../../server/contracts/index.ts'
import { knownAnswer } from '../../../server/contracts/known/knownAnswer.ts'
import { contractCode, type DemoContract } from '../../../server/demo/contracts/index.ts'
import { methodId } from '../../../server/interfaces/index.ts'
import { createConfig, createTvmPool, type TvmPool } from '../../../server/tvm/index.ts'
import { Random } from '../../setup/random.ts'

const ROUNDS = 40
/** Of the code of stablecoins' wallets, which stands in a library. */
const GOVERNED = '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68'
const methods = {
  'jetton/master': ['get_jetton_data', 'get_wallet_address'],
  'jetton/wallet': ['get_wallet_data'],
  'nft/collection': ['get_collection_data', 'get_nft_address_by_index', 'get_nft_content'],
  'nft/item': ['get_nft_data'],
} as const satisfies Partial<Record<DemoContract, readonly string[]>>
const names = Object.keys(methods) as (keyof typeof methods)[]

let pool: TvmPool
const setting = { config: createConfig(defaultConfig), prevBlocks: null }
const chain = { libraries: async () => new Map() }

beforeAll(async () => {
  pool = await createTvmPool({ workers: 1 })
})
afterAll(() => pool.close())

const run = (contract: RunnableContract, method: string, stack: readonly StackValue[]): Promise<RunOutcome> =>
  runGetMethod({ chain, pool, setting }, contract, { methodId: methodId(method), stack }, AbortSignal.timeout(300_000))

/** Coins, addresses, bits and references as a contract may have them, and now and then as it may not. */
class Maker {
  readonly random: Random

  constructor(seed: number) {
    this.random = new Random(seed)
  }

  address(builder: Builder, mayBeNone: boolean): Builder {
    const { random } = this
    if (mayBeNone && random.chance(0.3)) return builder.storeUint(0, 2)
    return storeAddress(builder, stdAddress(random.pick([0, 0, 0, -1]), random.hash()))
  }

  cell(): Cell {
    const { random } = this
    const builder = beginCell()
    for (let left = random.below(40); left > 0; left--) builder.storeUint(random.below(256), 8)
    if (random.chance(0.3)) builder.storeRef(beginCell().storeUint(random.next(), 32).end())
    return builder.end()
  }

  coins(): bigint {
    return BigInt(this.random.next()) << BigInt(this.random.below(80))
  }

  data(name: keyof typeof methods): Cell {
    const { random } = this
    const builder = beginCell()
    switch (name) {
      case 'jetton/master':
        this.address(builder.storeCoins(this.coins()), true)
          .storeRef(this.cell())
          .storeRef(contractCode('jetton/wallet'))
        if (random.chance(0.5)) this.address(builder, true).storeBit(random.chance(0.5))
        break
      case 'jetton/wallet':
        this.address(this.address(builder.storeCoins(this.coins()), random.chance(0.1)), false).storeRef(
          contractCode('jetton/wallet'),
        )
        break
      case 'nft/collection':
        this.address(builder, true)
          .storeUint(BigInt(random.next()), 64)
          .storeRef(beginCell().storeRef(this.cell()).storeRef(this.cell()).end())
          .storeRef(contractCode('nft/item'))
          .storeRef(this.cell())
        break
      case 'nft/item':
        this.address(builder.storeUint(BigInt(random.next()), 64), true)
        if (random.chance(0.8)) this.address(builder, random.chance(0.1)).storeRef(this.cell())
    }
    // Too much or too little of it, which fails or does not as the code has it.
    if (random.chance(0.1)) builder.storeUint(random.below(8), 3)
    if (random.chance(0.1))
      return beginCell()
        .storeSlice(openCell(builder.end()).loadSlice(random.below(2), 0))
        .end()
    return builder.end()
  }

  stack(method: string): StackValue[] {
    const { random } = this
    if (method === 'get_wallet_address') {
      const builder = this.address(beginCell(), random.chance(0.2))
      if (random.chance(0.1)) builder.storeBit(1)
      return [{ kind: 'slice', cell: builder.end() }]
    }
    const index = intValue(random.chance(0.1) ? -1n : BigInt(random.next()) << BigInt(random.below(40)))
    if (method === 'get_nft_address_by_index') return [index]
    return method === 'get_nft_content' ? [index, { kind: 'cell', cell: this.cell() }] : []
  }

  contract(name: keyof typeof methods): RunnableContract {
    const place = { workchain: this.random.pick([0, -1]), hash: this.random.hash() }
    const account = { library: null, balance: 1n, extra: {}, utime: 1_700_000_000 }
    return { ...place, ...account, code: contractCode(name), data: this.data(name) }
  }
}

test.each(names)('%s answers as the TVM does', async (name) => {
  const maker = new Maker(7)
  let answered = 0
  for (let round = 0; round < ROUNDS; round++)
    for (const method of methods[name]) {
      const contract = maker.contract(name)
      const stack = maker.stack(method)
      const known = knownAnswer(contract, { methodId: methodId(method), stack })
      if (known === null) continue
      answered++
      const { exitCode, stack: left } = await run(contract, method, stack)
      expect(exitCode, `${method}, round ${round}`).toBe(0)
      expect(writeStack(known.stack).hash(), `${method}, round ${round}`).toBe(writeStack(left).hash())
    }
  // Most data is sound: were the code another one, nothing would be known.
  expect(answered).toBeGreaterThan(ROUNDS * methods[name].length * 0.5)
})

test('a wallet that can be locked shows its balance whatever its lock is, and knows no claims', () => {
  const owner = stdAddress(0, new Uint8Array(32).fill(1))
  const master = stdAddress(0, new Uint8Array(32).fill(2))
  const written = storeAddress(storeAddress(beginCell().storeUint(3, 4).storeCoins(123_456_789n), owner), master)
  const code = beginCell().storeUint(2, 8).storeBytes(Buffer.from(GOVERNED, 'hex')).end(true)
  const contract = { ...new Maker(1).contract('jetton/wallet'), code, data: written.end() }
  const answer = knownAnswer(contract, { methodId: methodId('get_wallet_data'), stack: [] })
  expect(answer?.exitCode).toBe(0)
  expect(answer?.stack[0]).toEqual(intValue(123_456_789n))
  expect([addressAt(answer?.stack ?? [], 1), addressAt(answer?.stack ?? [], 2)]).toEqual([owner, master])
  expect(knownAnswer(contract, { methodId: methodId('is_claimed'), stack: [] })?.exitCode).toBe(11)
})

test('other code, other methods, no data and superfluous arguments are left to the TVM', () => {
  const contract = new Maker(1).contract('jetton/wallet')
  const sound = { ...contract, data: beginCell().end() }
  const requested = { methodId: methodId('get_wallet_data'), stack: [] }
  expect(knownAnswer({ ...contract, code: beginCell().end() }, requested)).toBeNull()
  expect(knownAnswer(contract, { ...requested, methodId: methodId('get_nft_data') })).toBeNull()
  expect(knownAnswer({ ...contract, data: null }, requested)).toBeNull()
  expect(knownAnswer(contract, { ...requested, stack: [intValue(1n)] })).toBeNull()
  expect(knownAnswer(sound, requested)).toBeNull()
})
