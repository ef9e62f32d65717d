// Contracts that are asked for one answer, all as of the same masterchain block.

import { Contracts, contractOf, runGetMethod } from '../../contracts/index.ts'
import { type LiteServer, provenMaster } from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import { upstream } from '../errors.ts'
import { provenAccountAt } from '../provenAccount.ts'
import type { RunTools } from './getMethods.ts'

export interface ContractTools extends RunTools {
  readonly node: LiteServer
}

/** The same before it is known whose runs they are. */
export interface PoolTools extends Omit<ContractTools, 'pool'> {
  readonly pool: Pick<TvmPool, 'share'>
}

/** As of the masterchain block with a seqno, the newest when it is undefined. Throws ApiError `upstream`. */
export async function contractsAt(
  { node, pool, settings }: ContractTools,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<Contracts> {
  const block = await upstream(provenMaster(node, seqno, { signal }))
  const setting = () => settings.at(block, signal)
  return new Contracts({
    setting,
    async contract(id) {
      const { account, utime } = await provenAccountAt(node, id, block, signal)
      return contractOf(account, utime)
    },
    async run(contract, call) {
      return await runGetMethod({ node, pool, setting: await setting() }, contract, call, signal)
    },
  })
}
