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

/** Fields that actions of many protocols have. */
export const usualFields = {
  amount: amountField('Amount in the smallest units.'),
  nanotons: amountField('Amount in nanotons.'),
  sender: accountField('Account that sends.'),
  recipient: accountField('Account that receives.'),
  owner: accountField('Account that owns it.'),
  senderWallet: accountField('Jetton wallet of the sender.'),
  recipientWallet: accountField('Jetton wallet of the recipient.'),
  jetton: accountField('Jetton.'),
  jettonOrTon: accountField('Jetton; null for TON.'),
  pool: accountField('Pool contract.'),
  comment: textField('Comment, base64 when encrypted.'),
  isEncrypted: booleanField('True when the comment is encrypted.'),
}
