// What of one kind the account took part in, action by action.

import type { FunctionComponent } from 'preact'
import { accountActions, type TimeBounds } from '../../../shared/explorer/accountQueries.ts'
import { type ActionKind, TYPES_OF_KIND } from '../../../shared/explorer/historyKinds.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action } from '../../index.ts'
import { Amount } from '../parts/Amount.tsx'
import { Empty } from '../parts/Empty.tsx'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import type { CountProps, keeps } from './HistoryFilters.tsx'
import { PageEnd } from './PageEnd.tsx'
import type { PartProps } from './partProps.ts'
import { Sentence } from './Sentence.tsx'
import { usePages } from './usePages.ts'

const gainOf = ({ balance_changes: changes }: Action, raw: string): bigint => BigInt(changes?.[raw]?.ton ?? 0)

interface OfKindProps extends PartProps {
  readonly times: TimeBounds
  readonly kind: ActionKind
  /** Another account that must have taken part. */
  readonly partner: string | null
  readonly keeps: typeof keeps
  readonly Count: FunctionComponent<CountProps>
}

// What the filters are comes from the page: this script must not have them, too.
export function OfKind({ raw, stamp, times, kind, partner, keeps, Count }: OfKindProps) {
  const pages = usePages(
    (cursor) => accountActions(raw, TYPES_OF_KIND[kind], cursor, times),
    ({ actions, cursor }) => ({ rows: actions, cursor }),
    ({ action_id }) => action_id,
    stamp,
  )
  const isWith = ({ accounts = [] }: Action): boolean => partner === null || accounts.includes(partner)
  const rows = pages.rows?.filter(
    (action) =>
      keeps(
        () => !action.success,
        () => gainOf(action, raw),
      ) && isWith(action),
  )
  return (
    <>
      <Count of={rows?.length} all={pages.rows?.length} what="actions of this kind" />
      {pages.rows?.length === 0 && <Empty title="The account took no part in actions of this kind." />}
      <ul class="rows">
        {rows?.map((action) => (
          <li key={action.action_id} class={action.success ? 'history-row' : 'history-row failed'}>
            <a class="when" href={href(`/trace/${hexOf(action.trace_id ?? '') ?? ''}`)}>
              <When at={action.start_utime} />
            </a>
            <ul class="sentences">
              <Sentence action={action} />
            </ul>
            <span class="tail">
              {!action.success && <span class="badge bad">failed</span>}
              {gainOf(action, raw) !== 0n && <Amount of={gainOf(action, raw)} signed />}
            </span>
          </li>
        ))}
      </ul>
      <PageEnd pages={pages} />
    </>
  )
}
