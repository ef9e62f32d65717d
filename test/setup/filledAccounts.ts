// The accounts a filled store has: few that everybody deals with, many that are seen once.

import { beginCell } from '@ton/core'
import type { AccountKey, AccountRow, AccountStateRow, CodeRow } from '../../server/store/index.ts'
import { Random } from './random.ts'

export interface Holder {
  readonly key: AccountKey
  readonly workchain: number
  /** Signed. */
  readonly shard: bigint
  readonly codeHash: Uint8Array | null
  state: AccountStateRow
  lastHash: Uint8Array
  lastLt: bigint
}

const bagOf = (cell: ReturnType<typeof beginCell>): Uint8Array => cell.endCell().toBoc({ idx: false, crc32: false })

/** What a wallet v4 keeps; any other contract has it too, as no one looks. */
const DATA = bagOf(beginCell().storeUint(17, 32).storeUint(698983191, 32).storeUint(0, 257))

const coded = (hash: string, interfaces: readonly string[], methods: readonly number[] | null): CodeRow => ({
  hash: Buffer.from(hash, 'base64'),
  boc: bagOf(beginCell().storeBuffer(Buffer.from(hash, 'base64'))),
  methods,
  interfaces,
})

const WALLET_METHODS = [0, 76407, 78748, 81467, 85143, 107653]

export const CODES: readonly [CodeRow, ...CodeRow[]] = [
  coded('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', ['wallet_v4r2'], WALLET_METHODS),
  coded('IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', ['wallet_v5r1'], WALLET_METHODS),
  coded('iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=', ['jetton_wallet_governed'], [0, 97026]),
  coded('TJEjgoaC+m9DeXq0FzK8qJDK4Bdm4GdBACUFFuC/jUI=', ['nft_item_simple'], [0, 102351]),
  coded('pWHj34ZmUeTZgM4sOJMcMnIKNbNpUUTBZ7kLs1a2pMk=', [], null),
]

const WHOLE = -(2n ** 63n)
const UNUSED = new Uint8Array(32)
/** Of one bit that says there is no account. */
const NO_STATE = Buffer.from('kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=', 'base64')

/** The basechain is cut in four, the masterchain not at all. */
const shardOf = (workchain: number, hash: Uint8Array): bigint =>
  workchain === -1 ? WHOLE : BigInt.asIntN(64, (BigInt((hash[0] ?? 0) >> 6) << 62n) | (1n << 61n))

export const SHARDS: readonly bigint[] = [0n, 1n, 2n, 3n].map((part) => BigInt.asIntN(64, (part << 62n) | (1n << 61n)))

export function keyOf(workchain: number, hash: Uint8Array): AccountKey {
  const key = new Uint8Array(33)
  key[0] = workchain + 128
  key.set(hash, 1)
  return key
}

/** Every account there may be, made when it is first requested; by number, 0 being the busiest. */
export class Holders {
  readonly #made = new Map<number, Holder>()
  readonly #touched = new Set<Holder>()
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Below zero stand those of the masterchain that work in each of its blocks. */
  at(index: number): Holder {
    const known = this.#made.get(index)
    if (known) return known
    const random = new Random(this.#seed ^ Math.imul(index + 7, 0x9e3779b1))
    const hash = index < 0 ? new Uint8Array(32).fill(index === -1 ? 0x33 : 0x55) : random.hash()
    const workchain = index < 0 || index % 40 === 7 ? -1 : 0
    const codeHash = random.chance(0.1) ? null : random.pick(CODES).hash
    const state: AccountStateRow = {
      hash: NO_STATE,
      balance: 0n,
      extra: {},
      status: 'nonexist',
      frozenHash: null,
      dataHash: null,
      codeHash: null,
    }
    const shard = shardOf(workchain, hash)
    const key = keyOf(workchain, hash)
    const made: Holder = { key, workchain, shard, codeHash, state, lastHash: UNUSED, lastLt: 0n }
    this.#made.set(index, made)
    return made
  }

  /** The next state of an account after a transaction. */
  change(holder: Holder, random: Random): void {
    const { codeHash } = holder
    holder.state = {
      hash: random.hash(),
      balance: (BigInt(random.next()) ** 2n) >> BigInt(random.below(50)),
      extra: random.chance(0.01) ? { '239': String(random.below(1e9)) } : {},
      status: codeHash === null ? 'uninit' : 'active',
      frozenHash: null,
      dataHash: codeHash === null ? null : random.hash(),
      codeHash,
    }
    this.#touched.add(holder)
  }

  /** Those changed since the last call, as they are now. */
  changed(mcSeqno: number): AccountRow[] {
    const rows = [...this.#touched].map(({ key, state, lastHash, lastLt, codeHash }) => ({
      ...state,
      account: key,
      lastTxHash: lastHash,
      lastTxLt: lastLt,
      data: codeHash === null ? null : DATA,
      mcSeqno,
    }))
    this.#touched.clear()
    return rows
  }
}
