// Names of opcodes, and decoded message bodies.

import { z } from 'zod'
import { method } from '../method.ts'

const group = 'utils'

const MOST = 1000
/** Base64 or hex of one body. */
const BODY_LENGTH = 1 << 20

const list = (what: 'opcodes' | 'bodies', item: z.ZodString, description: string) =>
  z.array(item).max(MOST, `${what} list exceeds maximum length of ${MOST}`).default([]).meta({ description })

export const decodeV3 = {
  'v3.decode': method({
    summary: 'Names of opcodes and decoded message bodies.',
    description:
      'Computed without the chain from the schemas this service knows. Messages of v3 results are decoded already: call it for bodies from elsewhere.',
    group,
    params: z.strictObject({
      opcodes: list(
        'opcodes',
        z.string().max(32),
        'Operations: up to 32 bits of hex, with `0x` or without, or decimal.',
      ),
      bodies: list(
        'bodies',
        z.string().max(BODY_LENGTH),
        'Bags of cells as base64 (those that begin with `te6`) or hex.',
      ),
    }),
    result: z
      .object({
        opcodes: z
          .array(z.string())
          .meta({ description: 'Names in the order of the request; `unknown` for an unknown opcode.' }),
        bodies: z.array(z.record(z.string(), z.unknown())).meta({
          description:
            'Decoded bodies in the order of the request; `error` is the reason when one could not be decoded.',
        }),
      })
      .meta({ id: 'DecodeResponse' }),
    rest: [
      { verb: 'GET', path: '/api/v3/decode' },
      { verb: 'POST', path: '/api/v3/decode' },
    ],
    freshness: 'live',
    example: {
      params: { opcodes: ['0x0f8a7ea5', '0x12345678'], bodies: ['te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo'] },
      result: { opcodes: ['jetton_transfer', 'unknown'], bodies: [{ '@type': 'text_comment', text: 'Hello!' }] },
    },
  }),
}
