// Items as cards with initials: pictures lie on other hosts, which a page never calls.

import { itemsOf, itemsOfCollection } from '../../../shared/explorer/queries.ts'
import { foreignText, tokenOf } from '../names.ts'
import { Address } from '../parts/Address.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { useReplies } from '../useReplies.ts'
import type { PartProps } from './parts.ts'

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()

interface ItemsProps {
  readonly query: ReturnType<typeof itemsOf>
  readonly stamp: string
  /** Shown when there are none. */
  readonly none: string
}

export const Nfts = ({ raw, stamp }: PartProps) => (
  <Items query={itemsOf(raw)} stamp={stamp} none="This account owns no NFTs." />
)

export const ItemsOfCollection = ({ raw, stamp }: PartProps) => (
  <Items query={itemsOfCollection(raw)} stamp={stamp} none="This collection has no items." />
)

function Items({ query, stamp, none }: ItemsProps) {
  const { data, error, reload } = useReplies([query], { stamp })
  if (error !== null && data === null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const items = data[0].nft_items
  if (items.length === 0) return <Empty title={none} />
  return (
    <ul class="grid">
      {items.map(({ address, index, collection_address: collection, on_sale: onSale, content }) => {
        const domain = content && typeof content.domain === 'string' ? content.domain : null
        const name = foreignText(domain ?? tokenOf(address)?.name ?? `#${index}`)
        return (
          <li key={address} class="card item">
            <span class="initials" aria-hidden="true">
              {initialsOf(name)}
            </span>
            <strong>{name}</strong>
            <Address of={address} full />
            {collection && (
              <span class="quiet">
                of <Address of={collection} />
              </span>
            )}
            {onSale && <span class="badge warn">on sale</span>}
          </li>
        )
      })}
    </ul>
  )
}
