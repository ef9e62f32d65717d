// One action in a line: what was done, by which account to which, and how much.

import type { Action } from '../../index.ts'
import { decimalsOf, foreignText, tokenOf } from '../names.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'

/** `jetton_transfer` as `Jetton transfer`. */
const wordsOf = (type: string): string => {
  const words = type.replaceAll('_', ' ').replace(/\b(nft|ton|dns|evaa)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const textOf = (details: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | null => {
  for (const name of names) if (typeof details[name] === 'string') return details[name]
  return null
}

export function ActionLine({ action }: { readonly action: Action }) {
  const details: Readonly<Record<string, unknown>> = { ...action.details }
  const from = textOf(details, 'source', 'sender', 'owner', 'user', 'bidder', 'multisig')
  const to = textOf(details, 'destination', 'receiver', 'recipient', 'nft_item', 'pool', 'contract')
  const asset = textOf(details, 'asset')
  const amount = textOf(details, 'value', 'amount', 'ton_amount')
  const comment = textOf(details, 'comment')
  const opcode = textOf(details, 'opcode')
  return (
    <>
      <span class="what">
        {wordsOf(action.type)}
        {opcode !== null && action.type === 'call_contract' ? <code> {opcode}</code> : null}
      </span>
      <span class="who">
        {from !== null && <Address of={from} />}
        {from !== null && to !== null && <span class="arrow"> → </span>}
        {to !== null && <Address of={to} />}
      </span>
      <span class="how-much">
        {amount !== null && /^\d+$/.test(amount) ? (
          asset === null ? (
            <Amount of={amount} />
          ) : (
            <Amount of={amount} decimals={decimalsOf(asset)} symbol={tokenOf(asset)?.symbol ?? 'jetton'} />
          )
        ) : null}
      </span>
      {comment ? <q class="comment">{foreignText(comment)}</q> : null}
    </>
  )
}
