// A trace in a line: when, what was done by which account, and whether it failed.

import { ActionSentence } from '../actions/ActionSentence.tsx'
import { sentenceOf } from '../actions/sentence.ts'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import type { Row } from './rows.ts'

export const TraceRow = ({ row }: { readonly row: Row }) => (
  <li class={row.failed ? 'row failed' : 'row'}>
    <a class="when" href={href(`/trace/${row.trace}`)}>
      <When at={row.utime} />
    </a>
    {row.action ? (
      <>
        <span class="what">{sentenceOf(row.action).title}</span>
        <ActionSentence action={row.action} />
      </>
    ) : (
      <span class="what">
        {row.transactions.length === 1 ? '1 transaction' : `${row.transactions.length} transactions`}
      </span>
    )}
    <span class="tail">
      {row.failed && (
        <a class="badge bad" href={href(`/trace/${row.trace}`)}>
          {row.exitCode === null ? 'failed' : `exit ${row.exitCode}`}
        </a>
      )}
      {row.more > 0 && <span class="quiet">+{row.more} more</span>}
    </span>
  </li>
)
