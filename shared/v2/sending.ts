// Sends that return hashes of what was sent, and the fees of a message.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method, postsV2 } from '../method.ts'
import { AnyAddress, Boc, OptionalBoc } from '../primitives.ts'
import { TRANSFER } from './messages.ts'
import { Base64Hash } from './tonlib.ts'

const group = 'messages'

const { WALLET } = exampleValues

const boc = Boc.describe('Signed external message, base64 BoC.')

const MessageHashes = z
  .object({
    '@type': z.literal('raw.extMessageInfo'),
    hash: Base64Hash.describe('Hash of the message as it was sent, base64.'),
    hash_norm: Base64Hash.describe(
      'Hash that does not depend on how the message was serialized, base64; look it up by this.',
    ),
  })
  .meta({
    id: 'MessageHashes',
    description: 'Hashes of an external message.',
  })

const Fees = z
  .object({
    '@type': z.literal('fees'),
    in_fwd_fee: z.int().describe('Price of importing the message, nanotons.'),
    storage_fee: z.int().describe('Storage rent that is due, nanotons.'),
    gas_fee: z.int().describe('Price of the computation, nanotons; 0 when the contract refuses the message.'),
    fwd_fee: z.int().describe('Price of forwarding the messages it sends, nanotons.'),
  })
  .meta({ id: 'Fees', description: 'Fees of one account.' })

const optionalBoc = (description: string) => OptionalBoc.meta({ format: 'boc', description }).optional()

const sent = {
  params: { boc: TRANSFER },
  result: {
    '@type': 'raw.extMessageInfo',
    hash: exampleValues.HASH,
    hash_norm: exampleValues.OTHER_HASH,
  },
} as const

export const sendingV2 = {
  sendBocReturnHash: method({
    summary: 'Sends an external message and returns its hashes.',
    description:
      'The usual way to send: keep `hash_norm` and wait for its transaction with v3.transactionsByMessage. A message the contract does not accept is an error 500; sendBocReturnHashNoError answers 400 instead.',
    group,
    params: z.strictObject({ boc }),
    result: MessageHashes,
    rest: postsV2('sendBocReturnHash'),
    freshness: 'live',
    example: sent,
  }),

  sendBocReturnHashNoError: method({
    summary: 'Like sendBocReturnHash, but answers 400 instead of 500 when the message is refused.',
    description: 'For clients and proxies that retry every 500. The text of the error is the same.',
    group,
    params: z.strictObject({ boc }),
    result: MessageHashes,
    rest: postsV2('sendBocReturnHashNoError'),
    freshness: 'live',
    example: sent,
  }),

  estimateFee: method({
    summary: 'Fees an external message would cost the account it is sent to.',
    description:
      'Runs the message in the TVM against the newest state; nothing is sent. `source_fees` only: the messages the contract sends are not followed.',
    group,
    params: z.strictObject({
      address: AnyAddress.describe('Account the message is for.'),
      body: Boc.describe('Body of the message, base64 BoC.'),
      init_code: optionalBoc('Code that deploys the account, base64 BoC; absent when it is deployed.'),
      init_data: optionalBoc('Data that goes with `init_code`, base64 BoC.'),
      ignore_chksig: z.boolean().default(true).describe('Treat every signature as valid.'),
    }),
    result: z
      .object({
        '@type': z.literal('query.fees'),
        source_fees: Fees.describe('What the account pays.'),
        destination_fees: z.array(Fees).describe('Always empty: recipients are not emulated.'),
      })
      .meta({ id: 'QueryFees', description: 'Estimated fees of a message.' }),
    rest: postsV2('estimateFee'),
    freshness: 'live',
    example: {
      params: { address: WALLET, body: exampleValues.CELL },
      result: {
        '@type': 'query.fees',
        source_fees: { '@type': 'fees', in_fwd_fee: 667200, storage_fee: 1204, gas_fee: 1197600, fwd_fee: 400000 },
        destination_fees: [],
      },
    },
  }),
}
