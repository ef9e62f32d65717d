import type { accounts } from '../../../shared/v2/accounts.ts'
import type { Chain } from '../../node/index.ts'
import { type AccountReader, readAccount } from '../accountAt.ts'
import type { Handlers } from '../call.ts'
import { createSuspendedReader } from '../suspended.ts'
import { balanceOf, contractOf, isSuspended, toAddressInformation, toShardAccountCell } from '../view/account.ts'
import { toDigits } from '../view/digits.ts'
import { toExtendedAddressInformation } from '../view/extendedAccount.ts'
import { toWalletInformation } from '../view/wallet.ts'

type AccountsChain = AccountReader & Pick<Chain, 'config'>

export function accountHandlers(chain: AccountsChain): Handlers<typeof accounts> {
  const suspendedAt = createSuspendedReader(chain)
  return {
    async getAddressInformation({ address, seqno }, { signal }) {
      const found = await readAccount(chain, address, seqno, signal)
      const list = await suspendedAt(found.block, signal)
      return toAddressInformation(found, isSuspended(address, list, found.utime))
    },

    async getExtendedAddressInformation({ address, seqno }, { signal }) {
      return toExtendedAddressInformation(address, await readAccount(chain, address, seqno, signal))
    },

    async getWalletInformation({ address, seqno }, { signal }) {
      return toWalletInformation(await readAccount(chain, address, seqno, signal))
    },

    async getAddressBalance({ address, seqno }, { signal }) {
      const { account } = await readAccount(chain, address, seqno, signal)
      return toDigits(balanceOf(account).grams)
    },

    async getAddressState({ address, seqno }, { signal }) {
      return contractOf((await readAccount(chain, address, seqno, signal)).account).status
    },

    async getShardAccountCell({ address, seqno }, { signal }) {
      return toShardAccountCell((await readAccount(chain, address, seqno, signal)).shardAccount)
    },
  }
}
