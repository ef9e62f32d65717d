// Every block, for subscribers of blocks.

import { toIndexedBlock } from '../../methods/index.ts'
import { audienceOf } from '../streamRoutes.ts'
import type { BlockChange, NotificationType } from './notification.ts'

export const blockNotices: NotificationType<BlockChange> = {
  name: 'blocks',
  place: 0,
  needsAddresses: false,
  finality: ({ finality }) => finality,
  audience: (_, routes) => audienceOf(routes.ofType('blocks')),
  selector: ({ block }) => ({
    key: () => '',
    write: () => ({ members: { block: toIndexedBlock(block) }, accounts: null }),
  }),
}
