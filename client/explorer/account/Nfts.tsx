// Items as cards with initials: pictures lie on other hosts, which a page never calls.

import { itemsOf } from '../../../shared/explorer/queries.ts'
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

export function Nfts({ raw, stamp }: PartProps) {
  const { data, error, reload } = useReplies([itemsOf(raw)], { stamp })
  if (error !== null && data === null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const items = data[0].nft_items
  if (items.length === 0) return <Empty title="This account owns no NFTs." />
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
