import type { running } from '../../../shared/v2/running.ts'
import type { RunSettings } from '../../contracts/index.ts'
import type { Chain } from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import type { Handlers } from '../call.ts'
import { pairedArguments, typedArguments } from '../stack/stackArguments.ts'
import { callerTools } from '../tvm/callerTools.ts'
import { methodIdOf } from '../tvm/methodIdOf.ts'
import { RunAccounts } from '../tvm/runAccounts.ts'
import { runMethodById } from '../tvm/runMethodById.ts'
import { toBlockId } from '../view/block.ts'
import { toLegacyStack, toTypedStack } from '../view/stack.ts'
import { toTransactionId } from '../view/transactionId.ts'

export function runningHandlers(
  chain: Chain,
  pool: Pick<TvmPool, 'share'>,
  settings: RunSettings,
): Handlers<typeof running> {
  const tools = { chain, pool, settings }
  const accounts = new RunAccounts(chain)
  return {
    async runGetMethod({ address, method, stack, seqno }, call) {
      const id = methodIdOf(method)
      const values = pairedArguments(stack)
      const at = await accounts.at(address, seqno, call.signal)
      const outcome = await runMethodById(callerTools(tools, call), at, id, values, call.signal)
      return {
        '@type': 'smc.runResult',
        gas_used: outcome.gasUsed,
        stack: toLegacyStack(outcome.stack),
        exit_code: outcome.exitCode,
        block_id: toBlockId(at.block),
        last_transaction_id: toTransactionId(at.shardAccount?.lastTransLt, at.shardAccount?.lastTransHash),
      }
    },

    async runGetMethodStd({ address, method, stack, seqno }, call) {
      const id = methodIdOf(method)
      const values = typedArguments(stack)
      const at = await accounts.at(address, seqno, call.signal)
      const outcome = await runMethodById(callerTools(tools, call), at, id, values, call.signal)
      return {
        '@type': 'smc.runResult',
        gas_used: outcome.gasUsed,
        stack: toTypedStack(outcome.stack),
        exit_code: outcome.exitCode,
      }
    },
  }
}
