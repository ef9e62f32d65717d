// Lists of an account as rows of a file: one line for each transaction, or for each action.

import { actionsToSave } from '../../../shared/explorer/accountPartQueries.ts'
import {
  firstTransactions,
  furtherTransactions,
  type ListOrder,
  messagesOf,
  nextTransactions,
  type TimeBounds,
} from '../../../shared/explorer/accountQueries.ts'
import { type ActionGroup, TYPES_OF_KIND } from '../../../shared/explorer/historyKinds.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action, Transaction } from '../../index.ts'
import { formatTon, formatUnits } from '../../units.ts'
import { decimalsOf, foreignText, friendlyForm, itemName, learn, nameOf, symbolOf } from '../accountNames.ts'
import { plainSentence } from '../actions/plainSentence.ts'
import type { Part } from '../actions/say.ts'
import { sentenceOf } from '../actions/sentence.ts'
import { callWords } from '../operations.ts'
import { client } from '../pageClient.ts'
import { changeOf, codeHashOf, feesOf } from '../trace/transactionCost.ts'
import type { CsvCell } from './csv.ts'
import { gainOf } from './gainOf.ts'
import type { KeepsRow } from './HistoryFilters.tsx'

/** What is saved: rows of these days in this order. */
export interface SavedList {
  readonly raw: string
  readonly times: TimeBounds
  readonly order: ListOrder
}

export interface SavedPage {
  readonly rows: readonly (readonly CsvCell[])[]
  /** How many were read for them. */
  readonly count: number
  readonly cursor: string | null
}

export interface ListToSave {
  readonly head: readonly string[]
  readonly read: (cursor?: string) => Promise<SavedPage>
}

/** Of strangers, for one cell. */
const LONGEST_TEXT = 1_000

const timeOf = (utime: number): string => new Date(utime * 1000).toISOString().replace('T', ' ').slice(0, 19)
const tonCell = (nanotons: bigint | string): CsvCell => ({ number: formatTon(nanotons) })
const addressOf = (raw: unknown): string => (typeof raw === 'string' ? friendlyForm(raw) : '')

function outcomeOf({ description: { compute_ph: compute, action, aborted } }: Transaction): string {
  if (compute && !compute.skipped && !compute.success) return `exit ${compute.exit_code}`
  if (action && !action.success) return `action ${action.result_code}`
  if (compute?.skipped) return 'no code ran'
  if (aborted) return 'aborted'
  return action && action.skipped_actions > 0 ? `${action.skipped_actions} ignored` : 'ok'
}

function transactionCells(one: Transaction): readonly CsvCell[] {
  const { compute_ph: compute } = one.description
  return [
    timeOf(one.now),
    hexOf(one.hash) ?? '',
    { number: one.lt },
    foreignText(callWords(one, codeHashOf(one)), LONGEST_TEXT),
    addressOf(one.in_msg?.source),
    one.in_msg?.value ? tonCell(one.in_msg.value) : '',
    { number: one.out_msgs.length },
    outcomeOf(one),
    compute && !compute.skipped ? { number: compute.gas_used } : '',
    tonCell(feesOf(one)),
    tonCell(changeOf([one])),
    hexOf(one.trace_id ?? '') ?? '',
  ]
}

/** One transaction can have 255 messages: the first page has few, the others as many as fit. */
export function transactionsList({ raw, times, order }: SavedList): ListToSave {
  let size: number | undefined
  return {
    head: [
      'Time (UTC)',
      'Transaction',
      'Logical time',
      'Operation',
      'From',
      'Value in TON',
      'Messages sent',
      'Outcome',
      'Gas',
      'Fees in TON',
      'Change in TON',
      'Trace',
    ],
    async read(cursor) {
      const { params } =
        cursor === undefined
          ? firstTransactions(raw, 'few', times, order)
          : furtherTransactions(raw, cursor, times, order, size)
      const reply = await client.v3.transactions(params)
      learn(reply)
      const { transactions, cursor: next } = reply
      size = nextTransactions(transactions.length, messagesOf(transactions))
      return { rows: transactions.map(transactionCells), count: transactions.length, cursor: next }
    },
  }
}

