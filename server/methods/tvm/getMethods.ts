// Runs get-methods here, in the TVM's threads, on accounts as the node shows them.

import { readBoc, writeBoc } from '../../cell/index.ts'
import type { LiteServer } from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import type { ProvenAccount } from '../provenAccount.ts'
import { readStack, writeStack } from '../stack/stackCells.ts'
import { intValue, type StackValue } from '../stack/stackValue.ts'
import { asRunError } from '../tvmErrors.ts'
import { Libraries } from './libraries.ts'
import { runTexts } from './runAccounts.ts'
import type { RunSettings } from './runSetting.ts'

export interface RunTools {
  readonly node: Pick<LiteServer, 'libraries'>
  readonly pool: Pick<TvmPool, 'runGetMethod'>
  readonly settings: RunSettings
}

export interface RunOutcome {
  readonly exitCode: number
  readonly gasUsed: number
  /** Bottom first. */
  readonly stack: readonly StackValue[]
}

/** Exit code of an account without code. */
export const NOT_ACTIVE = -13
/** Libraries of libraries of libraries: each costs a run. */
const MOST_ROUNDS = 8

export const isActive = (account: ProvenAccount['account']): boolean =>
  account?.storage.state.kind === 'active' && account.storage.state.init.code !== null

/** Runs a method by its number. A failing one is an outcome; throws ApiError for a run that could not be made. */
export async function runGetMethod(
  { node, pool, settings }: RunTools,
  { block, utime, account }: Pick<ProvenAccount, 'block' | 'utime' | 'account'>,
  methodId: number,
  stack: readonly StackValue[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const texts = runTexts(account)
  const state = account?.storage.state
  if (account === null || texts === null || state?.kind !== 'active' || state.init.code === null)
    return { exitCode: NOT_ACTIVE, gasUsed: 0, stack: [...stack, intValue(BigInt(methodId))] }
  const { address } = account
  if (address.kind !== 'std') return { exitCode: NOT_ACTIVE, gasUsed: 0, stack }
  const { config, prevBlocks } = await settings.at(block, signal)
  const libraries = new Libraries(node, state.init)
  await libraries.addFor(state.init.code, signal)
  const run = {
    ...texts,
    stack: writeBoc(writeStack(stack)),
    methodId,
    address: `${address.workchain}:${Buffer.from(address.hash).toString('hex')}`,
    balance: account.storage.balance.grams,
    extraCurrencies: Object.fromEntries([...account.storage.balance.other]),
    now: utime,
    prevBlocks,
  }
  try {
    for (let round = 1; ; round++) {
      const result = await pool.runGetMethod(config, { ...run, libs: libraries.toBoc() }, { signal })
      const { missingLibrary } = result
      if (missingLibrary !== null && round < MOST_ROUNDS && (await libraries.add(missingLibrary, signal))) continue
      const { exitCode, gasUsed } = result
      const left = readStack(readBoc(Buffer.from(result.stack, 'base64'), { maxDepth: 1024 }))
      return { exitCode, gasUsed: Number(gasUsed), stack: left }
    }
  } catch (error) {
    throw asRunError(error)
  }
}
