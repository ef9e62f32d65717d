// Items as cards: with the picture the service has, else with initials. A page calls no other host.

import { useState } from 'preact/hooks'
import { itemsOf, itemsOfCollection } from '../../../shared/explorer/accountQueries.ts'
import { PICTURES } from '../../../shared/explorer/boot.ts'
import type { Api } from '../../index.ts'
import { foreignText, tokenOf } from '../accountNames.ts'
import { boot } from '../pageBoot.ts'
import { Address } from '../parts/Address.tsx'
import { Empty } from '../parts/Empty.tsx'
import { PageEnd } from '../parts/PageEnd.tsx'
import { Rows } from '../parts/Rows.tsx'
import { usePages } from '../parts/usePages.ts'
import { href } from '../router.ts'
import type { PartProps } from './partProps.ts'

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()

interface PictureProps {
  readonly account: string
  readonly name: string
  /** Called once when the picture cannot be loaded. */
  readonly onGone: () => void
}

function Picture({ account, name, onGone }: PictureProps) {
  const [isGone, setGone] = useState(!(boot.pictures && tokenOf(account)?.image))
  const goes = (): void => {
    setGone(true)
    onGone()
  }
  if (isGone)
    return (
      <span class="initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
    )
  // The name is next to it: readers of the screen need it once.
  return <img class="picture" src={href(`${PICTURES}/${account}`)} alt="" loading="lazy" onError={goes} />
}

interface ItemsProps {
  readonly query: (cursor?: string) => ReturnType<typeof itemsOf>
  readonly stamp: string
  /** The page is that of their collection. */
  readonly isOwn?: boolean
  /** Text for an empty list. */
  readonly none: string
}

export const Nfts = ({ raw, stamp }: PartProps) => (
  <Items query={(cursor) => itemsOf(raw, cursor)} stamp={stamp} none="This account owns no NFTs." />
)

export const ItemsOfCollection = ({ raw, stamp }: PartProps) => (
  <Items query={(cursor) => itemsOfCollection(raw, cursor)} stamp={stamp} none="This collection has no items." isOwn />
)

type NftItem = Api['v3.nft.items']['result']['nft_items'][number]

interface ItemProps {
  readonly item: NftItem
  readonly isOwn: boolean
  readonly onGone: () => void
}

function Item({ item, isOwn, onGone }: ItemProps) {
  const { address, index, collection_address: collection, on_sale: onSale, content } = item
  const domain = content && typeof content.domain === 'string' ? content.domain : null
  const name = foreignText(domain ?? tokenOf(address)?.name ?? '') || `#${foreignText(index, 12)}`
  return (
    <li class="card item">
      <Picture account={address} name={name} onGone={onGone} />
      <strong>{name}</strong>
      <Address of={address} full />
      {collection && !isOwn && (
        <span class="quiet">
          of <Address of={collection} />
        </span>
      )}
      {onSale && <span class="badge warn">on sale</span>}
    </li>
  )
}

function Items({ query, stamp, none, isOwn = false }: ItemsProps) {
  const pages = usePages(
    query,
    ({ nft_items: rows, cursor }) => ({ rows, cursor }),
    ({ address }) => address,
    stamp,
  )
  const [gone, setGone] = useState(0)
  const onGone = () => setGone((count) => count + 1)
  if (pages.count === 0) return <Empty title={none} />
  return (
    <>
      <ul class="grid">
        <Rows of={pages} each={(item) => <Item key={item.address} item={item} isOwn={isOwn} onGone={onGone} />} />
      </ul>
      {gone > 0 && (
        <p class="quiet" role="status">
          {gone === 1 ? 'One picture' : `${gone} pictures`} cannot be had now: the initials stand for{' '}
          {gone === 1 ? 'it' : 'them'}.
        </p>
      )}
      <PageEnd pages={pages} word="more" />
    </>
  )
}
