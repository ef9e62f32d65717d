// Arguments of get-methods as callers write them, in pairs or typed.

import { fromBase64 } from '../../../shared/base64.ts'
import { ApiError } from '../../../shared/errors.ts'
import { isObject } from '../../../shared/isObject.ts'
import { clip } from '../../../shared/primitives.ts'
import { parseNumber } from '../../../shared/stackNumber.ts'
import { TvmStackEntry } from '../../../shared/v2/stack.ts'
import { type Cell, CellError, MAX_DEPTH, readBoc, readingBoc } from '../../cell/index.ts'
import { intValue, listValue, MOST_STACK_VALUES, NULL, type StackValue, tupleValue } from '../../contracts/index.ts'
import { inPieces, SlicedWork, type Slicing } from '../../fairness/index.ts'
import { readCellTree } from './cellTree.ts'

const refuse = (text: string): never => {
  throw new ApiError('invalidParams', text, { param: 'stack' })
}

/** An address is what is most often given as it stands. */
const CELL_ADVICE = {
  advice:
    'Give cells and slices as a bag of cells in base64: an address is beginCell().storeAddress(address).endCell().toBoc().toString("base64").',
}

const refuseCell = (text: string): never => {
  throw new ApiError('invalidParams', text, { param: 'stack', ...CELL_ADVICE })
}

/** Maximum nesting of tuples: arguments must fit into cells. */
const MOST_DEPTH = 100

/** Bags of cells that are read already, by their texts. */
type ReadBags = ReadonlyMap<string, Cell>

/** Trees of cells that are read already, by what was given; null for what is none. */
type ReadTrees = ReadonlyMap<unknown, Cell | null>

class Arguments {
  readonly #bags: ReadBags
  readonly #trees: ReadTrees
  #count = 0

  constructor(bags: ReadBags, trees: ReadTrees = new Map()) {
    this.#bags = bags
    this.#trees = trees
  }

  typed(entry: TvmStackEntry, depth = 0): StackValue {
    this.count()
    if (depth > MOST_DEPTH) return refuse(`tuples nested deeper than ${MOST_DEPTH}`)
    const all = (elements: readonly TvmStackEntry[]) => elements.map((element) => this.typed(element, depth + 1))
    switch (entry['@type']) {
      case 'tvm.stackEntryNumber':
        return numberOf(entry.number.number)
      case 'tvm.stackEntryCell':
        return { kind: 'cell', cell: this.cell(entry.cell.bytes, 'tvm.Cell') }
      case 'tvm.stackEntrySlice':
        return { kind: 'slice', cell: this.cell(entry.slice.bytes, 'tvm.Slice') }
      case 'tvm.stackEntryTuple':
        return entry.tuple.elements.length > MOST_ITEMS
          ? refuse(`a tuple of over ${MOST_ITEMS} elements`)
          : tupleValue(all(entry.tuple.elements))
      case 'tvm.stackEntryList':
        return entry.list.elements.length > LONGEST_LIST
          ? refuse(`a list of over ${LONGEST_LIST} elements`)
          : listValue(all(entry.list.elements))
      case 'tvm.stackEntryUnsupported':
        throw new ApiError('upstream', 'cannot convert an unsupported stack entry')
    }
  }

  pair(given: readonly unknown[]): StackValue {
    this.count()
    if (given.length !== 2) return refuse(`Expected 2 elements in stack entry, got: ${given.length}`)
    const [type, value] = given
    if (typeof type !== 'string') return refuse('Expected string as first element in stack entry')
    switch (type) {
      case 'num':
      case 'number':
      case 'int':
      case 'integer':
        return numberOf(value)
      case 'tvm.Cell':
      case 'cell':
        return { kind: 'cell', cell: this.pairedCell(type, value) }
      case 'tvm.Slice':
      case 'slice':
        return { kind: 'slice', cell: this.pairedCell(type, value) }
      case 'tuple':
      case 'tvm.Tuple':
        return this.nested('tvm.stackEntryTuple', 'tuple', value, type)
      case 'list':
      case 'tvm.List':
        return this.nested('tvm.stackEntryList', 'list', value, type)
      case 'null':
        return NULL
      case '':
        return refuse('Empty type of a stack entry')
      default:
        throw new ApiError('unsupportedEntry', `Unsupported stack entry type: ${clip(type)}`)
    }
  }

