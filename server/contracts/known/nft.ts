// Collections and items whose code is known.

import { beginCell, type Cell, openCell, stdAddress, storeAddress } from '../../cell/index.ts'
import { intValue, NULL } from '../stack/stackValue.ts'
import { addressOfInit, boolValue, cellValue, type KnownMethods, maybeAddress, readStdAddress } from './answer.ts'

const INDEX_BITS = 64
/** Both of the standard's forms of content begin with one of these. */
const LAST_FORM = 1

/** An item that is known by its number, and has nothing to say before its collection has. */
export const plainItem: KnownMethods = {
  get_nft_data({ data }, args) {
    if (args.length > 0) return null
    const slice = openCell(data)
    const index = intValue(slice.loadUintBig(INDEX_BITS))
    const collection = readStdAddress(slice)
    if (collection === undefined) return null
    if (slice.isEmpty) return [boolValue(false), index, maybeAddress(collection), maybeAddress(null), NULL]
    const owner = readStdAddress(slice)
    const content = slice.loadRef()
    slice.finish()
    return owner == null
      ? null
      : [boolValue(true), index, maybeAddress(collection), maybeAddress(owner), cellValue(content)]
  },
}

interface Collection {
  readonly nextIndex: bigint
  readonly owner: ReturnType<typeof readStdAddress>
  readonly own: Cell
  readonly common: Cell
  readonly itemCode: Cell
}

function readCollection(data: Cell): Collection {
  const slice = openCell(data)
  const owner = readStdAddress(slice)
  const nextIndex = slice.loadUintBig(INDEX_BITS)
  const contents = openCell(slice.loadRef())
  const itemCode = slice.loadRef()
  slice.skipRefs(1).finish()
  const own = contents.loadRef()
  const common = contents.loadRef()
  contents.finish()
  return { nextIndex, owner, own, common, itemCode }
}

/** A collection of such items. */
export const plainCollection: KnownMethods = {
  get_collection_data({ data }, args) {
    const { nextIndex, owner, own } = readCollection(data)
    if (args.length > 0 || owner === undefined) return null
    return [intValue(nextIndex), cellValue(own), maybeAddress(owner)]
  },
  get_nft_address_by_index({ workchain, hash, data }, args) {
    const { owner, itemCode } = readCollection(data)
    const [index] = args
    if (args.length !== 1 || index?.kind !== 'int' || owner === undefined) return null
    if (BigInt.asUintN(INDEX_BITS, index.value) !== index.value) return null
    const seed = beginCell().storeUint(index.value, INDEX_BITS)
    return [addressOfInit(itemCode, storeAddress(seed, stdAddress(workchain, hash)).end())]
  },
  get_nft_content({ data }, args) {
    const [, individual] = args
    if (args.length !== 2 || individual?.kind !== 'cell') return null
    const slice = openCell(individual.cell)
    if (slice.remainingBits >= 8 && slice.preloadUint(8) <= LAST_FORM) return [individual]
    const { owner, common } = readCollection(data)
    if (owner === undefined) return null
    const whole = beginCell().storeUint(1, 8).storeSlice(openCell(common)).storeRef(individual.cell)
    return [cellValue(whole.end())]
  },
}
