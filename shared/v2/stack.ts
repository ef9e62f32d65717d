// Values of the TVM's stack: the typed form, and the older form of pairs, whose tuples hold typed values.

import { z } from 'zod'
import { listUntilWrong } from '../listUntilWrong.ts'
import { parseNumber } from '../stackNumber.ts'

export const BocText = z.string().meta({ description: 'A bag of cells (BoC) in base64; empty when absent.' })

const bytes = BocText.describe('Base64 of a bag of cells.')

const TvmCell = z.object({ '@type': z.literal('tvm.cell'), bytes }).meta({ id: 'StackCell', description: 'A cell.' })
const TvmSlice = z
  .object({ '@type': z.literal('tvm.slice'), bytes })
  .meta({ id: 'StackSlice', description: 'A slice, as a cell of what is left of it.' })

const TvmNumber = z
  .object({
    '@type': z.literal('tvm.numberDecimal'),
    number: z
      .string()
      .max(90)
      .refine((text) => parseNumber(text) !== null, 'Invalid number')
      .describe('Decimal, or hexadecimal after 0x.'),
  })
  .meta({ id: 'TvmNumber', description: 'A 257-bit integer.' })

export interface TvmTuple {
  '@type': 'tvm.tuple'
  elements: TvmStackEntry[]
}

export interface TvmList {
  '@type': 'tvm.list'
  elements: TvmStackEntry[]
}

export type TvmStackEntry =
  | { '@type': 'tvm.stackEntryNumber'; number: z.output<typeof TvmNumber> }
  | { '@type': 'tvm.stackEntryCell'; cell: z.output<typeof TvmCell> }
  | { '@type': 'tvm.stackEntrySlice'; slice: z.output<typeof TvmSlice> }
  | { '@type': 'tvm.stackEntryTuple'; tuple: TvmTuple }
  | { '@type': 'tvm.stackEntryList'; list: TvmList }
  | { '@type': 'tvm.stackEntryUnsupported' }

// What recursive shapes share, or copies of them, would become components without a name.
const elements = (description: string) =>
  listUntilWrong(z.lazy((): z.ZodType<TvmStackEntry, TvmStackEntry> => TvmStackEntry)).describe(description)

const TvmTuple: z.ZodType<TvmTuple, TvmTuple> = z
  .object({ '@type': z.literal('tvm.tuple'), elements: elements('Values in order.') })
  .meta({ id: 'TvmTuple', description: 'A tuple.' })

const TvmList: z.ZodType<TvmList, TvmList> = z
  .object({ '@type': z.literal('tvm.list'), elements: elements('Values in order; no values are null.') })
  .meta({ id: 'TvmList', description: 'A list of pairs as Lisp has them; without elements it is null.' })

export const TvmStackEntry: z.ZodType<TvmStackEntry, TvmStackEntry> = z
  .discriminatedUnion('@type', [
    z
      .object({ '@type': z.literal('tvm.stackEntryNumber'), number: TvmNumber.describe('The integer.') })
      .meta({ id: 'StackEntryNumber' }),
    z
      .object({ '@type': z.literal('tvm.stackEntryCell'), cell: TvmCell.describe('The cell.') })
      .meta({ id: 'StackEntryCell' }),
    z
      .object({ '@type': z.literal('tvm.stackEntrySlice'), slice: TvmSlice.describe('The slice.') })
      .meta({ id: 'StackEntrySlice' }),
    z
      .object({ '@type': z.literal('tvm.stackEntryTuple'), tuple: z.lazy(() => TvmTuple).describe('The tuple.') })
      .meta({ id: 'StackEntryTuple' }),
    z
      .object({ '@type': z.literal('tvm.stackEntryList'), list: z.lazy(() => TvmList).describe('The list, or null.') })
      .meta({ id: 'StackEntryList' }),
    z.object({ '@type': z.literal('tvm.stackEntryUnsupported') }).meta({
      id: 'StackEntryUnsupported',
      description: 'A value without a JSON form, such as a continuation.',
    }),
  ])
  .meta({ id: 'StackEntry', description: 'A value of the stack with its type.' })

export interface CellTree {
  data: { b64: string; len: number }
  refs: CellTree[]
  special: boolean
}

const CellTree: z.ZodType<CellTree, CellTree> = z
  .object({
    data: z
      .object({
        b64: z.string().describe('Base64 of the bits, padded to whole bytes.'),
        len: z.int().describe('Number of bits.'),
      })
      .meta({ id: 'CellBits', description: 'Bits of a cell.' })
      .describe('Bits of this cell.'),
    refs: z.array(z.lazy((): z.ZodType<CellTree, CellTree> => CellTree)).describe('Cells below it, up to four.'),
    special: z.boolean().describe('Whether the cell is exotic: pruned, a library or a proof.'),
  })
  .meta({ id: 'CellTree', description: 'A cell with everything below it.' })

const LegacyCell = z
  .object({ bytes, object: CellTree.optional().describe('The same as a tree; absent for large trees.') })
  .meta({ id: 'LegacyCell', description: 'A cell of the stack.' })

/** A result of a get-method as a pair. */
export const LegacyEntry = z
  .union([
    z.tuple([z.literal('num'), z.string()]),
    z.tuple([z.literal('cell'), LegacyCell]),
    z.tuple([z.literal('tuple'), TvmTuple]),
    z.tuple([z.literal('list'), TvmList]),
    z.tuple([z.literal('unsupported'), z.literal('')]),
  ])
  .meta({
    id: 'LegacyStackEntry',
    description: 'A pair of type and value; `num` has hexadecimal text after 0x, slices come as `cell`.',
  })

/** An argument of a get-method as a pair. Values are parsed when the method is run. */
export const LegacyArgument = z.array(z.unknown()).meta({
  id: 'LegacyStackArgument',
  description:
    'A pair: `num` and a number, decimal or 0x-hexadecimal text; `tvm.Cell` or `tvm.Slice` and base64 of a bag of ' +
    'cells; `cell` or `slice` and `{"bytes": base64}`; `tvm.Tuple` or `tvm.List` and its typed form; `null` and anything.',
})
