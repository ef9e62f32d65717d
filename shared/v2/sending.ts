// Sends that answer with the names of what was sent, and what a message would cost.

import { z } from 'zod'
import { fromBase64 } from '../base64.ts'
import { method, postsV2 } from '../method.ts'
import { Address, Boc } from '../primitives.ts'
import { TRANSFER } from './messages.ts'
import { Base64Hash } from './tonlib.ts'

const group = 'messages'

const WALLET = '0:a9d768fabaa98823a00533997be583369d0ea125e71aa2d0d9cad36d9cb8d118'

const MessageHashes = z
  .object({ '@type': z.literal('raw.extMessageInfo'), hash: Base64Hash, hash_norm: Base64Hash })
  .meta({
    id: 'MessageHashes',
    description: '`hash` is that of the message as sent, `hash_norm` the one it has however it was put together.',
  })

const Fees = z
  .object({
    '@type': z.literal('fees'),
    in_fwd_fee: z.int(),
    storage_fee: z.int(),
    gas_fee: z.int(),
    fwd_fee: z.int(),
  })
  .meta({ id: 'Fees', description: 'Nanocoins.' })

/** Longest base64 of 256 KiB. */
const BOC_LENGTH = 349_532

/** A bag of cells that may be left out or empty. */
const optionalBoc = (description: string) =>
  z
    .string()
    .max(BOC_LENGTH, `bag of cells is over ${BOC_LENGTH} base64 characters`)
    .transform((text, context): Uint8Array | undefined => {
      if (text === '') return undefined
      const bytes = fromBase64(text.replaceAll(' ', '+'))
      if (bytes) return bytes
      context.addIssue('not base64 of a bag of cells')
      return z.NEVER
    })
    .meta({ format: 'boc', description })
    .optional()

const sent = {
  params: { boc: TRANSFER },
  result: {
    '@type': 'raw.extMessageInfo',
    hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
    hash_norm: 'PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0=',
  },
} as const

export const sending = {
  sendBocReturnHash: method({
    summary: 'Sends an external message and answers with the hashes it can be found by.',
    group,
    params: z.strictObject({ boc: Boc }),
    result: MessageHashes,
    rest: postsV2('sendBocReturnHash'),
    freshness: 'live',
    example: sent,
  }),

  sendBocReturnHashNoError: method({
    summary: 'The same, with a message that is refused taken for a bad request instead of a failure.',
    group,
    params: z.strictObject({ boc: Boc }),
    result: MessageHashes,
    rest: postsV2('sendBocReturnHashNoError'),
    freshness: 'live',
    example: sent,
  }),

  estimateFee: method({
    summary: 'What an external message to an account would cost it. Nothing is sent.',
    group,
    params: z.strictObject({
      address: Address,
      body: Boc,
      init_code: optionalBoc('Code the message brings to an account that is not there yet.'),
      init_data: optionalBoc('Data that goes with `init_code`.'),
      ignore_chksig: z.boolean().default(true).meta({ description: 'Every signature is taken for a good one.' }),
    }),
    result: z
      .object({ '@type': z.literal('query.fees'), source_fees: Fees, destination_fees: z.array(Fees) })
      .meta({ id: 'QueryFees' }),
    rest: postsV2('estimateFee'),
    freshness: 'live',
    example: {
      params: { address: WALLET, body: 'te6cckEBAQEAAgAAAEysuc0=' },
      result: {
        '@type': 'query.fees',
        source_fees: { '@type': 'fees', in_fwd_fee: 667200, storage_fee: 1204, gas_fee: 1197600, fwd_fee: 400000 },
        destination_fees: [],
      },
    },
  }),
}
