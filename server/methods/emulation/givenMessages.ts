// Messages that a caller gives, to be emulated.

import { ApiError } from '../../../shared/errors.ts'
import { type Cell, CellError, openCell, stdAddress } from '../../cell/index.ts'
import { fromCell, loadMessage, loadRelaxedMessage, storeMessage, toCell } from '../../tlb/index.ts'
import type { GivenMessage } from './emulationRequest.ts'
import { requestCell } from './requestCell.ts'

const NO_ADDRESS = stdAddress(0, new Uint8Array(32))

/** A message as the chain has it: one made by a contract has no sender yet. */
function deliverable(cell: Cell): Cell {
  const { info, ...rest } = fromCell(cell, loadRelaxedMessage)
  if (info.kind !== 'internal' || (info.src !== null && info.src.kind !== 'external')) return cell
  return toCell({ info: { ...info, src: NO_ADDRESS }, ...rest }, storeMessage)
}

function givenMessage(boc: Uint8Array): GivenMessage {
  const given = requestCell(boc, 'invalid boc')
  try {
    const isFromOutside = openCell(given).loadUint(2) === 2
    const cell = isFromOutside ? given : deliverable(given)
    const { info } = fromCell(cell, loadMessage)
    if (info.kind !== 'externalOut') return { cell, hash: given.hashBytes() }
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('notEmulated', `Can't deserialize message boc: ${cause.message}`, {}, { cause })
  }
  throw new ApiError('notEmulated', "Can't deserialize message boc: the message leaves the chain")
}

/** One bag of cells, or several. Throws ApiError for both at once, none, and what is no message to a contract. */
export function givenMessages({
  boc,
  messages,
}: {
  readonly boc?: Uint8Array | undefined
  readonly messages?: readonly Uint8Array[] | undefined
}): readonly GivenMessage[] {
  if (boc !== undefined && messages !== undefined) throw new ApiError('invalidParams', 'either boc or messages')
  const all = messages ?? (boc === undefined ? [] : [boc])
  if (all.length === 0) throw new ApiError('invalidParams', 'boc is required', { param: 'boc' })
  return all.map(givenMessage)
}
