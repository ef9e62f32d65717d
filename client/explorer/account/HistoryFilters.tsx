// What is shown of the history of an account: by outcome, kind, days, the other accounts that took part, and comments.

import type { ComponentChildren } from 'preact'
import type { ListOrder, TimeBounds } from '../../../shared/explorer/accountQueries.ts'
import { addressIn } from '../../../shared/explorer/addressIn.ts'
import { orderIn, timesIn } from '../../../shared/explorer/historyDays.ts'
import type { ActionGroup } from '../../../shared/explorer/historyKinds.ts'
import { rawOf } from '../../../shared/explorer/views.ts'
import type { Action } from '../../index.ts'
import { namedAccounts } from '../accountNames.ts'
import { sentenceOf } from '../actions/sentence.ts'
import { isKeyOf } from '../chosen.ts'
import { Choice } from '../parts/Choice.tsx'
import { afterFrames, place, setQuery } from '../router.ts'

const SHOWN = {
  all: { label: 'Any outcome' },
  failed: { label: 'Failed' },
  in: { label: 'Received' },
  out: { label: 'Spent' },
} as const

const chosenOutcome = (): keyof typeof SHOWN => chosen('show', SHOWN)

const KINDS = {
  all: { label: 'All kinds' },
  ton: { label: 'Transfers of TON' },
  jettons: { label: 'Jettons' },
  swaps: { label: 'Swaps and liquidity' },
  nfts: { label: 'NFTs and sales' },
  domains: { label: 'Domains' },
  stakes: { label: 'Stakes and lending' },
  calls: { label: 'Calls' },
  deploys: { label: 'Deployments' },
  wallets: { label: 'Keys, orders, subscriptions' },
  others: { label: 'Bridges and others' },
} as const satisfies Readonly<Record<'all' | ActionGroup, object>>
export type HistoryKind = keyof typeof KINDS

function chosen<Id extends string>(name: string, options: Readonly<Record<Id, unknown>>): Id | 'all' {
  const text = place.value.query.get(name) ?? 'all'
  return isKeyOf(options, text) ? text : 'all'
}

export const chosenKind = (): HistoryKind => chosen('kind', KINDS)

const choose = (name: string) => (id: string) => setQuery({ [name]: id === 'all' ? null : id })

const ORDERS = {
  newest: { label: 'Newest first' },
  oldest: { label: 'Oldest first' },
} as const satisfies Readonly<Record<ListOrder, object>>

export const chosenOrder = (): ListOrder => orderIn(place.value.query)

/** What follows below a list. */
export const wordFor = (order: ListOrder) => (order === 'oldest' ? 'newer' : 'older')

/** Another text for another choice of what is shown of the rows that were read. */
export const chosenRows = (): string => JSON.stringify([chosenOutcome(), chosenPartner() ?? withText()])

export const chosenTimes = (): TimeBounds => timesIn(place.value.query)

const withText = (): string => (place.value.query.get('with') ?? '').trim().toLowerCase()

/** The other account, raw; null when none is chosen, or the text names none. */
const chosenPartner = (): string | null =>
  namedAccounts().get(withText()) ?? rawOf(addressIn(place.value.query.get('with') ?? '') ?? '')

/** What rows are chosen by. */
export interface Choosable {
  readonly isFailed: () => boolean
  /** Of TON. */
  readonly gain: () => bigint
  readonly accounts: readonly unknown[]
  readonly actions: readonly Action[]
}

export type KeepsRow = (row: Choosable) => boolean

/** Whether text of strangers in the sentence of an action, as its comment, has a text. */
const quotes = (action: Action, text: string): boolean =>
  sentenceOf(action).parts.some(
    (part) => typeof part === 'object' && 'quote' in part && part.quote.toLowerCase().includes(text),
  )

/** Whether a row is of those that are chosen now. */
export function chosenFilter(): KeepsRow {
  const shown = chosenOutcome()
  const text = withText()
  const partner = chosenPartner()
  return ({ isFailed, gain, accounts, actions }) =>
    (shown === 'all' || (shown === 'failed' ? isFailed() : shown === 'in' ? gain() > 0n : gain() < 0n)) &&
    (partner === null
      ? text === '' || actions.some((one) => quotes(one, text))
      : accounts.includes(partner) || JSON.stringify(actions).includes(partner))
}

/** What a person presses next is what takes the focus from the field: its answer must not wait until a long list is drawn. */
function choosePartner(text: string): void {
  const { path } = place.value
  afterFrames(() => {
    if (place.value.path === path) setQuery({ with: text || null })
  })
}

const Day = ({ name, label }: { readonly name: 'from' | 'until'; readonly label: string }) => (
  <label>
    {label}{' '}
    <input
      type="date"
      class="inline"
      value={place.value.query.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value || null })}
    />
  </label>
)

export const DaysAndOrder = () => (
  <>
    <Day name="from" label="From" />
    <Day name="until" label="Until (UTC)" />
    <Choice
      id="order"
      label="Order"
      options={ORDERS}
      value={chosenOrder()}
      onChoose={(order) => setQuery({ order: order === 'newest' ? null : order })}
    />
  </>
)

export interface CountProps {
  readonly of: number
  /** Null while they load. */
  readonly all: number | null
  readonly what: string
}

/** How many rows are left of those that were read; nothing while all of them are shown, and of a single one. */
export const Chosen = (props: CountProps) =>
  (props.all ?? 0) < 2 || (chosenOutcome() === 'all' && withText() === '') ? null : (
    <p class="quiet">
      {props.of} of the {props.all} {chosenOrder()} {props.what}
    </p>
  )

/** `children` follow them. */
export function HistoryFilters({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="bar filters">
      <Choice id="show" label="Outcome" options={SHOWN} value={chosenOutcome()} onChoose={choose('show')} />
      <Choice id="kind" label="Kind" options={KINDS} value={chosenKind()} onChoose={choose('kind')} />
      <DaysAndOrder />
      <label>
        With{' '}
        <input
          class="inline"
          value={place.value.query.get('with') ?? ''}
          placeholder="account, comment"
          spellcheck={false}
          autocomplete="off"
          onChange={(event) => choosePartner(event.currentTarget.value.trim())}
        />
      </label>
      {children}
      {withText() !== '' && chosenPartner() === null && <span class="hint">Not an account: searched in comments.</span>}
    </div>
  )
}
