// What of one kind the account took part in, action by action.

import type { FunctionComponent } from 'preact'
import { accountActions, type ListOrder, type TimeBounds } from '../../../shared/explorer/accountQueries.ts'
import { type ActionGroup, TYPES_OF_KIND } from '../../../shared/explorer/historyKinds.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action } from '../../index.ts'
import { Amount } from '../parts/Amount.tsx'
import { NothingIn, PageEnd, PageStart } from '../parts/PageEnd.tsx'
import { Rows, useFilteredRows, useFurtherPages } from '../parts/Rows.tsx'
import { usePages } from '../parts/usePages.ts'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import { gainOf } from './gainOf.ts'
import type { CountProps, KeepsRow, wordFor } from './HistoryFilters.tsx'
import type { PartProps } from './partProps.ts'
import { Sentence } from './Sentence.tsx'

interface OfKindProps extends PartProps {
  readonly times: TimeBounds
  readonly order: ListOrder
  readonly kind: ActionGroup
  readonly keeps: KeepsRow
  /** Another text for another choice of rows. */
  readonly filter: string
  readonly Count: FunctionComponent<CountProps>
  readonly word: ReturnType<typeof wordFor>
}

interface ActionItemProps {
  readonly action: Action
  readonly raw: string
  readonly isFar: boolean
}

const ActionItem = ({ action, raw, isFar }: ActionItemProps) => (
  <li class={`history-row ${action.success ? '' : 'failed'} ${isFar ? 'far' : ''}`}>
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
)

// What the filters are comes from the page: this script must not have them, too.
export function OfKind({ raw, stamp, times, order, kind, keeps, filter, Count, word }: OfKindProps) {
  const pages = usePages(
    (cursor) => accountActions(raw, TYPES_OF_KIND[kind], cursor, times, order),
    ({ actions, cursor }) => ({ rows: actions, cursor, grows: order === 'oldest' }),
    ({ action_id }) => action_id,
    stamp,
  )
  const kept = useFilteredRows(pages, filter, (action) =>
    keeps({
      isFailed: () => !action.success,
      gain: () => gainOf(action, raw),
      accounts: action.accounts ?? [],
      actions: [action],
    }),
  )
  useFurtherPages(pages, kept.count)
  return (
    <>
      <PageStart pages={pages} />
      <Count of={kept.count} all={pages.count} what="actions of this kind" />
      {pages.count === 0 && (
        <NothingIn
          times={times}
          title="The account took no part in actions of this kind."
          ofDays="Nothing of this kind happened in these days."
        />
      )}
      <ul class="rows">
        <Rows
          of={kept}
          each={(action, isFar) => <ActionItem key={action.action_id} action={action} raw={raw} isFar={isFar} />}
        />
      </ul>
      <PageEnd pages={pages} word={word} />
    </>
  )
}
