// What an action did, with accounts as links and amounts in their units.

import type { Action } from '../../index.ts'
import { foreignText, itemName } from '../accountNames.ts'
import { operationWords } from '../operations.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { ActionIcon } from './ActionIcon.tsx'
import type { Part } from './say.ts'
import { sentenceOf } from './sentence.ts'

const LONGEST_QUOTE = 200

function Item({ item, index }: { readonly item: string | null; readonly index: string | null }) {
  const name = itemName(item, index)
  return (
    <>
      NFT {name !== '' && <b>{name} </b>}
      {item !== null && <Address of={item} />}
    </>
  )
}

function Piece({ part }: { readonly part: Part }) {
  if (typeof part === 'string') return part
  if ('account' in part) return part.account === null ? 'an unknown account' : <Address of={part.account} />
  if ('amount' in part) return <Amount of={part.amount} jetton={part.asset} />
  if ('quote' in part) return <span class="quote">{foreignText(part.quote, LONGEST_QUOTE)}</span>
  if ('opcode' in part) {
    return <span title={part.opcode}>{operationWords(part.opcode, { account: part.of }) ?? part.opcode}</span>
  }
  return <Item {...part} />
}

/** The kind of an action, as an icon and in words; a failed one is marked. */
export function ActionTitle({ action }: { readonly action: Action }) {
  const { title, icon } = sentenceOf(action)
  return (
    <>
      <ActionIcon name={action.success ? icon : 'failed'} />
      {title}
    </>
  )
}

export const ActionSentence = ({ action }: { readonly action: Pick<Action, 'type' | 'details'> }) => (
  <span class="sentence">
    {sentenceOf(action).parts.map((part, at) => (
      <Piece key={at} part={part} />
    ))}
  </span>
)
