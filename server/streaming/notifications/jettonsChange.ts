// A jetton wallet at the end of a block, for those who named it or its owner.

import { rawOfKey, toLiveWallet } from '../../methods/index.ts'
import type { AccountChange, NotificationType } from './notification.ts'

export const jettonsChange: NotificationType<AccountChange> = {
  name: 'jettons_change',
  place: 1,
  finality: ({ finality }) => finality,
  audience: ({ raw, wallet }, routes) => routes.ofParts(wallet === null ? [] : [[raw, rawOfKey(wallet.owner)]]),
  selector: ({ wallet, last }) => ({
    key: () => (wallet === null || last === null ? null : ''),
    write: () => ({
      members: { jetton: wallet && last && toLiveWallet(wallet, last) },
      accounts: wallet && [wallet.account, wallet.owner, wallet.jetton],
    }),
  }),
}
