import type { Action } from '../../index.ts'
import { ActionSentence, ActionTitle } from '../actions/ActionSentence.tsx'

/** An action as a line of a list, with its kind in front. */
export const Sentence = ({ action }: { readonly action: Action }) => (
  <li class={action.success ? undefined : 'failed'}>
    <span class="badge">
      <ActionTitle action={action} />
    </span>{' '}
    <ActionSentence action={action} />
  </li>
)
