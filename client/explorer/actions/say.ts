// What sentences about actions are made of.

import type { ActionDetails } from '../../../shared/v3/action.ts'

/** A piece of a sentence: text of ours, an account, an amount, or text of strangers. */
export type Part =
  | string
  | { readonly account: string | null }
  /** `asset` is the jetton; null for TON. */
  | { readonly amount: string; readonly asset: string | null }
  | { readonly quote: string }
  /** Of a message to an account, whose own description may have a name for it. */
  | { readonly opcode: string; readonly of: string | null }
  | { readonly item: string | null; readonly index: string | null }

export interface Template<D> {
  readonly title: string
  readonly say: (details: D) => readonly Part[]
}

/** Text with pieces between it. */
export const say = (texts: TemplateStringsArray, ...pieces: readonly (Part | readonly Part[])[]): readonly Part[] =>
  texts
    .flatMap((text, i) => [text, pieces[i] ?? []])
    .flat()
    .filter((part) => part !== '')

export const who = (account: string | null | undefined): Part => ({ account: account ?? null })

/** An amount, or words where the trace does not show one. */
export const some = (amount: string | null | undefined, asset: string | null | undefined): Part =>
  amount ? { amount, asset: asset ?? null } : 'some'
export const ton = (amount: string | null | undefined): Part => (amount ? { amount, asset: null } : 'some TON')
export const withTon = (amount: string | null | undefined): readonly Part[] =>
  amount && amount !== '0' ? [' with ', { amount, asset: null }] : []
export const forTon = (amount: string | null | undefined): readonly Part[] =>
  amount ? [' for ', { amount, asset: null }] : []
export const via = (place: string | null | undefined): readonly Part[] => (place ? [' on ', { quote: place }] : [])

export const comment = (text: string | null | undefined, encrypted = false): readonly Part[] =>
  encrypted ? [' with an encrypted comment'] : text ? [' “', { quote: text }, '”'] : []

interface ItemDetails {
  readonly nft_item?: string | null
  readonly nft_item_index?: string | null
}
export const item = ({ nft_item = null, nft_item_index = null }: ItemDetails): Part => ({
  item: nft_item,
  index: nft_item_index,
})

export type Details<T extends keyof ActionDetails> = ActionDetails[T]

/** Templates of some types of action. */
export type Templates<T extends keyof ActionDetails = keyof ActionDetails> = {
  readonly [K in T]: Template<ActionDetails[K]>
}

export const sayOne = <D>(title: string, template: (details: D) => readonly Part[]): Template<D> => ({
  title,
  say: template,
})

type Application = 'coffee' | 'cocoon' | 'dedust' | 'dex' | 'evaa' | 'jvault' | 'layerzero' | 'tgbtc' | 'tonco'

/** Types of action of one application or kind of applications. */
export type ProtocolType = Extract<keyof ActionDetails, `${Application}_${string}` | 'jetton_swap'>
