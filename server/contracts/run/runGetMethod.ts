// Runs get-methods here, in the TVM's threads, on contracts as they were shown.

import { beginCell, type Cell, isLargeTree, writeBoc } from '../../cell/index.ts'
import { ownerOfSignal } from '../../fairness/index.ts'
import type { AccountId, Chain } from '../../node/index.ts'
import type { Account } from '../../tlb/index.ts'
import type { BocForm, TvmRuns } from '../../tvm/index.ts'
import { readStack, writeStack } from '../stack/stackCells.ts'
import { intValue, type StackValue } from '../stack/stackValue.ts'
import { largeBocText, readBocText } from './bocText.ts'
import { Libraries } from './libraries.ts'
import type { RunSetting } from './runSetting.ts'

/** An active account with code, as of some block. */
export interface RunnableContract extends AccountId {
  readonly code: Cell
  readonly data: Cell | null
  /** Dictionary of libraries of its own. */
  readonly library: Cell | null
  readonly balance: bigint
  /** Amounts of extra currencies by id. */
  readonly extra: Readonly<Record<number, bigint>>
  /** Time of the block, unix seconds. */
  readonly utime: number
}

export interface GetMethodTools {
  readonly chain: Pick<Chain, 'libraries'>
  readonly pool: Pick<TvmRuns, 'runGetMethod'>
  readonly setting: Pick<RunSetting, 'config'> & { readonly prevBlocks: BocForm | null }
  /** Milliseconds one run may take, and gas; the pool has limits of its own. */
  readonly timeLimitMs?: number
  readonly gasLimit?: bigint
}

export interface MethodCall {
  readonly methodId: number
  /** Bottom first. */
  readonly stack: readonly StackValue[]
}

export interface RunOutcome {
  readonly exitCode: number
  readonly gasUsed: number
  /** Bottom first. */
  readonly stack: readonly StackValue[]
  /** It needed a library that is not published. */
  readonly lacksLibrary?: true
}

/** Exit code of an account without code. */
export const NOT_ACTIVE = -13
const EMPTY = beginCell().end()
/** Libraries of libraries of libraries: each costs a run. */
const MOST_ROUNDS = 8

/** Null for an account that is not active, has no code or no address of the usual form. */
export function contractOf(account: Account | null, utime: number): RunnableContract | null {
  const state = account?.storage.state
  if (account == null || state?.kind !== 'active' || state.init.code === null) return null
  const { address, storage } = account
  if (address.kind !== 'std') return null
  const { code, data, library } = state.init
  const { workchain, hash } = address
  const { grams, other } = storage.balance
  return { workchain, hash, code, data, library, balance: grams, extra: Object.fromEntries([...other]), utime }
}

/** What running a method of an account without code comes to. */
export const notActive = ({ methodId, stack }: MethodCall): RunOutcome => ({
  exitCode: NOT_ACTIVE,
  gasUsed: 0,
  stack: [...stack, intValue(BigInt(methodId))],
})

/**
 * Runs a method by its number. A failing one is an outcome. Rejects with TvmError or ContractError for a run that could not
 * be made, and as the node does.
 */
export async function runGetMethod(
  { chain, pool, setting, timeLimitMs, gasLimit }: GetMethodTools,
  contract: RunnableContract,
  { methodId, stack }: MethodCall,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { code, data, workchain, hash } = contract
  const libraries = new Libraries(chain, contract)
  await libraries.addFor(code, signal)
  const args = writeStack(stack)
  const slicing = { subject: ownerOfSignal(signal) }
  const run = {
    code: await largeBocText(code, slicing),
    data: await largeBocText(data ?? EMPTY, slicing),
    stack: isLargeTree(args) ? await largeBocText(args, slicing) : writeBoc(args),
    methodId,
    address: `${workchain}:${Buffer.from(hash).toString('hex')}`,
    balance: contract.balance,
    extraCurrencies: contract.extra,
    now: contract.utime,
    prevBlocks: setting.prevBlocks,
    ...(gasLimit === undefined ? {} : { gasLimit }),
  }
  const options = { signal, ...(timeLimitMs === undefined ? {} : { timeLimitMs }) }
  for (let round = 1; ; round++) {
    const result = await pool.runGetMethod(setting.config, { libs: await libraries.bocText(slicing), ...run }, options)
    const { missingLibrary } = result
    if (missingLibrary !== null && round < MOST_ROUNDS && (await libraries.add(missingLibrary, signal))) continue
    const { exitCode, gasUsed } = result
    const left = readStack(await readBocText(result.stack, slicing))
    return { exitCode, gasUsed: Number(gasUsed), stack: left, ...(missingLibrary !== null && { lacksLibrary: true }) }
  }
}
