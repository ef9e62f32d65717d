// The state of an account at the end of a block.

import { audienceOf } from '../streamRoutes.ts'
import type { AccountChange, NotificationType } from './notification.ts'

export const accountStateChange: NotificationType<AccountChange> = {
  name: 'account_state_change',
  place: 0,
  finality: ({ finality }) => finality,
  audience: ({ raw }, routes) => audienceOf(routes.ofAddress(raw)),
  selector: ({ raw, state }) => ({
    key: () => '',
    write: () => ({ members: { account: raw, state }, accounts: null }),
  }),
}
