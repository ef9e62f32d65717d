// Fees of an external message for its account, from a trial run in the TVM.

import { type BinaryHash, type Cell, MAX_DEPTH, readingBoc, stdAddress, writingBoc } from '../../cell/index.ts'
import type { RunSetting } from '../../contracts/index.ts'
import { inPieces } from '../../fairness/index.ts'
import type { AccountAt, AccountId, Chain } from '../../node/index.ts'
import {
  type Account,
  type ForwardPrices,
  fromCell,
  loadConfigParam,
  loadTransaction,
  makeMessage,
  type StateInit,
  storeMessage,
  toCell,
} from '../../tlb/index.ts'
import type { TvmRuns } from '../../tvm/index.ts'
import type { Call } from '../call.ts'
import { awaitRun } from '../errors/tvmErrors.ts'
import { shardAccountBoc, trialInitOf } from './trialAccount.ts'
import { librariesFor } from './trialLibraries.ts'

export interface TrialMessage {
  readonly address: AccountId
  readonly body: Cell
  readonly init: StateInit | null
  readonly ignoreSignature: boolean
}

/** Nanotons. */
export interface Fees {
  readonly inForward: bigint
  readonly storage: bigint
  readonly gas: bigint
  readonly forward: bigint
}

export interface TrialTools {
  readonly chain: Pick<Chain, 'libraries'>
  readonly pool: Pick<TvmRuns, 'emulate'>
  /** Of the block the account is read at. */
  readonly setting: Promise<RunSetting>
}

type Params = RunSetting['params']

const FORWARD_PRICES = { masterchain: 24, basechain: 25 } as const
const STORAGE_PRICES = 18
/** Prices are given per 2^16 units. */
const UNIT = 16n
const roundUp = (value: bigint): bigint => (value + (1n << UNIT) - 1n) >> UNIT

function forwardPrices(params: Params, workchain: number): ForwardPrices | null {
  const number = workchain === -1 ? FORWARD_PRICES.masterchain : FORWARD_PRICES.basechain
  const cell = params.get(number)
  return cell === undefined ? null : loadConfigParam(number, cell)
}

/** Cells that are counted at once. */
const PIECE = 1024

/** The import fee counts all cells but the first, each once. */
function* importFee(message: Cell, prices: ForwardPrices | null): Generator<void, bigint> {
  if (prices === null) return 0n
  const seen = new Set<BinaryHash>()
  let bits = 0n
  const left = [...message.refs]
  for (let cell = left.pop(); cell !== undefined; cell = left.pop()) {
    if (seen.has(cell.hash())) continue
    seen.add(cell.hash())
    bits += BigInt(cell.bits)
    left.push(...cell.refs)
    if (seen.size % PIECE === 0) yield
  }
  return prices.lumpPrice + roundUp(bits * prices.bitPrice + BigInt(seen.size) * prices.cellPrice)
}

/** Storage rent due at a time, by the prices in force since it was last paid. */
function storageFee(params: Params, { address, storageStat }: Account, now: number): bigint {
  const { used, lastPaid, duePayment } = storageStat
  const cell = params.get(STORAGE_PRICES)
  if (cell === undefined || lastPaid === 0) return duePayment ?? 0n
  const prices = [...loadConfigParam(STORAGE_PRICES, cell)].map(([, price]) => price)
  const bits = BigInt(used.bits)
  const cells = BigInt(used.cells)
  let total = 0n
  for (const [i, price] of prices.entries()) {
    const from = Math.max(lastPaid, price.utimeSince)
    const until = Math.min(now, prices[i + 1]?.utimeSince ?? now)
    const isMaster = address.workchain === -1
    const [bitPrice, cellPrice] = isMaster
      ? [price.masterBitPrice, price.masterCellPrice]
      : [price.bitPrice, price.cellPrice]
    if (until > from) total += BigInt(until - from) * (bits * bitPrice + cells * cellPrice)
  }
  return roundUp(total) + (duePayment ?? 0n)
}

const messageCell = ({ address, body, init }: TrialMessage): Cell => {
  const dest = stdAddress(address.workchain, address.hash)
  return toCell(makeMessage({ kind: 'externalIn', src: null, dest, importFee: 0n }, init, body), storeMessage)
}

const NO_SEED = new Uint8Array(32)

/** A message the contract refuses costs no gas and sends nothing on. Throws ApiError for a trial that could not be made. */
export async function estimateFees(
  { chain, pool, setting }: TrialTools,
  { utime, lt, shardAccount, account }: Omit<AccountAt, 'block'>,
  trial: TrialMessage,
  { signal }: Pick<Call, 'signal'>,
): Promise<Fees> {
  const { config, params, prevBlocks } = await awaitRun(setting)
  const message = messageCell(trial)
  const { code, data } = trialInitOf(account) ?? {}
  const libs = await awaitRun(librariesFor(chain, [code, data, message], signal))
  const block = { now: utime, randSeed: NO_SEED, libs, prevBlocks }
  const run = {
    shardAccount: await shardAccountBoc(shardAccount, { signal }),
    message: await inPieces(writingBoc(message), { signal }),
    lt: lt + 1n,
    ignoreSignature: trial.ignoreSignature,
  }
  const result = await awaitRun(pool.emulate(config, block, run, { signal }))
  const free = {
    inForward: await inPieces(importFee(message, forwardPrices(params, trial.address.workchain)), { signal }),
    storage: account === null ? 0n : storageFee(params, account, utime),
    gas: 0n,
    forward: 0n,
  }
  if (!result.accepted) return free
  const transaction = await inPieces(readingBoc(Buffer.from(result.transaction, 'base64'), { maxDepth: MAX_DEPTH }), {
    signal,
  })
  const { description } = fromCell(transaction, loadTransaction)
  if (description.kind !== 'ordinary') return free
  const { storage, compute, action } = description
  return {
    ...free,
    storage: storage === null ? free.storage : storage.feesCollected + (storage.feesDue ?? 0n),
    gas: compute.kind === 'vm' ? compute.gasFees : 0n,
    forward: action?.totalFwdFees ?? 0n,
  }
}
