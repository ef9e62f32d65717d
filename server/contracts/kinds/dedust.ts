// Pools of DeDust: the two assets that one exchanges. The factory of version 1 confirms its pools; version 2 has no such check.

import {
  type Cell,
  CellError,
  hashFromHex,
  loadAddress,
  openCell,
  orNull,
  type Slice,
  type StdAddress,
  stdAddress,
} from '../../cell/index.ts'
import { addressAt, cellAt, intAt, type Results, sliceAt } from '../stack/results.ts'
import { intValue, type StackValue } from '../stack/stackValue.ts'
import { type ContractKind, gives } from './kind.ts'

export interface DedustPool {
  /** Masters of jettons; null is TON. */
  readonly assets: readonly [StdAddress | null, StdAddress | null]
}

const FACTORY = stdAddress(0, Buffer.from('5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800', 'hex'))

const NATIVE = 0
const JETTON = 1

function readAsset(slice: Slice): StdAddress | null {
  const kind = slice.loadUint(4)
  if (kind === NATIVE) return null
  if (kind !== JETTON) throw new CellError('value', `asset of kind ${kind}`)
  const workchain = slice.loadInt(8)
  return stdAddress(workchain, slice.loadBytes(32))
}

/** An asset at a place of the stack, and the same as an argument. */
function assetAt(stack: Results, at: number): { asset: StdAddress | null; value: StackValue } | null {
  const cell: Cell | undefined = sliceAt(stack, at)
  if (cell === undefined) return null
  return orNull(() => ({ asset: readAsset(openCell(cell)), value: { kind: 'slice', cell } as const }))
}

export const dedustPoolKind: ContractKind<DedustPool> = {
  methods: ['get_assets'],
  codes: [
    '1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1',
    '778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3',
    'c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562',
  ].map(hashFromHex),
  async read(contracts, id) {
    const stack = await contracts.resultsIfAny(id, 'get_assets')
    if (stack === null) return null
    const one = assetAt(stack, 0)
    const other = assetAt(stack, 1)
    const kept = await contracts.resultsIfAny(id, 'is_stable')
    const isStable = kept === null ? undefined : intAt(kept, 0)
    if (one === null || other === null || isStable === undefined) return null
    const args = [intValue(isStable), one.value, other.value]
    if (!gives(await contracts.results(FACTORY, 'get_pool_address', args), id)) return null
    return { assets: [one.asset, other.asset] }
  },
}

/** Indexes in the result of `get_pool_data` of version 2: integers, the two assets, cells. */
const V2_INTS = [0, 1, 2, 8, 9, 10]
const V2_ASSETS = [3, 4] as const
const V2_CELLS = [5, 6]

const isAddress = (cell: Cell | undefined): boolean =>
  cell !== undefined &&
  orNull(() => {
    const slice = openCell(cell)
    loadAddress(slice)
    return slice.isEmpty
  }) === true

/** An asset is the address of a jetton master; addr_none is TON. */
export const dedustPoolV2Kind: ContractKind<DedustPool> = {
  methods: ['get_pool_data'],
  codes: [
    '3997a5c1ee8923e93cf3a6a98ea3ef9482c64dd8aea2ba8365689e14d99c760d',
    '5851780d2386e989b9ab956da7cec5c69a667b9e525f628dcba5eb02c1ee0367',
  ].map(hashFromHex),
  async read(contracts, id) {
    const stack = await contracts.resultsIfAny(id, 'get_pool_data')
    if (stack === null) return null
    const isPool =
      V2_INTS.every((at) => intAt(stack, at) !== undefined) && V2_CELLS.every((at) => cellAt(stack, at) !== undefined)
    const [one, other] = V2_ASSETS.map((at) => (isAddress(sliceAt(stack, at)) ? addressAt(stack, at) : undefined))
    return isPool && one !== undefined && other !== undefined ? { assets: [one, other] } : null
  },
}
