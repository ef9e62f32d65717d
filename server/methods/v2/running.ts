import type { Params } from '../../../shared/registry.ts'
import type { runningV2 } from '../../../shared/v2/running.ts'
import type { RunSettings, StackValue } from '../../contracts/index.ts'
import { type Chain, masterBlock } from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import type { Call, Handlers } from '../call.ts'
import { pairedArguments, typedArguments } from '../stack/stackArguments.ts'
import { callerTools } from '../tvm/callerTools.ts'
import { methodIdOf } from '../tvm/methodIdOf.ts'
import { RunAccounts } from '../tvm/runAccounts.ts'
import { runMethodById } from '../tvm/runMethodById.ts'
import { toLastTransaction } from '../view/account.ts'
import { toBlockId } from '../view/ids.ts'
import { toLegacyStack, toTypedStack } from '../view/stack.ts'

type RunParams = Omit<Params<typeof runningV2.runGetMethod>, 'stack'>

export function runningHandlers(
  chain: Chain,
  pool: Pick<TvmPool, 'share'>,
  settings: RunSettings,
): Handlers<typeof runningV2> {
  const tools = { chain, pool }
  const accounts = new RunAccounts(chain)
  /** `argumentsOf` reads the stack once the method is known to be one, before the account. */
  async function run({ address, method, seqno }: RunParams, argumentsOf: () => Promise<StackValue[]>, call: Call) {
    const id = methodIdOf(method)
    const values = await argumentsOf()
    const { signal } = call
    const block = await masterBlock(chain, seqno, { signal })
    const setting = settings.begin(block, signal)
    const at = await accounts.at(address, block, signal)
    const run = { methodId: id, stack: values, setting }
    return { at, outcome: await runMethodById(callerTools(tools, call), at, run, signal) }
  }
  return {
    async runGetMethod(params, call) {
      const { at, outcome } = await run(params, () => pairedArguments(params.stack, call), call)
      return {
        '@type': 'smc.runResult',
        gas_used: outcome.gasUsed,
        stack: await toLegacyStack(outcome.stack, call),
        exit_code: outcome.exitCode,
        block_id: toBlockId(at.block),
        last_transaction_id: toLastTransaction(at.shardAccount),
      }
    },

    async runGetMethodStd(params, call) {
      const { outcome } = await run(params, () => typedArguments(params.stack, call), call)
      return {
        '@type': 'smc.runResult',
        gas_used: outcome.gasUsed,
        stack: await toTypedStack(outcome.stack, call),
        exit_code: outcome.exitCode,
      }
    },
  }
}
