// Get-methods of several contracts that one answer needs, all as of the same block.

import { type Cell, CellError } from '../cell/index.ts'
import { methodId, methodIdsOf } from '../interfaces/index.ts'
import type { AccountId } from '../node/index.ts'
import { TvmError } from '../tvm/index.ts'
import { ContractError } from './contractError.ts'
import { knownAnswer } from './known/knownAnswer.ts'
import { type MethodCall, notActive, type RunnableContract, type RunOutcome } from './run/runGetMethod.ts'
import type { RunSetting } from './run/runSetting.ts'
import type { StackValue } from './stack/stackValue.ts'

/** Where contracts and their answers come from. */
export interface ContractsSource {
  /** An account as of the block; null for one that is not active or has no code. */
  contract(id: AccountId): Promise<RunnableContract | null>
  /** What the network is set to. */
  setting(): Promise<RunSetting>
  run(contract: RunnableContract, call: MethodCall): Promise<RunOutcome>
}

/** Of all runs for one answer: four contracts that never end, and then some. */
export const MOST_GAS = 5_000_000

/** What runs have used: of one answer, or of several that have the bound together. */
export class GasMeter {
  used = 0
  #last: Promise<unknown> = Promise.resolve()

  /** Does one work after the other, so that each finds the gas of those before it counted. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work)
    this.#last = running.catch(() => undefined)
    return running
  }
}

/** Failures caused by the contract, not by the caller. */
const isItsFault = (error: unknown): boolean =>
  error instanceof CellError ||
  (error instanceof TvmError && error.code === 'stackTooDeep') ||
  (error instanceof ContractError && error.code === 'stack')

/** By the code's cell; null when the code has no table of methods. */
const tables = new WeakMap<Cell, ReadonlySet<number> | null>()

function tableOf(code: Cell): ReadonlySet<number> | null {
  const known = tables.get(code)
  if (known !== undefined) return known
  const ids = methodIdsOf(code)
  const table = ids === null ? null : new Set(ids)
  tables.set(code, table)
  return table
}

export class Contracts {
  readonly #source: ContractsSource
  readonly #gas: GasMeter
  readonly #contracts = new Map<string, Promise<RunnableContract | null>>()

  constructor(source: ContractsSource, gas = new GasMeter()) {
    this.#source = source
    this.#gas = gas
  }

  setting(): Promise<RunSetting> {
    return this.#source.setting()
  }

  async isActive(id: AccountId): Promise<boolean> {
    return (await this.contract(id)) !== null
  }

  contract(id: AccountId): Promise<RunnableContract | null> {
    const key = `${id.workchain}:${Buffer.from(id.hash).toString('latin1')}`
    const known = this.#contracts.get(key)
    if (known !== undefined) return known
    const found = this.#source.contract(id)
    this.#contracts.set(key, found)
    return found
  }

  /**
   * An account that is not active gives exit code -13. Rejects with ContractError `gas` once all runs together took too
   * much, and as the source does for a run that could not be made.
   */
  async run(id: AccountId, method: string, args: readonly StackValue[] = []): Promise<RunOutcome> {
    if (this.#gas.used > MOST_GAS)
      throw new ContractError('gas', `get-methods run for this answer used over ${MOST_GAS} gas`)
    const contract = await this.contract(id)
    const call = { methodId: methodId(method), stack: args }
    if (contract === null) return notActive(call)
    const outcome = knownAnswer(contract, call) ?? (await this.#source.run(contract, call))
    this.#gas.used += outcome.gasUsed
    return outcome
  }

  /** The stack a method leaves, bottom first; null when it fails, or leaves an unreadable value. */
  async results(id: AccountId, method: string, args?: readonly StackValue[]): Promise<readonly StackValue[] | null> {
    try {
      const { exitCode, stack } = await this.run(id, method, args)
      return exitCode === 0 ? stack : null
    } catch (error) {
      if (isItsFault(error)) return null
      throw error
    }
  }

  /** The same, without a run where the code shows that there is no such method. */
  async resultsIfAny(
    id: AccountId,
    method: string,
    args?: readonly StackValue[],
  ): Promise<readonly StackValue[] | null> {
    const contract = await this.contract(id)
    if (contract === null || tableOf(contract.code)?.has(methodId(method)) === false) return null
    return this.results(id, method, args)
  }
}