function amountText(amount: string, asset: string | null): string {
  if (!/^-?\d+$/.test(amount)) return ''
  return asset === null ? formatTon(amount) : formatUnits(amount, decimalsOf(asset) ?? 0)
}

const unitOf = (asset: string | null): string => (asset === null ? 'TON' : symbolOf(asset))

type Named = Exclude<Part, string | { opcode: string; of: string | null }>

function partText(part: Named): string {
  if ('account' in part)
    return part.account === null ? 'an unknown account' : (nameOf(part.account) ?? friendlyForm(part.account))
  if ('amount' in part) return `${amountText(part.amount, part.asset)} ${unitOf(part.asset)}`
  if ('quote' in part) return foreignText(part.quote, LONGEST_TEXT)
  return `NFT ${itemName(part.item, part.index)}`
}

/** Fields that details of most types have, by what they say. */
const FIELDS = {
  from: ['source', 'sender', 'real_old_owner', 'old_owner', 'owner', 'stake_holder', 'subscriber', 'bidder'],
  to: ['destination', 'receiver', 'new_owner', 'pool', 'beneficiary'],
} as const

const fieldOf = (details: object, names: readonly string[]): unknown =>
  names.map((name) => Reflect.get(details, name)).find((value) => typeof value === 'string')

const isPlain = (details: object): boolean =>
  !Reflect.get(details, 'encrypted') && !Reflect.get(details, 'is_encrypted_comment')

function commentOf(details: object): string {
  const comment: unknown = Reflect.get(details, 'comment')
  return typeof comment === 'string' && isPlain(details) ? foreignText(comment, LONGEST_TEXT) : ''
}

function actionCells(action: Action, raw: string): readonly CsvCell[] {
  const { details } = action
  const said = sentenceOf(action)
  const amount = said.parts.find((part) => typeof part === 'object' && 'amount' in part)
  const isAmount = typeof amount === 'object' && 'amount' in amount && amountText(amount.amount, amount.asset) !== ''
  return [
    timeOf(action.start_utime),
    said.title,
    plainSentence(said, partText),
    addressOf(fieldOf(details, FIELDS.from)),
    addressOf(fieldOf(details, FIELDS.to)),
    isAmount ? { number: amountText(amount.amount, amount.asset) } : '',
    isAmount ? unitOf(amount.asset) : '',
    isAmount ? addressOf(amount.asset) : '',
    commentOf(details),
    tonCell(gainOf(action, raw)),
    action.success ? 'ok' : 'failed',
    hexOf(action.trace_id ?? '') ?? '',
  ]
}

export interface SavedActions extends SavedList {
  readonly kind: ActionGroup | 'all'
  readonly keeps: KeepsRow
}

export const actionsList = ({ raw, times, order, kind, keeps }: SavedActions): ListToSave => ({
  head: [
    'Time (UTC)',
    'Kind',
    'What happened',
    'From',
    'To',
    'Amount',
    'Asset',
    'Jetton',
    'Comment',
    'Change in TON',
    'Outcome',
    'Trace',
  ],
  async read(cursor) {
    const types = kind === 'all' ? null : TYPES_OF_KIND[kind]
    const reply = await client.v3.actions(actionsToSave(raw, types, cursor, times, order).params)
    learn(reply)
    const { actions, cursor: next } = reply
    const isKept = (one: Action): boolean =>
      keeps({
        isFailed: () => !one.success,
        gain: () => gainOf(one, raw),
        accounts: one.accounts ?? [],
        actions: [one],
      })
    return {
      rows: actions.filter(isKept).map((action) => actionCells(action, raw)),
      count: actions.length,
      cursor: next,
    }
  },
})
