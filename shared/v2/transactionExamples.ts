// One transaction in all the forms v2 has for it: a wallet receives 0.5 TON with a comment and sends on part of it.

import type { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { transactionIdExample } from './tonlib.ts'
import type {
  BlockTransaction,
  ExtMessage,
  ExtTransaction,
  MessageStd,
  ShortTransactionId,
  TransactionStd,
} from './transaction.ts'

const WALLET = exampleValues.OTHER_BOUNCEABLE
const OTHER = 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2'
const RAW = exampleValues.OTHER

const facts = {
  utime: 1755510000,
  data: exampleValues.CELL,
  transaction_id: transactionIdExample,
  fee: '3078009',
  storage_fee: '9',
  other_fee: '3078000',
} as const

const received = {
  hash: 'o5ZFWjAY3g2/lvMTsld8XG7b/aMGZmFaGmgHKb+7hKo=',
  value: '500000000',
  extra_currencies: [],
  fwd_fee: '266669',
  ihr_fee: '0',
  created_lt: '47670702000007',
  body_hash: 'm7VKQK82/1joZcbMoL8744lwVMliy0pUw7YJYssqMEE=',
  msg_data: { '@type': 'msg.dataText', text: 'SGVsbG8=' },
} as const

const sent = {
  hash: 'GKw+c0PwFokMUQ6T+TUmEWnZ4/VlQ2Qpgw+vCTT0+OQ=',
  value: '120000000',
  extra_currencies: [],
  fwd_fee: '266669',
  ihr_fee: '0',
  created_lt: '47670702000010',
  body_hash: 'Qa0w2xg42wA9taurO/aCVOqGTzjOeP3EpzD2Sl7tTss=',
  msg_data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEADgAAGNUydtsAAAAAAAAAAfRC8y4=', init_state: '' },
} as const

const address = (text: string) => ({ '@type': 'accountAddress', account_address: text }) as const

const legacyMessage = (
  { extra_currencies, ...message }: typeof received | typeof sent,
  [source, destination]: readonly [string, string],
  text: string,
): z.input<typeof ExtMessage> => ({
  '@type': 'ext.message',
  source,
  destination,
  ...message,
  extra_currencies: [...extra_currencies],
  message: text,
})

const stdMessage = (
  { extra_currencies, ...message }: typeof received | typeof sent,
  [source, destination]: readonly [string, string],
): z.input<typeof MessageStd> => ({
  '@type': 'raw.message',
  source: address(source),
  destination: address(destination),
  ...message,
  extra_currencies: [...extra_currencies],
})

const legacy: z.input<typeof ExtTransaction> = {
  '@type': 'ext.transaction',
  address: address(WALLET),
  account: RAW,
  ...facts,
  in_msg: legacyMessage(received, [OTHER, WALLET], 'Hello'),
  out_msgs: [legacyMessage(sent, [WALLET, OTHER], '1TJ22wAAAAAAAAAB\n')],
}

const messagesStd = {
  in_msg: stdMessage(received, [OTHER, WALLET]),
  out_msgs: [stdMessage(sent, [WALLET, OTHER])],
}

const std: z.input<typeof TransactionStd> = {
  '@type': 'raw.transaction',
  address: address(WALLET),
  ...facts,
  ...messagesStd,
}

const inBlock: z.input<typeof BlockTransaction> = {
  '@type': 'raw.transactionExt',
  address: address(WALLET),
  account: RAW,
  ...facts,
  ...messagesStd,
}

const short: z.input<typeof ShortTransactionId> = {
  '@type': 'blocks.shortTxId',
  mode: 135,
  account: exampleValues.ELECTOR,
  lt: '53160001000003',
  hash: 'JS8QyDYQ68oaBZwLroJV66L5W+TR17z6idckioLZ8RE=',
}

export const transactionExamples = { legacy, std, inBlock, short }
