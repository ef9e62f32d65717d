// What a pool of nominators stores, written and read by the layout indexers know, with another library than the server's.

import { beginCell, type Cell, Dictionary, type DictionaryValue } from '@ton/core'

export interface PoolStorage {
  readonly state: number
  readonly sent: bigint
  readonly validatorAmount: bigint
  readonly share: number
  /** Amount and pending deposit by account id. */
  readonly nominators: ReadonlyMap<bigint, readonly [bigint, bigint]>
  readonly requests: readonly bigint[]
  readonly stakeAt: number
  readonly setHash: bigint
  readonly changes: number
  readonly changedAt: number
  readonly heldFor: number
}

export const VALIDATOR = Buffer.alloc(32, 0x1d)
export const MOST = 3
const MIN_VALIDATOR = 1000n * 1_000_000_000n
const MIN_NOMINATOR = 100n * 1_000_000_000n

const amounts: DictionaryValue<readonly [bigint, bigint]> = {
  serialize: ([amount, pending], builder) => builder.storeCoins(amount).storeCoins(pending),
  parse: (slice) => [slice.loadCoins(), slice.loadCoins()],
}
const nothing: DictionaryValue<true> = { serialize: () => undefined, parse: () => true }
const key = () => Dictionary.Keys.BigUint(256)

export const freshPool: PoolStorage = {
  state: 0,
  sent: 0n,
  validatorAmount: 0n,
  share: 4000,
  nominators: new Map(),
  requests: [],
  stakeAt: 0,
  setHash: 0n,
  changes: 0,
  changedAt: 0,
  heldFor: 0,
}

export function poolStorage(pool: PoolStorage): Cell {
  const nominators = Dictionary.empty(key(), amounts)
  for (const [account, value] of pool.nominators) nominators.set(account, value)
  const requests = Dictionary.empty(key(), nothing)
  for (const account of pool.requests) requests.set(account, true)
  const terms = beginCell().storeBuffer(VALIDATOR).storeUint(pool.share, 16).storeUint(MOST, 16)
  return beginCell()
    .storeUint(pool.state, 8)
    .storeUint(pool.nominators.size, 16)
    .storeCoins(pool.sent)
    .storeCoins(pool.validatorAmount)
    .storeRef(terms.storeCoins(MIN_VALIDATOR).storeCoins(MIN_NOMINATOR).endCell())
    .storeDict(nominators)
    .storeDict(requests)
    .storeUint(pool.stakeAt, 32)
    .storeUint(pool.setHash, 256)
    .storeUint(pool.changes, 8)
    .storeUint(pool.changedAt, 32)
    .storeUint(pool.heldFor, 32)
    .storeBit(0)
    .endCell()
}

export function readPool(data: Cell): PoolStorage {
  const slice = data.beginParse()
  const state = slice.loadUint(8)
  const count = slice.loadUint(16)
  const sent = slice.loadCoins()
  const validatorAmount = slice.loadCoins()
  const share = slice.loadRef().beginParse().skip(256).loadUint(16)
  const nominators = new Map(slice.loadDict(key(), amounts))
  if (nominators.size !== count) throw new Error(`${count} nominators are counted, and ${nominators.size} are there`)
  const requests = slice.loadDict(key(), nothing).keys()
  const stakeAt = slice.loadUint(32)
  const setHash = slice.loadUintBig(256)
  const changes = slice.loadUint(8)
  const changedAt = slice.loadUint(32)
  const heldFor = slice.loadUint(32)
  return { state, sent, validatorAmount, share, nominators, requests, stakeAt, setHash, changes, changedAt, heldFor }
}
