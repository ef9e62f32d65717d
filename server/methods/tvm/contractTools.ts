// Contracts that one result needs, all as of the same masterchain block.

import {
  Contracts,
  type ContractsSource,
  contractOf,
  type GasMeter,
  type RunnableContract,
  runGetMethod,
} from '../../contracts/index.ts'
import { type AccountId, accountAt, type BlockIdExt, type Chain, masterBlock } from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import type { RunTools } from './runMethodById.ts'

export interface ContractTools extends RunTools {
  readonly chain: Chain
}

/** What calling contracts needs where the block is known. */
export interface BlockTools extends RunTools {
  readonly chain: Pick<Chain, 'account' | 'libraries'>
  /** Shared with other results; by default one has its own. */
  readonly gas?: GasMeter
}

/** The same before the caller is known. */
export interface PoolTools extends Omit<ContractTools, 'pool'> {
  readonly pool: Pick<TvmPool, 'share'>
}

/** As of the masterchain block with a seqno, the newest when it is undefined. */
export async function contractsAt(
  tools: ContractTools,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<Contracts> {
  const block = await masterBlock(tools.chain, seqno, { signal })
  // Where the result takes a run, what that needs is read beside the first account. Once for a newest block; an older one may
  // need a configuration of its own, and most tokens take no run.
  if (seqno === undefined) void tools.settings.begin(block, signal)
  return contractsAtBlock(tools, block, signal)
}

type Replaced = RunnableContract | null | undefined

/** As of this block; of accounts that `replaced` has, the contract is the one it returns. */
export function contractsAtBlock(
  { chain, pool, settings, gas }: BlockTools,
  block: BlockIdExt,
  signal: AbortSignal,
  replaced: (id: AccountId) => Replaced | Promise<Replaced> = () => undefined,
): Contracts {
  const setting = () => settings.at(block, signal)
  const source: ContractsSource = {
    setting,
    async contract(id) {
      const known = await replaced(id)
      if (known !== undefined) return known
      const { account, utime } = await accountAt(chain, id, block, signal)
      return contractOf(account, utime)
    },
    async run(contract, call) {
      return await runGetMethod({ chain, pool, setting: await setting() }, contract, call, signal)
    },
  }
  return new Contracts(source, gas)
}
