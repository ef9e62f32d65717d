// A nominator pool on the embedded chain of a running service, driven over HTTP, and what its get-methods say of it.

import { type Client, createClient } from '../../client/index.ts'
import { beginCell, type Cell, writeBoc } from '../../server/cell/index.ts'
import {
  contractCode,
  nominatorPool,
  poolDepositBody,
  poolPayOneBody,
  poolPayRequestedBody,
  poolStakeBody,
  poolValidatorDepositBody,
  poolValidatorWithdrawalBody,
  poolWithdrawBody,
} from '../../server/demo/contracts/index.ts'
import type { TestService } from './service.ts'
import { untilIndexed } from './untilIndexed.ts'

export const COIN = 1_000_000_000n
const ELECTOR = `-1:${'33'.repeat(32)}`

const boc = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString('base64')
const hexOf = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0').repeat(32)

/** Raw addresses made of one byte. */
export const nominatorOf = (number: number): string => `0:${hexOf(number)}`

/** A message to the pool. */
export interface Sent {
  readonly from: string
  readonly value: bigint
  readonly body: Cell
}

const fromElector = (op: number, value: bigint): Sent => ({
  from: ELECTOR,
  value,
  body: beginCell().storeUint(op, 32).storeUint(7n, 64).storeUint(0, 32).end(),
})

export interface PoolView {
  readonly state: number
  readonly sent: bigint
  readonly validatorAmount: bigint
  /** By raw address, ascending. */
  readonly nominators: readonly (readonly [string, bigint, bigint, boolean])[]
}

export class PoolScene {
  readonly client: Client
  readonly pool: string
  readonly validator: string
  readonly share: number
  readonly #code: Cell
  readonly #data: Cell

  /** A pool at an account of one byte; `code` instead of the one of the demo. */
  constructor(
    service: TestService,
    { byte = 0xbb, share = 4000, most = 40, code = contractCode('staking/pool') } = {},
  ) {
    this.client = createClient({ url: service.url, timeoutMs: 120_000 })
    this.pool = `-1:${hexOf(byte)}`
    this.validator = `-1:${hexOf(0xaa)}`
    this.share = share
    const terms = { validatorShare: share, maxNominators: most, minValidatorStake: COIN, minNominatorStake: COIN }
    const hash = Buffer.alloc(32, 0xaa)
    this.#code = code
    this.#data = nominatorPool({ validator: { workchain: -1, hash }, ...terms }).data
  }

  async deploy(balance: bigint): Promise<void> {
    const state = { code: boc(this.#code), data: boc(this.#data) }
    await this.client.dev.setAccount({ address: this.pool, balance: String(balance), ...state })
  }

  setBalance(balance: bigint) {
    return this.client.dev.setAccount({ address: this.pool, balance: String(balance) })
  }

  setData(data: Cell) {
    return this.client.dev.setAccount({ address: this.pool, data: boc(data) })
  }

  send({ from, value, body }: Sent, to = this.pool) {
    return this.client.dev.sendInternal({ from, to, value: String(value), body: boc(body), bounce: false })
  }

  /** All in one block. */
  async together(all: readonly Sent[]): Promise<void> {
    await this.client.dev.setMining({ mode: 'manual' })
    for (const one of all) await this.send(one)
    await this.client.dev.mine({ blocks: 1 })
    await this.client.dev.setMining({ mode: 'auto' })
    // What came of it is delivered.
    await this.client.dev.mine({ blocks: 3 })
  }

  /** Waits for the index. */
  async indexed(): Promise<void> {
    const { seqno } = (await this.client.dev.state()).head
    await untilIndexed(this.client, seqno)
  }

  /** What its get-methods say. */
  async view(): Promise<PoolView> {
    const run = async (method: string) => {
      const { stack, exit_code } = await this.client.runGetMethodStd({ address: this.pool, method, stack: [] })
      if (exit_code !== 0) throw new Error(`${method} ended with ${exit_code}`)
      return stack
    }
    const numberOf = (entry: unknown): bigint => {
      const found = /"number":"(-?(?:0x)?[0-9a-f]+)"/i.exec(JSON.stringify(entry))?.[1]
      if (found === undefined) throw new Error(`no number in ${JSON.stringify(entry)}`)
      return found.startsWith('-') ? -BigInt(found.slice(1)) : BigInt(found)
    }
    const data = await run('get_pool_data')
    const list = JSON.stringify(await run('list_nominators'))
    const numbers = [...list.matchAll(/"number":"(-?(?:0x)?[0-9a-f]+)"/gi)].map(([, text = '0']) =>
      text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text),
    )
    const nominators = Array.from({ length: numbers.length / 4 }, (_, i) => {
      const [id = 0n, amount = 0n, pending = 0n, requested = 0n] = numbers.slice(4 * i, 4 * i + 4)
      return [`0:${id.toString(16).toUpperCase().padStart(64, '0')}`, amount, pending, requested !== 0n] as const
    })
    return {
      state: Number(numberOf(data[0])),
      sent: numberOf(data[2]),
      validatorAmount: numberOf(data[3]),
      nominators: nominators.sort(([a], [b]) => (a < b ? -1 : 1)),
    }
  }
}

const id = (address: string) => ({ workchain: 0, hash: Buffer.from(address.split(':')[1] ?? '', 'hex') })
/** Of no key: an elector without an open election does not look at the signature. */
const stakeBody = beginCell()
  .storeUint(5n, 256)
  .storeUint(1_700_000_900, 32)
  .storeUint(3 << 16, 32)
  .storeUint(6n, 256)
  .storeRef(beginCell().storeBytes(new Uint8Array(64)).end())
  .end()

/** What nominators, the validator and the elector send to a pool. */
export const says = {
  deposit: (from: string, value: bigint): Sent => ({ from, value, body: poolDepositBody() }),
  withdraw: (from: string): Sent => ({ from, value: COIN, body: poolWithdrawBody() }),
  payRequested: (limit: number): Sent => ({
    from: nominatorOf(0xee),
    value: COIN,
    body: poolPayRequestedBody(1n, limit),
  }),
  payOne: (address: string): Sent => ({ from: nominatorOf(0xee), value: COIN, body: poolPayOneBody(1n, id(address)) }),
  validatorDeposit: (from: string, value: bigint): Sent => ({ from, value, body: poolValidatorDepositBody(2n) }),
  validatorWithdrawal: (from: string, amount: bigint): Sent => ({
    from,
    value: COIN,
    body: poolValidatorWithdrawalBody(3n, amount),
  }),
  stake: (from: string, amount: bigint): Sent => ({ from, value: COIN, body: poolStakeBody(4n, amount, stakeBody) }),
  accepted: (): Sent => fromElector(0xf374484c, COIN),
  refused: (value: bigint): Sent => fromElector(0xee6f454c, value),
  recovered: (value: bigint): Sent => fromElector(0xf96f7324, value),
}
