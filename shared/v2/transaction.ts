// Transactions and messages in the two families of v2: addresses of messages are texts in one, objects in the other.

import { z } from 'zod'
import { Digits } from '../primitives.ts'
import { BocText } from './stack.ts'
import { Base64Hash, ExtraCurrency, TransactionId } from './tonlib.ts'

const TonlibAddress = z
  .object({
    '@type': z.literal('accountAddress'),
    account_address: z.string().describe('Friendly form; empty when absent.'),
  })
  .meta({ id: 'TonlibAddress', description: 'An address, bounceable.' })

/** The same as `ExtraCurrency`, which balances have; clients know each by its own name. */
const MessageCurrency = z
  .object(ExtraCurrency.shape)
  .meta({ id: 'MessageCurrency', description: 'An amount of a currency other than TON.' })

const MessageData = z
  .union([
    z
      .object({
        '@type': z.literal('msg.dataRaw'),
        body: BocText.describe('Body, base64 BoC.'),
        init_state: BocText.describe('Code and data that deploy the recipient, base64 BoC; else empty.'),
      })
      .meta({ id: 'MessageDataRaw', description: 'A body that is no comment.' }),
    z
      .object({ '@type': z.literal('msg.dataText'), text: z.string().describe('Base64 of the comment in UTF-8.') })
      .meta({ id: 'MessageDataText', description: 'A text comment.' }),
    z
      .object({ '@type': z.literal('msg.dataDecryptedText'), text: z.string().describe('Base64 of the comment.') })
      .meta({ id: 'MessageDataDecryptedText', description: 'A decrypted comment; never returned by this service.' }),
    z
      .object({ '@type': z.literal('msg.dataEncryptedText'), text: z.string().describe('Base64 of the ciphertext.') })
      .meta({ id: 'MessageDataEncryptedText', description: 'An encrypted comment.' }),
  ])
  .meta({ id: 'MessageData', description: 'Body of a message.' })

const messageHash = Base64Hash.describe('Hash of the message cell, base64.')

const amounts = {
  value: Digits.describe('Nanotons the message carries; "0" for an external one.'),
  extra_currencies: z.array(MessageCurrency).describe('Other currencies it carries, at most 256.'),
  fwd_fee: Digits.describe('Forwarding fee, nanotons.'),
  ihr_fee: Digits.describe('Always "0": instant routing is not used.'),
  created_lt: Digits.describe('Logical time it was created at; "0" for an external message to a contract.'),
  body_hash: Base64Hash.describe('Hash of the body cell, base64.'),
  msg_data: MessageData.describe('Body, as a comment where it is one.'),
}

export const ExtMessage = z
  .object({
    '@type': z.literal('ext.message'),
    hash: messageHash,
    source: z.string().describe('Sender in friendly form, bounceable; empty for an external message to a contract.'),
    destination: z.string().describe('Recipient in friendly form, bounceable; empty for a message to outside.'),
    ...amounts,
    message: z
      .string()
      .optional()
      .describe('Text of the comment; for other bodies base64 of the bits; absent when it is encrypted.'),
  })
  .meta({ id: 'ExtMessage', description: 'A message, with addresses as texts.' })

export const MessageStd = z
  .object({
    '@type': z.literal('raw.message'),
    hash: messageHash,
    source: TonlibAddress.describe('Sender; empty for an external message to a contract.'),
    destination: TonlibAddress.describe('Recipient; empty for a message to outside.'),
    ...amounts,
  })
  .meta({ id: 'RawMessage', description: 'A message, with addresses as objects.' })

const facts = {
  utime: z.int().describe('Time of the block, unix seconds.'),
  data: BocText.describe('The whole transaction, base64 BoC.'),
  transaction_id: TransactionId.describe('Its logical time and hash.'),
  fee: Digits.describe('All fees, with those of forwarding its messages, nanotons.'),
  storage_fee: Digits.describe('Part of `fee` that is storage rent, nanotons.'),
  other_fee: Digits.describe('`fee` without `storage_fee`, nanotons.'),
}

const address = TonlibAddress.describe('Account of the transaction.')
const account = z.string().describe('Account of the transaction in raw form, uppercase.')

const IN = 'Message that caused it; absent for one caused by the clock (tick-tock).'
const OUT = 'Messages it sent, in order.'
const messagesStd = { in_msg: MessageStd.optional().describe(IN), out_msgs: z.array(MessageStd).describe(OUT) }

export const ExtTransaction = z
  .object({
    '@type': z.literal('ext.transaction'),
    address,
    account,
    ...facts,
    in_msg: ExtMessage.optional().describe(IN),
    out_msgs: z.array(ExtMessage).describe(OUT),
  })
  .meta({ id: 'ExtTransaction', description: 'A transaction, with addresses of messages as texts.' })

export const TransactionStd = z
  .object({ '@type': z.literal('raw.transaction'), address, ...facts, ...messagesStd })
  .meta({ id: 'RawTransaction', description: 'A transaction, with addresses of messages as objects.' })

export const BlockTransaction = z
  .object({
    '@type': z.literal('raw.transactionExt'),
    address,
    account,
    ...facts,
    ...messagesStd,
  })
  .meta({ id: 'RawTransactionExt', description: 'A transaction of a block.' })

export const ShortTransactionId = z
  .object({
    '@type': z.literal('blocks.shortTxId'),
    mode: z.int().describe('Bit mask of the fields that are set; always 135.'),
    account: z.string().describe('Account in raw form.'),
    lt: Digits.describe('Logical time of the transaction.'),
    hash: Base64Hash.describe('Hash of the transaction, base64.'),
  })
  .meta({ id: 'ShortTransactionId', description: 'A transaction of a block, by account and logical time.' })
