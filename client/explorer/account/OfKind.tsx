// What of one kind the account took part in, action by action.

import type { FunctionComponent } from 'preact'
import { accountActions, type TimeBounds } from '../../../shared/explorer/explorerQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action } from '../../index.ts'
import type { ActionIcon } from '../actions/say.ts'
import { typesWhere } from '../actions/sentence.ts'
import { Amount } from '../parts/Amount.tsx'
import { Empty } from '../parts/Empty.tsx'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import type { CountProps, HistoryKind, keeps } from './HistoryFilters.tsx'
import { PageEnd } from './PageEnd.tsx'
import type { PartProps } from './partProps.ts'
import { Sentence } from './Sentence.tsx'
import { usePages } from './usePages.ts'

type OneKind = Exclude<HistoryKind, 'all' | 'others'>

const BY_ICON: Partial<Record<ActionIcon, OneKind>> = {
  swap: 'swaps',
  item: 'nfts',
  sale: 'nfts',
  name: 'domains',
  stake: 'stakes',
  call: 'calls',
  deploy: 'deploys',
  key: 'wallets',
  clock: 'wallets',
}

/** A type is of one kind, so that the kinds together are the whole history. */
function kindOf(type: string, icon: ActionIcon): Exclude<HistoryKind, 'all'> {
  if (type === 'ton_transfer') return 'ton'
  if (type === 'jetton_swap' || type.endsWith('_liquidity')) return 'swaps'
  if (type.startsWith('jetton_')) return 'jettons'
  if (type.startsWith('nft_')) return 'nfts'
  return BY_ICON[icon] ?? 'others'
}

const gainOf = ({ balance_changes: changes }: Action, raw: string): bigint => BigInt(changes?.[raw]?.ton ?? 0)

interface OfKindProps extends PartProps {
  readonly times: TimeBounds
  readonly kind: HistoryKind
  /** Another account that must have taken part. */
  readonly partner: string | null
  readonly keeps: typeof keeps
  readonly Count: FunctionComponent<CountProps>
}

// What the filters are comes from the page: this script must not have them, too.
export function OfKind({ raw, stamp, times, kind, partner, keeps, Count }: OfKindProps) {
  const types = typesWhere((type, icon) => kindOf(type, icon) === kind)
  const pages = usePages(
    (cursor) => accountActions(raw, types, cursor, times),
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
