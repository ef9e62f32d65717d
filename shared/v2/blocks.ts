import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Base64Hash, BlockIdExt } from './tonlib.ts'

const group = 'blocks'

export const blocks = {
  getMasterchainInfo: method({
    summary: 'The newest masterchain block, and the zero state the chain began with.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        '@type': z.literal('blocks.masterchainInfo'),
        last: BlockIdExt,
        state_root_hash: Base64Hash,
        init: BlockIdExt,
      })
      .meta({ id: 'MasterchainInfo' }),
    rest: readsV2('getMasterchainInfo'),
    freshness: 'block',
    example: {
      params: {},
      result: {
        '@type': 'blocks.masterchainInfo',
        last: {
          '@type': 'ton.blockIdExt',
          workchain: -1,
          shard: '-9223372036854775808',
          seqno: 48213377,
          root_hash: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
          file_hash: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
        },
        state_root_hash: '/TDmEsg99OXQETA69o1t7YcnRByhOAOcmghWrbgHLYw=',
        init: {
          '@type': 'ton.blockIdExt',
          workchain: -1,
          shard: '0',
          seqno: 0,
          root_hash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
          file_hash: 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=',
        },
      },
    },
  }),
}
