// Collections and items (TEP-62). Only a collection knows its items, and what is said of all of them.

import type { Cell, StdAddress } from '../../cell/index.ts'
import type { TokenContent } from '../../tlb/index.ts'
import type { Contracts } from '../contracts.ts'
import { addressAt, cellAt, intAt } from '../stack/results.ts'
import { intValue } from '../stack/stackValue.ts'
import { contentOf } from './content.ts'
import { type ContractKind, gives } from './kind.ts'

export interface NftCollectionData {
  readonly kind: 'nftCollection'
  readonly nextIndex: bigint
  readonly owner: StdAddress | null
  readonly content: TokenContent
}

/** An item without its content, a part of which the collection has. */
export interface BareItem {
  readonly isInit: boolean
  readonly index: bigint
  readonly collection: StdAddress | null
  readonly owner: StdAddress | null
  readonly individual: Cell
}

export const nftCollectionKind: ContractKind<NftCollectionData> = {
  methods: ['get_collection_data'],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_collection_data')
    if (stack === null) return null
    const nextIndex = intAt(stack, 0)
    const owner = addressAt(stack, 2)
    const content = await contentOf(cellAt(stack, 1))
    if (nextIndex === undefined || content === null || owner === undefined) return null
    return { kind: 'nftCollection', nextIndex, owner, content }
  },
}

export const nftItemKind: ContractKind<BareItem> = {
  methods: ['get_nft_data'],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_nft_data')
    if (stack === null) return null
    const init = intAt(stack, 0)
    const index = intAt(stack, 1)
    const collection = addressAt(stack, 2)
    const owner = addressAt(stack, 3)
    const individual = cellAt(stack, 4)
    if (init === undefined || index === undefined || collection === undefined || owner === undefined) return null
    if (individual === undefined) return null
    if (collection !== null) {
      const known = await contracts.results(collection, 'get_nft_address_by_index', [intValue(index)])
      if (!gives(known, id)) return null
    }
    return { isInit: init !== 0n, index, collection, owner, individual }
  },
}

/** Null when there is none that can be read. */
export async function itemContent(
  contracts: Contracts,
  { collection, index, individual }: BareItem,
): Promise<TokenContent | null> {
  if (collection === null) return await contentOf(individual)
  const args = [intValue(index), { kind: 'cell', cell: individual } as const]
  const whole = await contracts.results(collection, 'get_nft_content', args)
  return whole && (await contentOf(cellAt(whole, 0)))
}
