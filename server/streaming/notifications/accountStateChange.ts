// The state of an account at the end of a block.

import type { AccountChange, NotificationType } from './notification.ts'

export const accountStateChange: NotificationType<AccountChange> = {
  name: 'account_state_change',
  place: 0,
  needsAddresses: true,
  finality: ({ finality }) => finality,
  audience: ({ raw }, routes) => routes.ofAddress(raw),
  selector({ raw, state }) {
    const selection = { key: '', write: () => ({ members: { account: raw, state }, accounts: null }) }
    return ({ addresses }) => (addresses.has(raw) ? selection : null)
  },
}
