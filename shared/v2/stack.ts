// Values of the TVM's stack: the typed form, and the older form of pairs, in which what is inside of tuples is typed too.

import { z } from 'zod'
import { parseNumber } from '../stackNumber.ts'

/** Standard base64 of a bag of cells in an answer. */
export const BocText = z.string().meta({ description: 'Base64 of a bag of cells; empty for none.' })

const TvmCell = z.object({ '@type': z.literal('tvm.cell'), bytes: BocText }).meta({ id: 'StackCell' })
const TvmSlice = z.object({ '@type': z.literal('tvm.slice'), bytes: BocText }).meta({ id: 'StackSlice' })

const TvmNumber = z
  .object({
    '@type': z.literal('tvm.numberDecimal'),
    number: z
      .string()
      .max(90)
      .refine((text) => parseNumber(text) !== null, 'Invalid number'),
  })
  .meta({ id: 'TvmNumber', description: 'A 257-bit integer: decimal, or with 0x in front hexadecimal.' })

export interface TvmTuple {
  '@type': 'tvm.tuple'
  elements: StackEntry[]
}

export interface TvmList {
  '@type': 'tvm.list'
  elements: StackEntry[]
}

export type StackEntry =
  | { '@type': 'tvm.stackEntryNumber'; number: z.output<typeof TvmNumber> }
  | { '@type': 'tvm.stackEntryCell'; cell: z.output<typeof TvmCell> }
  | { '@type': 'tvm.stackEntrySlice'; slice: z.output<typeof TvmSlice> }
  | { '@type': 'tvm.stackEntryTuple'; tuple: TvmTuple }
  | { '@type': 'tvm.stackEntryList'; list: TvmList }
  | { '@type': 'tvm.stackEntryUnsupported' }

const elements = z.array(z.lazy((): z.ZodType<StackEntry, StackEntry> => StackEntry))

const TvmTuple: z.ZodType<TvmTuple, TvmTuple> = z
  .object({ '@type': z.literal('tvm.tuple'), elements })
  .meta({ id: 'TvmTuple' })

const TvmList: z.ZodType<TvmList, TvmList> = z
  .object({ '@type': z.literal('tvm.list'), elements })
  .meta({ id: 'TvmList', description: 'A lisp-style list; without elements it is null.' })

export const StackEntry: z.ZodType<StackEntry, StackEntry> = z
  .discriminatedUnion('@type', [
    z.object({ '@type': z.literal('tvm.stackEntryNumber'), number: TvmNumber }).meta({ id: 'StackEntryNumber' }),
    z.object({ '@type': z.literal('tvm.stackEntryCell'), cell: TvmCell }).meta({ id: 'StackEntryCell' }),
    z.object({ '@type': z.literal('tvm.stackEntrySlice'), slice: TvmSlice }).meta({ id: 'StackEntrySlice' }),
    z.object({ '@type': z.literal('tvm.stackEntryTuple'), tuple: TvmTuple }).meta({ id: 'StackEntryTuple' }),
    z.object({ '@type': z.literal('tvm.stackEntryList'), list: TvmList }).meta({ id: 'StackEntryList' }),
    z.object({ '@type': z.literal('tvm.stackEntryUnsupported') }).meta({ id: 'StackEntryUnsupported' }),
  ])
  .meta({ id: 'StackEntry' })

export interface CellTree {
  data: { b64: string; len: number }
  refs: CellTree[]
  special: boolean
}

const CellTree: z.ZodType<CellTree, CellTree> = z
  .object({
    data: z.object({ b64: z.string(), len: z.int() }).meta({ id: 'CellBits' }),
    refs: z.array(z.lazy((): z.ZodType<CellTree, CellTree> => CellTree)),
    special: z.boolean(),
  })
  .meta({ id: 'CellTree', description: 'A cell written out with everything below it.' })

const LegacyCell = z
  .object({ bytes: BocText, object: CellTree.optional() })
  .meta({ id: 'LegacyCell', description: '`object` is left out for large trees.' })

/** What a get-method left, in pairs. */
export const LegacyEntry = z
  .union([
    z.tuple([z.literal('num'), z.string()]),
    z.tuple([z.literal('cell'), LegacyCell]),
    z.tuple([z.literal('tuple'), TvmTuple]),
    z.tuple([z.literal('list'), TvmList]),
    z.tuple([z.literal('unsupported'), z.literal('')]),
  ])
  .meta({ id: 'LegacyStackEntry' })

/** What a get-method is given, in pairs. The values of so many types are read when they are used. */
export const LegacyArgument = z.array(z.unknown()).meta({
  id: 'LegacyStackArgument',
  description:
    'A pair: `num` and a number, decimal or 0x-hexadecimal text; `tvm.Cell` or `tvm.Slice` and base64 of a bag of ' +
    'cells; `cell` or `slice` and `{"bytes": base64}`; `tvm.Tuple` or `tvm.List` and its typed form; `null` and anything.',
})
