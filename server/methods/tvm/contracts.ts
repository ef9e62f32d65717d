// Contracts that one result needs, all as of the same masterchain block.

import { Contracts, contractOf, runGetMethod } from '../../contracts/index.ts'
import { type Chain, masterBlock } from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import { accountAt } from '../accountAt.ts'
import type { RunTools } from './getMethods.ts'

export interface ContractTools extends RunTools {
  readonly chain: Chain
}

/** The same before the caller is known. */
export interface PoolTools extends Omit<ContractTools, 'pool'> {
  readonly pool: Pick<TvmPool, 'share'>
}

/** As of the masterchain block with a seqno, the newest when it is undefined. */
export async function contractsAt(
  { chain, pool, settings }: ContractTools,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<Contracts> {
  const block = await masterBlock(chain, seqno, { signal })
  const setting = () => settings.at(block, signal)
  return new Contracts({
    setting,
    async contract(id) {
      const { account, utime } = await accountAt(chain, id, block, signal)
      return contractOf(account, utime)
    },
    async run(contract, call) {
      return await runGetMethod({ chain, pool, setting: await setting() }, contract, call, signal)
    },
  })
}
