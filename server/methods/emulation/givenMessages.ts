// Messages that a caller gives, to be emulated.

import { ApiError } from '../../../shared/errors.ts'
import { type Cell, CellError, openCell, stdAddress } from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import { fromCell, type InternalInfo, loadMessage, loadRelaxedMessage, storeMessage, toCell } from '../../tlb/index.ts'
import { requireOrdinaryBody } from '../tvm/ordinaryBody.ts'
import { type GivenMessage, MOST_LT } from './emulationRequest.ts'
import { requestCell } from './requestCell.ts'

const NO_ADDRESS = stdAddress(0, new Uint8Array(32))

/** A message as the chain has it: one made by a contract has no sender yet. */
function deliverable(cell: Cell): Cell {
  const { info, ...rest } = fromCell(cell, loadRelaxedMessage)
  if (info.kind !== 'internal' || (info.src !== null && info.src.kind !== 'external')) return cell
  return toCell({ info: { ...info, src: NO_ADDRESS }, ...rest }, storeMessage)
}

/** The TVM crashes when it adds up larger amounts. */
const MOST_NANOTONS = 2n ** 100n - 1n
const MOST_OF_CURRENCY = 2n ** 240n - 1n
/** The chain lets a message carry two. The bound is for cells that claim billions by sharing subtrees. */
const MOST_CURRENCIES = 256

function requirePossible({ value, extraFlags, fwdFee, createdLt }: InternalInfo): void {
  if (value.other.count(MOST_CURRENCIES) > MOST_CURRENCIES)
    throw new ApiError('notEmulated', `the message has more than ${MOST_CURRENCIES} extra currencies`)
  const nanotons = [value.grams, extraFlags, fwdFee]
  if (
    nanotons.some((amount) => amount > MOST_NANOTONS) ||
    [...value.other.values()].some((one) => one > MOST_OF_CURRENCY)
  )
    throw new ApiError('notEmulated', 'the message has an amount that no account can hold')
  if (createdLt > MOST_LT) throw new ApiError('notEmulated', `the message is of a logical time over ${MOST_LT}`)
}

async function givenMessage(boc: Uint8Array, slicing: Slicing): Promise<GivenMessage> {
  const given = await requestCell(boc, 'invalid boc', slicing)
  try {
    const isFromOutside = openCell(given).loadUint(2) === 2
    const cell = isFromOutside ? given : deliverable(given)
    const { info, body } = fromCell(cell, loadMessage)
    requireOrdinaryBody(body, 'notEmulated')
    if (info.kind === 'internal') requirePossible(info)
    if (info.kind !== 'externalOut') return { cell, hash: given.hashBytes() }
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('notEmulated', `Can't deserialize message boc: ${cause.message}`, {}, { cause })
  }
  throw new ApiError('notEmulated', "Can't deserialize message boc: the message leaves the chain")
}

interface GivenBags {
  readonly boc?: Uint8Array | undefined
  readonly messages?: readonly Uint8Array[] | undefined
}

/** One bag of cells, or several. Rejects with ApiError for both at once, none, and what is no message to a contract. */
export async function givenMessages({ boc, messages }: GivenBags, slicing: Slicing): Promise<readonly GivenMessage[]> {
  if (boc !== undefined && messages !== undefined) throw new ApiError('invalidParams', 'either boc or messages')
  const all = messages ?? (boc === undefined ? [] : [boc])
  if (all.length === 0) throw new ApiError('invalidParams', 'boc is required', { param: 'boc' })
  const given: GivenMessage[] = []
  for (const one of all) given.push(await givenMessage(one, slicing))
  return given
}