  nested(kind: string, field: string, value: unknown, type: string): StackValue {
    const entry = TvmStackEntry.safeParse({ '@type': kind, [field]: value })
    return entry.success ? this.typed(entry.data) : refuse(`Invalid ${type}, object with field elements expected`)
  }

  cell(base64: string, type: string): Cell {
    return this.#bags.get(base64) ?? cellOf(base64, type)
  }

  pairedCell(type: string, value: unknown): Cell {
    if (type.startsWith('tvm.'))
      return typeof value === 'string' ? this.cell(value, type) : refuseCell(`Invalid ${type}, base64 string expected`)
    if (hasBytes(value)) return this.cell(value.bytes, type)
    const meant = typeof value === 'string' ? `: base64 is of type ${type === 'cell' ? 'tvm.Cell' : 'tvm.Slice'}` : ''
    return this.#trees.get(value) ?? refuseCell(`Invalid ${type}, object with field bytes expected${meant}`)
  }

  count(): void {
    if (++this.#count > MOST_STACK_VALUES) refuse(`more than ${MOST_STACK_VALUES} entries`)
  }
}

const hasBytes = (value: unknown): value is { readonly bytes: string } =>
  isObject(value) && typeof value.bytes === 'string'

/** Elements of one tuple, by the TVM. */
const MOST_ITEMS = 255
/** A list is nested pairs, and cells may be nested 1024 deep. */
const LONGEST_LIST = 1024

function numberOf(value: unknown): StackValue {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return intValue(BigInt(value))
  if (typeof value === 'bigint') return numberOf(String(value))
  if (typeof value !== 'string') return refuse('Wrong type of number in stack entry')
  const number = parseNumber(value)
  return number === null ? refuse(`Invalid number: ${clip(value)}`) : intValue(number)
}

function cellOf(base64: string, type: string): Cell {
  if (base64 === '') return refuse(`Empty ${type}`)
  const bytes = fromBase64(base64) ?? refuseCell(`Invalid ${type}, base64 string expected`)
  try {
    return readBoc(bytes, { maxDepth: MAX_DEPTH })
  } catch (cause) {
    throw new ApiError('upstream', 'INVALID_BAG_OF_CELLS: stack', CELL_ADVICE, { cause })
  }
}

/** Characters of bags that are read when their entries are. */
const SHORT_TEXTS = 8192
/** Numbers and names have no more, and a bag of so few is read at once. */
const SHORTEST = 100

/** Texts anywhere in a value that may be bags; its depth is bounded where JSON is parsed. */
function* bagTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.length > SHORTEST) yield value
  } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* bagTexts(one)
}

/** Those of an argument that has many or large ones, read in slices; what cannot be read is left to where it is reported. */
async function largeBags(given: unknown, slicing: Slicing): Promise<ReadBags> {
  const bags = new Map<string, Cell>()
  const texts = new Set(bagTexts(given))
  if ([...texts].reduce((sum, { length }) => sum + length, 0) <= SHORT_TEXTS) return bags
  const slices = new SlicedWork(slicing)
  for (const text of texts) {
    if (slices.isDue) await slices.rest()
    const bytes = fromBase64(text)
    if (bytes === null) continue
    try {
      bags.set(text, await inPieces(readingBoc(bytes, { maxDepth: MAX_DEPTH }), slices))
    } catch (error) {
      if (!(error instanceof CellError)) throw error
    }
  }
  return bags
}

async function treesIn(pairs: readonly (readonly unknown[])[], slicing: Slicing): Promise<ReadTrees> {
  const trees = new Map<unknown, Cell | null>()
  const slices = new SlicedWork(slicing)
  for (const [type, value] of pairs)
    if ((type === 'cell' || type === 'slice') && !hasBytes(value) && !trees.has(value))
      trees.set(value, await readCellTree(value, slices))
  return trees
}

/** The values of typed entries, bottom first. Rejects with ApiError. */
export async function typedArguments(entries: readonly TvmStackEntry[], slicing: Slicing = {}): Promise<StackValue[]> {
  const reading = new Arguments(await largeBags(entries, slicing))
  return entries.map((entry) => reading.typed(entry))
}

/** The values of pairs, bottom first. Rejects with ApiError. */
export async function pairedArguments(pairs: readonly (readonly unknown[])[], slicing: Slicing): Promise<StackValue[]> {
  const reading = new Arguments(await largeBags(pairs, slicing), await treesIn(pairs, slicing))
  return pairs.map((pair) => reading.pair(pair))
}
