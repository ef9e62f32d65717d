// A get-method at a block of the masterchain, with arguments and results as a bag of cells and, for readers without one, taken apart.

import { ApiError } from '../../../shared/errors.ts'
import type { TvmStackEntry } from '../../../shared/v2/stack.ts'
import { base64Of, CellError, readingBoc, writingBoc } from '../../cell/index.ts'
import { ContractError, readStack, type StackValue, writeStack } from '../../contracts/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import { typedArguments } from '../stack/stackArguments.ts'
import { type WrittenBags, writtenBag } from '../stack/writtenBags.ts'
import { bagsOfStack, toTypedStack } from '../view/stack.ts'
import { type AskV2, MASTERCHAIN_OF_V2, toBlockOfV4 } from './askV2.ts'

const UNPASSED = 'a builder, a continuation or NaN'

/** Whether v2, which runs the methods, has no form for a value. */
const hasNoForm = (value: StackValue): boolean =>
  value.kind === 'tuple' ? value.items.some(hasNoForm) : value.kind === 'builder' || value.kind === 'unsupported'

/** Arguments of a get-method as the client serializes them. Throws ApiError. */
async function readArguments(text: string, slicing: Slicing): Promise<readonly StackValue[]> {
  if (text === '') return []
  try {
    const values = readStack(await inPieces(readingBoc(Buffer.from(text, 'base64url')), slicing))
    if (values.some(hasNoForm))
      throw new ApiError('invalidParams', `${UNPASSED} cannot be passed here: pass a cell or a number`)
    return values
  } catch (cause) {
    if (!(cause instanceof CellError) && !(cause instanceof ContractError)) throw cause
    throw new ApiError('invalidParams', `the arguments are not a stack: ${cause.message}`, {}, { cause })
  }
}

function isUnsupported(entry: TvmStackEntry): boolean {
  if (entry['@type'] === 'tvm.stackEntryTuple') return entry.tuple.elements.some(isUnsupported)
  if (entry['@type'] === 'tvm.stackEntryList') return entry.list.elements.some(isUnsupported)
  return entry['@type'] === 'tvm.stackEntryUnsupported'
}

/** Throws ApiError. */
async function readResults(stack: readonly TvmStackEntry[], slicing: Slicing): Promise<readonly StackValue[]> {
  if (stack.some(isUnsupported)) throw new ApiError('unsupportedResult', `the method returned ${UNPASSED}`)
  return await typedArguments(stack, slicing)
}

type ShownValue =
  | { readonly type: 'null' | 'nan' }
  | { readonly type: 'int'; readonly value: string }
  | { readonly type: 'cell' | 'slice' | 'builder'; readonly cell: string }
  | { readonly type: 'tuple'; readonly items: readonly ShownValue[] }

function shown(value: StackValue, bags: WrittenBags): ShownValue {
  switch (value.kind) {
    case 'null':
      return { type: 'null' }
    case 'int':
      return { type: 'int', value: String(value.value) }
    case 'tuple':
      return { type: 'tuple', items: value.items.map((item) => shown(item, bags)) }
    case 'unsupported':
      return { type: 'nan' }
    default:
      return { type: value.kind, cell: base64Of(writtenBag(value.cell, bags)) }
  }
}

async function shownStack(values: readonly StackValue[], slicing: Slicing): Promise<readonly ShownValue[]> {
  const bags = await bagsOfStack(values, slicing)
  return values.map((value) => shown(value, bags))
}

export interface RunWanted {
  readonly seqno: number
  readonly address: string
  readonly name: string
  /** A bag of cells in base64 of either alphabet; empty for none. */
  readonly args: string
}

export async function runAt({ seqno, address, name, args }: RunWanted, ask: AskV2, slicing: Slicing) {
  const method = /^\d{1,9}$/.test(name) ? Number(name) : name
  const given = { address, seqno }
  const values = await readArguments(args, slicing)
  const typed = await toTypedStack(values, slicing)
  const { exit_code: exitCode, stack } = await ask('runGetMethodStd', { ...given, method, stack: typed })
  const found = await ask('getAddressInformation', given)
  const { shard, workchain } = MASTERCHAIN_OF_V2
  const block = toBlockOfV4(await ask('lookupBlock', { workchain, shard, seqno }))
  const results = exitCode === 0 || exitCode === 1 ? await readResults(stack, slicing) : null
  return {
    arguments: await shownStack(values, slicing),
    result: results === null ? null : await shownStack(results, slicing),
    exitCode,
    resultRaw: results === null ? null : base64Of(await inPieces(writingBoc(writeStack(results)), slicing)),
    block,
    shardBlock: toBlockOfV4(found.block_id),
  }
}
