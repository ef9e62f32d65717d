// A trace in a line: when, what was done by which account, and why it failed.

import { ActionSentence, ActionTitle } from '../actions/ActionSentence.tsx'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import type { HomeRow } from './homeRows.ts'

export interface TraceRowProps {
  readonly row: HomeRow
  /** Null while it is not known, and for failures without one. */
  readonly exitCode: number | null
}

export const TraceLine = ({ row, exitCode }: TraceRowProps) => (
  <li class={row.failed ? 'row failed' : 'row'}>
    <a class="when" href={href(`/trace/${row.trace}`)}>
      <When at={row.utime} />
    </a>
    <span class="what">
      <ActionTitle action={row.action} />
    </span>
    <ActionSentence action={row.action} />
    <span class="tail">
      {row.failed && (
        <a class="badge bad" href={href(`/trace/${row.trace}`)}>
          {exitCode === null ? 'failed' : `exit ${exitCode}`}
        </a>
      )}
      {row.more > 0 && <span class="quiet">+{row.more} more</span>}
    </span>
  </li>
)
