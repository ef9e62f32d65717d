import type { accounts } from '../../../shared/v2/accounts.ts'
import type { LiteServer } from '../../node/index.ts'
import type { Handlers } from '../call.ts'
import { type ProvenReader, readProvenAccount } from '../provenAccount.ts'
import { createSuspendedReader } from '../suspended.ts'
import { balanceOf, contractOf, isSuspended, toAddressInformation, toShardAccountCell } from '../view/account.ts'
import { toDigits } from '../view/digits.ts'
import { toExtendedAddressInformation } from '../view/extendedAccount.ts'
import { toWalletInformation } from '../view/wallet.ts'

type Node = ProvenReader & Pick<LiteServer, 'config'>

export function accountHandlers(node: Node): Handlers<typeof accounts> {
  const suspendedAt = createSuspendedReader(node)
  return {
    async getAddressInformation({ address, seqno }, { signal }) {
      const found = await readProvenAccount(node, address, seqno, signal)
      const list = await suspendedAt(found.block, signal)
      return toAddressInformation(found, isSuspended(address, list, found.utime))
    },

    async getExtendedAddressInformation({ address, seqno }, { signal }) {
      return toExtendedAddressInformation(address, await readProvenAccount(node, address, seqno, signal))
    },

    async getWalletInformation({ address, seqno }, { signal }) {
      return toWalletInformation(await readProvenAccount(node, address, seqno, signal))
    },

    async getAddressBalance({ address, seqno }, { signal }) {
      const { account } = await readProvenAccount(node, address, seqno, signal)
      return toDigits(balanceOf(account).grams)
    },

    async getAddressState({ address, seqno }, { signal }) {
      return contractOf((await readProvenAccount(node, address, seqno, signal)).account).status
    },

    async getShardAccountCell({ address, seqno }, { signal }) {
      return toShardAccountCell((await readProvenAccount(node, address, seqno, signal)).shardAccount)
    },
  }
}
