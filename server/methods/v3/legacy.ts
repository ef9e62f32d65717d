// The methods v3 took over from v2: the same code, in v3's shapes; accounts come from the index unless the caller
// requests the node.

import { ApiError } from '../../../shared/errors.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { sendingV2 } from '../../../shared/v2/sending.ts'
import type { legacyV3 } from '../../../shared/v3/legacy.ts'
import type { RunSettings } from '../../contracts/index.ts'
import { type AccountAt, accountAt, type BlockIdExt, type Chain } from '../../node/index.ts'
import { type AccountFound, accountsRead, readAll, type Sql } from '../../store/index.ts'
import type { TvmShares } from '../../tvm/index.ts'
import type { Call, Handlers } from '../call.ts'
import { keyOfAccount } from '../keyOfAccount.ts'
import { pairedArguments } from '../stack/stackArguments.ts'
import { callerTools } from '../tvm/callerTools.ts'
import { methodIdOf } from '../tvm/methodIdOf.ts'
import { runMethodById } from '../tvm/runMethodById.ts'
import { accountHandlers } from '../v2/accounts.ts'
import {
  toInformation,
  toInformationOfV2,
  toStoredWalletInformation,
  toWalletInformationOfV2,
} from '../view/v3/legacy.ts'
import { toPlainStack } from '../view/v3/stack.ts'
import { accountAtBlock, accountsAt, masterBlockAt } from './accountsAt.ts'

type Methods = typeof legacyV3
type Information = Params<Methods['v3.addressInformation']>
type Run = Params<Methods['v3.runGetMethod']>

export interface LegacyNeeds {
  readonly chain: Chain
  readonly pool: TvmShares
  readonly settings: RunSettings
  readonly store: Sql
  readonly sending: Handlers<typeof sendingV2>
}

/** An argument in the pair v2 reads it from. */
function pairOf({ type, value }: Run['stack'][number]): readonly unknown[] {
  if (type === 'num') return [type, value]
  if (type === 'cell') return ['tvm.Cell', value]
  if (type === 'slice') return ['tvm.Slice', value]
  if (type === '') throw new ApiError('invalidParams', 'empty type of a stack entry')
  throw new ApiError('upstream', `unsupported stack parameter type: ${type.replaceAll(/[^\w.-]/g, '?')}`)
}

/** What v2 has kinds of its own for is one kind here; what the caller did wrong, and what will pass, stays that. */
const PASSED: readonly string[] = ['invalidParams', 'notFound', 'unsupportedResult', 'rateLimited', 'timeout', 'busy']

async function asOneKind<T>(running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (error) {
    if (!(error instanceof ApiError) || PASSED.includes(error.kind)) throw error
    throw new ApiError('upstream', error.message, error.data, { cause: error })
  }
}

export function legacyHandlers({ chain, pool, settings, store, sending }: LegacyNeeds): Handlers<Methods> {
  const v2 = { ...accountHandlers(chain), ...sending }

  /** The newest state that is stored, or that after a block the caller names. */
  async function stored({ address, seqno }: Information, signal: AbortSignal): Promise<AccountFound | undefined> {
    const accounts = [keyOfAccount(address)]
    const [found] =
      seqno === undefined
        ? await readAll(store, accountsRead({ accounts, bags: true }), { signal })
        : await accountsAt(chain, accounts, seqno, signal)
    return found
  }

  async function addressInformation(params: Information, call: Call): Promise<Result<Methods['v3.account']>> {
    const { address, seqno, use_v2 } = params
    if (use_v2) return toInformationOfV2(await v2.getAddressInformation({ address, seqno }, call))
    return toInformation(await stored(params, call.signal))
  }

  async function walletInformation(params: Information, call: Call): Promise<Result<Methods['v3.wallet']>> {
    const { address, seqno, use_v2 } = params
    if (use_v2) return toWalletInformationOfV2(await v2.getWalletInformation({ address, seqno }, call))
    return toStoredWalletInformation(await stored(params, call.signal))
  }

  const blockAt = async (seqno: number | undefined, signal: AbortSignal): Promise<BlockIdExt> =>
    seqno === undefined ? (await chain.head({ signal })).id : await masterBlockAt(chain, seqno, signal)

  const runAccount = ({ address, seqno }: Run, block: BlockIdExt, signal: AbortSignal): Promise<AccountAt> =>
    seqno === undefined
      ? accountAt(chain, address, block, signal)
      : accountAtBlock(chain, keyOfAccount(address), block, signal)

  async function run(params: Run, call: Call): Promise<Result<Methods['v3.runGetMethod']>> {
    const id = methodIdOf(params.method)
    const values = await pairedArguments(params.stack.map(pairOf), call)
    const { signal } = call
    const block = await blockAt(params.seqno, signal)
    const setting = settings.begin(block, signal)
    const at = await runAccount(params, block, signal)
    const tools = callerTools({ chain, pool }, call)
    const run = { methodId: id, stack: values, setting }
    const { gasUsed, exitCode, stack: left } = await runMethodById(tools, at, run, signal)
    return { gas_used: gasUsed, exit_code: exitCode, stack: await toPlainStack(left, call) }
  }

  return {
    'v3.addressInformation': addressInformation,
    'v3.account': addressInformation,
    'v3.walletInformation': walletInformation,
    'v3.wallet': walletInformation,

    async 'v3.message'(params, call) {
      const { hash, hash_norm } = await v2.sendBocReturnHash(params, call)
      return { message_hash: hash, message_hash_norm: hash_norm }
    },

    async 'v3.estimateFee'(params, call) {
      const { source_fees: fees } = await v2.estimateFee(params, call)
      const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = fees
      return { source_fees: { in_fwd_fee, storage_fee, gas_fee, fwd_fee }, destination_fees: [] }
    },

    'v3.runGetMethod': (params, call) => asOneKind(run(params, call)),
  }
}
