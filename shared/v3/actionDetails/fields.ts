// Fields that details of actions are made of. An account or amount that the trace does not show is null.

import { z } from 'zod'
import { Digits, RawAddress } from '../values.ts'

export const account = (words: string) => RawAddress.nullable().describe(words)
export const amount = (words: string) => Digits.nullable().describe(words)
export const text = (words: string) => z.string().nullable().describe(words)
export const number = (words: string) => z.int().nullable().describe(words)
export const flag = (words: string) => z.boolean().describe(words)

export const queryId = { query_id: amount('Number the sender gave the request.') }

/** The item an action is about. */
export const itemFields = {
  nft_collection: account('Collection; null for a single item.'),
  nft_item: account('Item.'),
  nft_item_index: amount('Index in the collection.'),
}
