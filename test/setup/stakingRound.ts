// A chain of a running service whose time, prices and messages are all set by the test: rounds of the validators on it come
// out to the nanoton. Its own validators stake, so its blocks stay signed.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Cell as CoreCell } from '@ton/core'
import { ElectorContract } from '@ton/ton'
import { type Client, createClient } from '../../client/index.ts'
import { createTon } from '../../client/ton/index.ts'
import { type Cell, emptyDict, writeBoc } from '../../server/cell/index.ts'
import { nominatorPool } from '../../server/demo/contracts/index.ts'
import { createSigner } from '../../server/devchain/accounts/signing.ts'
import { validatorSetCell } from '../../server/devchain/config/configSets.ts'
import * as values from '../../server/devchain/config/configValues.ts'
import { electionParams } from '../../server/devchain/config/index.ts'
import { electorData } from '../../server/devchain/contracts/index.ts'
import { configOwnerKey, configRequest, signedStake } from '../../server/devchain/index.ts'
import { ValidatorKeys } from '../../server/devchain/state/signer.ts'
import { storagePricesKind, storeConfigParam } from '../../server/tlb/index.ts'
import type { TestService } from './service.ts'
import { untilIndexed } from './untilIndexed.ts'

export const COIN = 1_000_000_000n
export const ELECTOR = `-1:${'33'.repeat(32)}`

const base64 = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString('base64')
const hashOf = (address: string): Uint8Array => Buffer.from(address.split(':')[1] ?? '', 'hex')
const masterchain = (address: string) => ({ workchain: -1, hash: hashOf(address) })

/** Seconds: elected for, elections start before, end before, stake held for. */
const TIMES = [1200, 900, 300, 180] as const
const FIRST_TERM = 600

const FREE_GAS = { ...values.gas.masterchain, flat: { gasLimit: 100n, gasPrice: 0n }, gasPrice: 0n }
const freeForwarding = { ...values.forwarding.masterchain, bitPrice: 0n, cellPrice: 0n }
const noStorageFees = { utimeSince: 0, bitPrice: 0n, cellPrice: 0n, masterBitPrice: 0n, masterCellPrice: 0n }

/** Nothing costs anything, and blocks create nothing: what arrives at the elector is what the test has sent. */
const FREE: readonly (readonly [number, Cell])[] = [
  [14, storeConfigParam(14, { masterchain: 0n, basechain: 0n })],
  [18, storeConfigParam(18, emptyDict(storagePricesKind).set(0, noStorageFees))],
  [20, storeConfigParam(20, FREE_GAS)],
  [21, storeConfigParam(21, FREE_GAS)],
  [24, storeConfigParam(24, { ...freeForwarding, lumpPrice: 0n })],
  [25, storeConfigParam(25, { ...freeForwarding, lumpPrice: 0n })],
]

const RULES: readonly (readonly [number, Cell])[] = [
  [13, storeConfigParam(13, { deposit: COIN, bitPrice: 1n, cellPrice: 512n })],
  ...electionParams({
    times: TIMES,
    counts: [1000, 100, 1],
    stakes: { min: 1000n * COIN, max: 100_000n * COIN, minTotal: 3000n * COIN },
  }),
]

export interface Posted {
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly body: Cell
}

interface Offered {
  readonly electAt: number
  readonly holder: string
  /** Number of the validator, from 1. */
  readonly key: number
  readonly factor?: number
  readonly isForged?: boolean
}

export class StakingRound {
  readonly client: Client
  /** Unix seconds from which a round's times count. */
  readonly start: number
  readonly publicKeys: readonly string[]
  readonly #seeds: readonly Uint8Array[]
  #changes = 0

  private constructor(client: Client, start: number, seed: Uint8Array) {
    this.client = client
    this.start = start
    const keys = new ValidatorKeys(seed).first(3)
    this.#seeds = keys.map((key) => key.seed)
    this.publicKeys = keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex').toUpperCase())
  }

