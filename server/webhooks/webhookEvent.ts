// What one block means to a webhook: notifications of its subscription, and the short events of other services' webhooks.

import { opcodeText } from '../../shared/abi/opcodeText.ts'
import { inPieces, sorting } from '../fairness/index.ts'
import { rawOfKey } from '../methods/index.ts'
import type { AccountKey, BlockRows, TransactionFound } from '../store/index.ts'
import {
  type BlockNotices,
  type Cursor,
  positionOf,
  type SomeNotices,
  type Subscription,
  wantsEveryBlock,
} from '../streaming/index.ts'

export interface WebhookFilter {
  readonly subscription: Subscription | null
  /** Raw, uppercase. */
  readonly accounts: ReadonlySet<string>
  readonly opcodes: ReadonlySet<number>
  readonly newContracts: boolean
}

export interface WebhookEvent {
  readonly position: number
  readonly name: string
  readonly body: string
  readonly account: { readonly account: AccountKey; readonly lt: bigint } | null
}

/** Kinds of events behind those of subscriptions; part of stored cursors. */
const ACCOUNT_TX = 3
const OPCODE_MESSAGE = 4
const NEW_CONTRACT = 5

/** Logical times have up to 20 digits, which a JSON number may have but a JavaScript number may not. */
const withLt = (members: Readonly<Record<string, string>>, lt: bigint): string =>
  `{${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join()},"lt":${lt}}`

const shortBody = (name: string, { row }: TransactionFound, further: Readonly<Record<string, string>> = {}): string =>
  withLt(
    {
      event_type: name,
      account_id: rawOfKey(row.account).toLowerCase(),
      tx_hash: Buffer.from(row.hash).toString('hex'),
      ...further,
    },
    row.lt,
  )

export const opcodeOf = ({ inMessage }: TransactionFound): number | null =>
  typeof inMessage?.opcode === 'number' ? inMessage.opcode >>> 0 : null

export const isNewContract = ({ row: { origStatus, endStatus } }: TransactionFound): boolean =>
  origStatus !== 'active' && origStatus !== 'frozen' && endStatus === 'active'

/** Transactions that are looked at in one piece: the event of one takes some microseconds, and a block may have ten thousand. */
const PIECE = 50

/** Events of single transactions, in the order of their positions. */
function* shortEvents(
  rows: BlockRows,
  { accounts, opcodes, newContracts }: WebhookFilter,
): Generator<void, readonly WebhookEvent[]> {
  const all: WebhookEvent[] = []
  const add = (kind: number, index: number, event: Omit<WebhookEvent, 'position'>) =>
    all.push({ position: positionOf(kind, index, 0), ...event })
  for (const [index, one] of rows.transactions.entries()) {
    if (index % PIECE === PIECE - 1) yield
    const { row } = one
    if (accounts.has(rawOfKey(row.account))) {
      const account = { account: row.account, lt: row.lt }
      add(ACCOUNT_TX, index, { name: 'account_tx', body: shortBody('account_tx', one), account })
    }
    const opcode = opcodeOf(one)
    if (opcode !== null && opcodes.has(opcode)) {
      const body = shortBody('opcode_msg', one, { opcode: opcodeText(opcode) })
      add(OPCODE_MESSAGE, index, { name: 'opcode_msg', body, account: null })
    }
    if (newContracts && isNewContract(one))
      add(NEW_CONTRACT, index, { name: 'new_contracts', body: shortBody('new_contracts', one), account: null })
  }
  return yield* sorting(all, (a, b) => a.position - b.position)
}

const nameOf = (text: string): string => /^\{"type":"(\w+)"/.exec(text)?.[1] ?? 'notification'

/** Whether every block may hold something, whatever accounts it has. */
export const isOfEveryBlock = ({ opcodes, newContracts, subscription }: WebhookFilter): boolean =>
  opcodes.size > 0 || newContracts || (subscription !== null && wantsEveryBlock(subscription))

const NO_NOTICES: SomeNotices = { notices: [], isAll: true }

const NOTHING = {
  types: new Set<string>(),
  hashes: new Set<string>(),
  opcodes: new Set<number>(),
  namesNoAccount: false,
}

/** The blocks that may hold something, by the index. */
export function blocksFor(
  notices: BlockNotices,
  { subscription, accounts }: WebhookFilter,
  range: { first: number; last: number; limit: number },
): Promise<number[]> {
  const addresses = new Set([...(subscription?.addresses ?? []), ...accounts])
  return notices.concerning({ ...(subscription ?? NOTHING), addresses }, range)
}

/** What happened to the chain as a whole: that a webhook goes on behind a cursor. */
export const chainEvent = (type: string, { mcSeqno, position }: Cursor, more: object = {}): WebhookEvent => ({
  position,
  name: type,
  account: null,
  body: JSON.stringify({ type, ...more, mc_seqno: mcSeqno }),
})

/** The first of what a block has for a webhook, behind a position. */
interface SomeEvents {
  readonly events: readonly WebhookEvent[]
  /** Whether there are no more of them. */
  readonly isAll: boolean
}

export type ReadEvents = (
  rows: BlockRows,
  of: { readonly filter: WebhookFilter; readonly after: number },
) => Promise<SomeEvents>

/** Events of a block behind a position, in their order: as many as may be in memory. */
export async function eventsOf(
  notices: BlockNotices,
  rows: BlockRows,
  { filter, after }: { filter: WebhookFilter; after: number },
): Promise<SomeEvents> {
  const { subscription } = filter
  const found = subscription === null ? NO_NOTICES : await notices.ofBlock(rows, subscription, after)
  const events = found.notices.map(({ position, text }) => ({
    position,
    name: nameOf(text),
    body: text,
    account: null,
  }))
  if (!found.isAll) return { events, isAll: false }
  const short = await inPieces(shortEvents(rows, filter), { subject: 'webhooks' })
  return { events: [...events, ...short.filter(({ position }) => position > after)], isAll: true }
}
