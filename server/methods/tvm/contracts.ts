// Get-methods of several contracts that are asked for one answer, all as of the same masterchain block.

import { type Address, toRaw } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import type { BlockIdExt, LiteServer } from '../../node/index.ts'
import { upstream } from '../errors.ts'
import { masterBlock } from '../masterBlock.ts'
import { type ProvenAccount, provenAccountAt } from '../provenAccount.ts'
import type { StackValue } from '../stack/stackValue.ts'
import { isActive, type RunOutcome, type RunTools, runGetMethod } from './getMethods.ts'
import { methodIdOf } from './methodId.ts'
import type { RunSetting } from './runSetting.ts'

export type AccountName = Pick<Address, 'workchain' | 'hash'>

export interface ContractTools extends RunTools {
  readonly node: LiteServer
}

/** Of all runs for one answer: four contracts that never end, and then some. */
const MOST_GAS = 5_000_000

export class Contracts {
  readonly block: BlockIdExt
  readonly #tools: ContractTools
  readonly #signal: AbortSignal
  readonly #accounts = new Map<string, ProvenAccount>()
  #gasUsed = 0

  private constructor(tools: ContractTools, block: BlockIdExt, signal: AbortSignal) {
    this.block = block
    this.#tools = tools
    this.#signal = signal
  }

  /** As of the masterchain block with a seqno, the newest when it is undefined. Throws ApiError `upstream`. */
  static async at(tools: ContractTools, seqno: number | undefined, signal: AbortSignal): Promise<Contracts> {
    return new Contracts(tools, await upstream(masterBlock(tools.node, seqno, signal)), signal)
  }

  /** What the network is set to. */
  setting(): Promise<RunSetting> {
    return this.#tools.settings.at(this.block, this.#signal)
  }

  async isActive(name: AccountName): Promise<boolean> {
    return isActive((await this.#account(name)).account)
  }

  /** An account that is not active gives exit code -13. Throws ApiError for a run that could not be made. */
  async run(name: AccountName, method: string, args: readonly StackValue[] = []): Promise<RunOutcome> {
    if (this.#gasUsed > MOST_GAS)
      throw new ApiError('upstream', `contracts that were asked for the answer used over ${MOST_GAS} gas`)
    const account = await this.#account(name)
    const outcome = await runGetMethod(this.#tools, account, methodIdOf(method), args, this.#signal)
    this.#gasUsed += outcome.gasUsed
    return outcome
  }

  /** What a method leaves on the stack, bottom first; null when it fails, or leaves what nobody can read. */
  async results(
    name: AccountName,
    method: string,
    args?: readonly StackValue[],
  ): Promise<readonly StackValue[] | null> {
    try {
      const { exitCode, stack } = await this.run(name, method, args)
      return exitCode === 0 ? stack : null
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'stackTooDeep') return null
      throw error
    }
  }

  async #account(name: AccountName): Promise<ProvenAccount> {
    const key = toRaw(name)
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    const account = await provenAccountAt(this.#tools.node, name, this.block, this.#signal)
    this.#accounts.set(key, account)
    return account
  }
}