  /** Sets prices and rules; the first term ends 600 s after the start. */
  static async begin(service: TestService): Promise<StakingRound> {
    const client = createClient({ url: service.url, timeoutMs: 120_000 })
    await client.dev.setMining({ mode: 'manual' })
    const { utime } = await client.dev.state()
    const start = utime + 1000
    const seed = Buffer.from(await readFile(join(service.data, 'chain', 'validator.key'), 'utf8'), 'hex')
    const round = new StakingRound(client, start, seed)
    for (const [index, value] of [...FREE, ...RULES]) await round.configure(-500, index, value)
    // Without the fees of the blocks before.
    await client.dev.setAccount({ address: ELECTOR, data: base64(electorData()) })
    const weight = values.WEIGHT / 3n
    const members = new ValidatorKeys(seed).first(3).map((key) => ({ ...key, weight }))
    await round.configure(0, 34, validatorSetCell(start - 600, start + FIRST_TERM, members))
    return round
  }

  /** Changes a parameter of the configuration, in a block of its own. */
  async configure(seconds: number, index: number, value: Cell): Promise<void> {
    const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
    const change = { kind: 'parameter', index, value } as const
    const request = configRequest({ change, seqno: this.#changes, validUntil: this.start + 100_000, sign })
    this.#changes += 1
    await this.client.sendBoc({ boc: base64(request) })
    await this.blocks(seconds, 1)
  }

  /** Messages between the chains cost this much each, and nothing else. */
  setForwardPrice = (seconds: number, lump: bigint) =>
    this.configure(seconds, 24, storeConfigParam(24, { ...freeForwarding, lumpPrice: lump }))

  /** Makes blocks at exactly this time. */
  async blocks(seconds: number, count: number): Promise<void> {
    for (let made = 0; made < count; made++) {
      await this.client.dev.setNextBlockTime({ utime: this.start + seconds })
      await this.client.dev.mine({ blocks: 1 })
    }
  }

  /** Each is delivered in a block of its own, with all that follows from it in the masterchain. */
  async post(seconds: number, ...all: readonly Posted[]): Promise<void> {
    for (const { from, to, value, body } of all) {
      await this.client.dev.sendInternal({ from, to, value: String(value), body: base64(body), bounce: true })
      await this.blocks(seconds, 1)
    }
  }

  async placePool(pool: string, validator: string): Promise<void> {
    const { code, data } = nominatorPool({
      validator: masterchain(validator),
      validatorShare: 4000,
      maxNominators: 40,
      minValidatorStake: 1000n * COIN,
      minNominatorStake: 100n * COIN,
    })
    const state = { code: base64(code), data: base64(data) }
    await this.client.dev.setAccount({ address: pool, balance: String(20n * COIN), ...state })
  }

  signer(key: number) {
    return createSigner(this.#seeds[key - 1] ?? new Uint8Array(32))
  }

  /** The part of a stake's message that its validator has signed. */
  offer({ electAt, holder, key, factor = 3, isForged = false }: Offered): Cell {
    const sign = this.signer(isForged ? (key % 3) + 1 : key)
    const publicKey = Buffer.from(this.publicKeys[key - 1] ?? '', 'hex')
    const adnl = new Uint8Array(32).fill(0xd0 + key)
    return signedStake({ electAt, maxFactor: factor, holder: masterchain(holder), publicKey, adnl, sign })
  }

  elector = () => createTon(this.client).open(ElectorContract.create())

  /** What the elector owes no account. */
  async grams(): Promise<bigint> {
    const { data } = await this.client.getAddressInformation({ address: ELECTOR })
    return CoreCell.fromBase64(data).beginParse().skip(3).loadCoins()
  }

  async indexed(): Promise<void> {
    const { seqno } = (await this.client.dev.state()).head
    await untilIndexed(this.client, seqno)
  }
}
