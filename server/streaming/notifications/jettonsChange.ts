// A jetton wallet at the end of a block, for those who named it or its owner.

import { rawOfKey, toLiveWallet } from '../../methods/index.ts'
import type { AccountChange, NotificationType } from './notification.ts'

export const jettonsChange: NotificationType<AccountChange> = {
  name: 'jettons_change',
  place: 1,
  needsAddresses: true,
  finality: ({ finality }) => finality,
  audience: ({ raw, wallet }, routes) => (wallet === null ? [] : routes.ofAddresses([raw, rawOfKey(wallet.owner)])),
  selector({ raw, wallet, last }) {
    if (wallet === null || last === null) return () => null
    const owner = rawOfKey(wallet.owner)
    const selection = {
      key: '',
      write: () => ({
        members: { jetton: toLiveWallet(wallet, last) },
        accounts: [wallet.account, wallet.owner, wallet.jetton],
      }),
    }
    return ({ addresses }) => (addresses.has(raw) || addresses.has(owner) ? selection : null)
  },
}
