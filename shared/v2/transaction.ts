// Transactions and messages in the two families of v2: in one the ends of a message are texts, in the other objects.

import { z } from 'zod'
import { Digits } from '../primitives.ts'
import { BocText } from './stack.ts'
import { Base64Hash } from './tonlib.ts'

export const TransactionId = z
  .object({ '@type': z.literal('internal.transactionId'), lt: Digits, hash: Base64Hash })
  .meta({ id: 'InternalTransactionId', description: 'lt "0" and a hash of zeros where there is none.' })

const TonlibAddress = z
  .object({ '@type': z.literal('accountAddress'), account_address: z.string() })
  .meta({ id: 'TonlibAddress', description: 'Friendly form, bounceable; empty for nobody.' })

const MessageCurrency = z
  .object({ '@type': z.literal('extraCurrency'), id: z.int(), amount: Digits })
  .meta({ id: 'MessageCurrency' })

export const MessageData = z
  .union([
    z.object({ '@type': z.literal('msg.dataRaw'), body: BocText, init_state: BocText }).meta({ id: 'MessageDataRaw' }),
    z.object({ '@type': z.literal('msg.dataText'), text: z.string() }).meta({ id: 'MessageDataText' }),
    z
      .object({ '@type': z.literal('msg.dataDecryptedText'), text: z.string() })
      .meta({ id: 'MessageDataDecryptedText' }),
    z
      .object({ '@type': z.literal('msg.dataEncryptedText'), text: z.string() })
      .meta({ id: 'MessageDataEncryptedText' }),
  ])
  .meta({ id: 'MessageData', description: '`text` is base64 of the bytes of a comment.' })

const amounts = {
  value: Digits,
  extra_currencies: z.array(MessageCurrency),
  fwd_fee: Digits,
  ihr_fee: Digits,
  created_lt: Digits,
  body_hash: Base64Hash,
  msg_data: MessageData,
}

export const Message = z
  .object({
    '@type': z.literal('ext.message'),
    hash: Base64Hash,
    source: z.string(),
    destination: z.string(),
    ...amounts,
    message: z.string().optional(),
  })
  .meta({ id: 'ExtMessage', description: '`message`: the comment, or the bits of a body that is none in base64.' })

export const MessageStd = z
  .object({
    '@type': z.literal('raw.message'),
    hash: Base64Hash,
    source: TonlibAddress,
    destination: TonlibAddress,
    ...amounts,
  })
  .meta({ id: 'RawMessage' })

const facts = {
  utime: z.int(),
  data: BocText,
  transaction_id: TransactionId,
  fee: Digits,
  storage_fee: Digits,
  other_fee: Digits,
}

const messagesStd = { in_msg: MessageStd.optional(), out_msgs: z.array(MessageStd) }

export const Transaction = z
  .object({
    '@type': z.literal('ext.transaction'),
    address: TonlibAddress,
    account: z.string(),
    ...facts,
    in_msg: Message.optional(),
    out_msgs: z.array(Message),
  })
  .meta({ id: 'ExtTransaction' })

export const TransactionStd = z
  .object({ '@type': z.literal('raw.transaction'), address: TonlibAddress, ...facts, ...messagesStd })
  .meta({ id: 'RawTransaction' })

export const BlockTransaction = z
  .object({
    '@type': z.literal('raw.transactionExt'),
    address: TonlibAddress,
    account: z.string(),
    ...facts,
    ...messagesStd,
  })
  .meta({ id: 'RawTransactionExt' })

export const ShortTransactionId = z
  .object({
    '@type': z.literal('blocks.shortTxId'),
    mode: z.int(),
    account: z.string(),
    lt: Digits,
    hash: Base64Hash,
  })
  .meta({ id: 'ShortTransactionId' })
