// What a get-method left, as v3 writes it: each value with its type, tuples and lists with their items inside.

import { z } from 'zod'

export type PlainStackEntry =
  | { type: 'num' | 'cell' | 'slice' | 'builder'; value: string }
  | { type: 'tuple' | 'list'; value: PlainStackEntry[] }

const items = z.array(z.lazy((): z.ZodType<PlainStackEntry, PlainStackEntry> => StackResult))

/** With a name of its own: some generators of clients cannot follow a type into itself otherwise. */
const StackItems = z
  .object({
    type: z.enum(['tuple', 'list']).describe('Kind of sequence; null is an empty list.'),
    value: items.describe('Its elements in order.'),
  })
  .meta({ id: 'V2StackItems' })

export const StackResult: z.ZodType<PlainStackEntry, PlainStackEntry> = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('num').describe('A number.'),
        value: z
          .string()
          .regex(/^-?0x[0-9a-f]+$/)
          .describe('Hexadecimal with 0x.'),
      })
      .meta({ id: 'V2StackNumber' }),
    z
      .object({
        type: z
          .enum(['cell', 'slice', 'builder'])
          .describe('How the TVM held the cell; a slice outside of tuples and lists is a cell.'),
        value: z.string().describe('Base64 of a bag of cells.'),
      })
      .meta({ id: 'V2StackCell' }),
    StackItems,
  ])
  .meta({ id: 'V2StackEntity', description: 'Numbers are hexadecimal with 0x; cells are base64 BoC.' })
