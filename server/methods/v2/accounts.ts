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
import { type ConfigValue, readableParam } from '../../tlb/index.ts'
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

/** Null when the configuration has none, or one that cannot be read. */
type Suspended = ConfigValue<typeof SUSPENDED> | null

/** At once where it is known. */
type SuspendedReader = (block: BlockIdExt, signal: AbortSignal) => Suspended | Promise<Suspended>

/** Caches the list of the last block read: nearly all calls read the newest. */
export function createSuspendedReader(chain: Pick<Chain, 'config'>): SuspendedReader {
  let last: { readonly block: BlockIdExt; readonly list: Suspended } | null = null
  const read = async (block: BlockIdExt, signal: AbortSignal): Promise<Suspended> => {
    const { config } = await chain.config(block, [SUSPENDED], { signal })
    // Nodes suspend nothing then either.
    const list = readableParam(config, SUSPENDED)
    last = { block, list }
    return list
  }
  return (block, signal) => (last !== null && isSameBlock(last.block, block) ? last.list : read(block, signal))
}

export function accountHandlers(chain: AccountsChain): Handlers<typeof accountsV2> {
  const suspendedAt = createSuspendedReader(chain)
  return {
    async getAddressInformation({ address, seqno }, { signal }) {
      const block = await masterBlock(chain, seqno, { signal })
      const reading = suspendedAt(block, signal)
      const account = accountAt(chain, address, block, signal)
      const [found, list] =
        reading instanceof Promise ? await Promise.all([account, reading]) : [await account, reading]
      const bags = bagsOfAccount(found, { signal })
      const suspended = isSuspended(address, list, found.utime)
      return toAddressInformation(found, suspended, bags instanceof Promise ? await bags : bags)
    },

    async getExtendedAddressInformation({ address, seqno }, { signal }) {
      const found = await readAccount(chain, address, seqno, signal)
      const bags = bagsOfAccount(found, { signal })
      return toExtendedAddressInformation(address, found, bags instanceof Promise ? await bags : bags)
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

    async getShardAccountCell({ address, seqno }, { signal }) {
      return await toShardAccountCell((await readAccount(chain, address, seqno, signal)).shardAccount, { signal })
    },
  }
}
