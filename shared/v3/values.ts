// Values as v3 writes them, in every group.

import { z } from 'zod'
import type { Route } from '../method.ts'
import { Digits } from '../primitives.ts'
import { Base64Hash } from '../v2/tonlib.ts'

export { Base64Hash, Digits }

/** A read of v3: GET only. */
export const readsV3 = (name: string): readonly Route[] => [{ verb: 'GET', path: `/api/v3/${name}` }]

export const RawAddress = z
  .string()
  .regex(/^-?\d{1,3}:[0-9A-F]{64}$/)
  .meta({ id: 'RawAddress', description: '`<workchain>:<64 hex>`, uppercase.' })

const ShardText = z
  .string()
  .regex(/^[0-9A-F]{1,16}$/)
  .meta({ id: 'ShardText', description: 'Prefix of a shard in hex, uppercase, without leading zeros.' })

export const BlockId = z
  .object({
    workchain: z.int().describe('-1 for the masterchain, 0 for the basechain.'),
    shard: ShardText.describe('Shard prefix in hex.'),
    seqno: z.int().describe('Height of the block in its shard.'),
  })
  .meta({ id: 'BlockId' })

export const IndexedStatus = z.enum(['uninit', 'frozen', 'active', 'nonexist']).meta({ id: 'IndexedStatus' })

export const Currencies = z
  .record(z.string(), Digits)
  .meta({ id: 'ExtraCurrencies', description: 'Amounts of extra currencies by id.' })
