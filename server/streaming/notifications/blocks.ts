// Every block, for subscribers of blocks; masterchain blocks by their names and times alone, for subscribers of heads.

import { toIndexedBlock } from '../../methods/index.ts'
import { audienceOf } from '../streamRoutes.ts'
import type { BlockChange, NotificationType } from './notification.ts'

export const blockNotices: NotificationType<BlockChange> = {
  name: 'blocks',
  place: 0,
  finality: ({ finality }) => finality,
  audience: (_, routes) => audienceOf(routes.ofType('blocks')),
  selector: ({ block }) => ({
    key: () => '',
    write: () => ({ members: { block: toIndexedBlock(block) }, accounts: null }),
  }),
}

export const headNotices: NotificationType<BlockChange> = {
  name: 'heads',
  place: 1,
  finality: ({ finality }) => finality,
  audience: ({ block }, routes) => audienceOf(block.workchain === -1 ? routes.ofType('heads') : []),
  selector: ({ block }) => ({
    key: () => '',
    write() {
      const { workchain, shard, seqno, root_hash, file_hash, gen_utime, end_lt } = toIndexedBlock(block)
      return { members: { head: { workchain, shard, seqno, root_hash, file_hash, gen_utime, end_lt } }, accounts: null }
    },
  }),
}
