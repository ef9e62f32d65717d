// Fields that details of actions are made of. An account or amount that the trace does not show is null.

import { z } from 'zod'
import { Digits, RawAddress } from '../values.ts'

export const accountField = (words: string) => RawAddress.nullable().describe(words)
export const amountField = (words: string) => Digits.nullable().describe(words)
export const textField = (words: string) => z.string().nullable().describe(words)
export const numberField = (words: string) => z.int().nullable().describe(words)
/** The public interface has it as a number; digits where readers of JSON would round it. */
export const longNumberField = (words: string) => z.union([z.int(), Digits]).describe(words)
export const booleanField = (words: string) => z.boolean().describe(words)

export const queryId = { query_id: amountField('Number the sender gave the request.') }

/** The item an action is about. */
export const itemFields = {
  nft_collection: accountField('Collection; null for a single item.'),
  nft_item: accountField('Item.'),
  nft_item_index: amountField('Index in the collection.'),
}
