// Items as cards: with the picture the service has, else with initials. A page calls no other host.

import { signal } from '@preact/signals'
import { useLayoutEffect, useState } from 'preact/hooks'
import { domainsOf, itemsOf, itemsOfCollection, saleOf, salesOf } from '../../../shared/explorer/accountQueries.ts'
import type { Api } from '../../index.ts'
import { accountPath, foreignText, itemName } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty, WhyNone } from '../parts/Empty.tsx'
import { PageEnd, PageStart } from '../parts/PageEnd.tsx'
import { Rows } from '../parts/Rows.tsx'
import { usePages } from '../parts/usePages.ts'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import type { PartProps } from './partProps.ts'
import { type ItemPrice, priceOf } from './salePrice.ts'
import { TokenPicture } from './TokenPicture.tsx'

interface ItemsProps {
  readonly query: (cursor?: string) => ReturnType<typeof itemsOf>
  readonly stamp: string
  /** The page is that of their collection. */
  readonly isOwn?: boolean
  /** Text for an empty list. */
  readonly none: string
}

/** Anyone can have a name lead to an account: one that belongs to another says so. */
function Domains({ raw, stamp }: PartProps) {
  const pages = usePages(
    (cursor) => domainsOf(raw, cursor),
    ({ records: rows, cursor }) => ({ rows, cursor }),
    ({ nft_item_address }) => nft_item_address,
    stamp,
  )
  if (!pages.count) return <WhyNone of={{ data: pages.count, ...pages }} what="Names that lead here" />
  return (
    <>
      <h2>Names that lead here</h2>
      <ul class="domains">
        <Rows
          of={pages}
          each={({ nft_item_address: item, nft_item_owner: owner, domain }) => (
            <li key={item}>
              <a href={href(accountPath(item))}>{foreignText(domain)}</a>
              {owner !== raw && (
                <span class="quiet">
                  {' '}
                  of <Address of={owner} />
                </span>
              )}
            </li>
          )}
        />
      </ul>
      <PageEnd pages={pages} word="more" />
    </>
  )
}

export const Nfts = ({ raw, stamp }: PartProps) => (
  <>
    <Items query={(cursor) => itemsOf(raw, cursor)} stamp={stamp} none="This account owns no NFTs." />
    <Domains raw={raw} stamp={stamp} />
  </>
)

type NftItem = Api['v3.nft.items']['result']['nft_items'][number]

/** Prices by the contract that sells. A signal: a new bid draws the price again, not the whole card. */
const prices = signal<ReadonlyMap<string, ItemPrice | null>>(new Map())

/** A bid is no transaction of the owner or of the collection: prices are read with every block. */
function usePrices(items: readonly NftItem[]): void {
  const { data } = useReplies(salesOf(items), { live: true })
  const found = data?.flatMap(({ nft_sales }) => nft_sales.map((sale) => [sale.address, priceOf(sale)] as const)) ?? []
  useLayoutEffect(() => {
    if (found.length > 0) prices.value = new Map([...prices.peek(), ...found])
  }, [JSON.stringify(found)])
}

/** That an item is on sale, and for how much. */
function OnSale({ at }: { readonly at: string }) {
  const price = prices.value.get(at)
  return (
    <a class="on-sale" href={href(accountPath(at, 'sale'))}>
      <span class="badge warn">on sale</span>{' '}
      {price && (
        <>
          {price.words} <Amount of={price.amount} />
        </>
      )}
    </a>
  )
}

export const ItemsOfCollection = ({ raw, stamp }: PartProps) => (
  <Items query={(cursor) => itemsOfCollection(raw, cursor)} stamp={stamp} none="This collection has no items." isOwn />
)

interface ItemProps {
  readonly item: NftItem
  readonly isOwn: boolean
  readonly onGone: () => void
}

function Item({ item, isOwn, onGone }: ItemProps) {
  const { address, index, collection_address: collection } = item
  const sale = saleOf(item)
  const name = itemName(address, index)
  return (
    <li class="card item">
      <TokenPicture account={address} name={name} onGone={onGone} />
      <strong>{name}</strong>
      <Address of={address} full />
      {collection && !isOwn && (
        <span class="quiet">
          of <Address of={collection} />
        </span>
      )}
      {sale && <OnSale at={sale} />}
    </li>
  )
}

function Items({ query, stamp, none, isOwn = false }: ItemsProps) {
  const pages = usePages(
    query,
    ({ nft_items: rows, cursor }) => ({ rows, cursor, grows: true }),
    ({ address }) => address,
    stamp,
  )
  usePrices(pages.parts.flat())
  const [gone, setGone] = useState(0)
  const onGone = () => setGone((count) => count + 1)
  if (pages.count === 0) return <Empty title={none} />
  return (
    <>
      <PageStart pages={pages} />
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
