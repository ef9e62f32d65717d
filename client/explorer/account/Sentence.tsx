import type { Action } from '../../index.ts'
import { ActionSentence } from '../actions/ActionSentence.tsx'
import { sentenceOf } from '../actions/sentence.ts'

/** An action as a line of a list, with its kind in front. */
export const Sentence = ({ action }: { readonly action: Action }) => (
  <li class={action.success ? undefined : 'failed'}>
    <span class="badge">{sentenceOf(action).title}</span> <ActionSentence action={action} />
  </li>
)
