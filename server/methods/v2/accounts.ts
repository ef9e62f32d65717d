import { toDigits } from '../../../shared/primitives.ts'
import type { accountsV2 } from '../../../shared/v2/accounts.ts'
import {
  type AccountReader,
  accountAt,
  type BlockIdExt,
  type Chain,
  isSameBlock,
  masterBlock,
  readAccount,
} from '../../node/index.ts'
import { type ConfigValue, configParam } from '../../tlb/index.ts'
import type { Handlers } from '../call.ts'
import {
  bagsOfAccount,
  balanceText,
  contractPartsOf,
  isSuspended,
  toAddressInformation,
  toShardAccountCell,
} from '../view/account.ts'
import { toExtendedAddressInformation } from '../view/extendedAccount.ts'
import { toWalletInformation } from '../view/wallet.ts'

type AccountsChain = AccountReader & Pick<Chain, 'config'>

/** Parameter of the configuration: accounts that must not be activated until a date. */
const SUSPENDED = 44

/** The list as of a block; null when the configuration has none. */
type SuspendedReader = (block: BlockIdExt, signal: AbortSignal) => Promise<ConfigValue<typeof SUSPENDED> | null>

/** Caches the list of the last block read: nearly all calls read the newest. */
export function createSuspendedReader(chain: Pick<Chain, 'config'>): SuspendedReader {
  let last: { readonly block: BlockIdExt; readonly list: ConfigValue<typeof SUSPENDED> | null } | null = null
  const read = async (block: BlockIdExt, signal: AbortSignal) => {
    const { config } = await chain.config(block, [SUSPENDED], { signal })
    return configParam(config, SUSPENDED)
  }
  return async (block, signal) => {
    if (last !== null && isSameBlock(last.block, block)) return last.list
    const list = await read(block, signal)
    last = { block, list }
    return list
  }
}

export function accountHandlers(chain: AccountsChain): Handlers<typeof accountsV2> {
  const suspendedAt = createSuspendedReader(chain)
  return {
    async getAddressInformation({ address, seqno }, { signal, caller }) {
      const block = await masterBlock(chain, seqno, { signal })
      const [found, list] = await Promise.all([accountAt(chain, address, block, signal), suspendedAt(block, signal)])
      return toAddressInformation(found, isSuspended(address, list, found.utime), await bagsOfAccount(found, caller))
    },

    async getExtendedAddressInformation({ address, seqno }, { signal, caller }) {
      const found = await readAccount(chain, address, seqno, signal)
      return toExtendedAddressInformation(address, found, await bagsOfAccount(found, caller))
    },

    async getWalletInformation({ address, seqno }, { signal }) {
      return toWalletInformation(await readAccount(chain, address, seqno, signal))
    },

    async getAddressBalance({ address, seqno }, { signal }) {
      const { account } = await readAccount(chain, address, seqno, signal)
      return toDigits(balanceText(account).grams)
    },

    async getAddressState({ address, seqno }, { signal }) {
      return contractPartsOf((await readAccount(chain, address, seqno, signal)).account).status
    },

    async getShardAccountCell({ address, seqno }, { signal, caller }) {
      return await toShardAccountCell((await readAccount(chain, address, seqno, signal)).shardAccount, caller)
    },
  }
}
