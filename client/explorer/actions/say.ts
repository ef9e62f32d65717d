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
  | { readonly item: string | null; readonly index: string | null; readonly collection: string | null }

export interface Template<D> {
  readonly title: string
  readonly say: (details: D) => readonly Part[]
}

type Piece = Part | readonly Part[] | undefined

const isSeveral = (piece: Piece): piece is readonly Part[] => Array.isArray(piece)

/** Text with pieces between it. */
export const say = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): readonly Part[] =>
  texts
    .flatMap((text, i): readonly Part[] => {
      const piece = pieces[i]
      const parts = piece === undefined ? [] : isSeveral(piece) ? piece : [piece]
      return [text, ...parts]
    })
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
  readonly nft_collection?: string | null
}
export const item = ({ nft_item, nft_item_index, nft_collection }: ItemDetails): Part => ({
  item: nft_item ?? null,
  index: nft_item_index ?? null,
  collection: nft_collection ?? null,
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
