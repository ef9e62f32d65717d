// Why a message will not be executed: refused by its contract, expired, or replaced by another one.

import { ApiError } from '../../../shared/errors.ts'
import { base64Of, MAX_DEPTH, orNull, readBoc } from '../../cell/index.ts'
import { walletOrderOf } from '../../interfaces/index.ts'
import { readPage, readTransactionMessages, type Sql, transactionsRead } from '../../store/index.ts'
import { clocksIn, noAccountAdvice, refusedBy } from './refusalAdvice.ts'
import { type AwaitedMessage, hashesOf } from './sentMessage.ts'
import { isOvertaken, type SentWallet } from './sentWallet.ts'

/** Newest transactions of a wallet among which the one that took a seqno is searched. */
const SEARCHED = 100

/** The transaction of the message with the same seqno; null when it is not among the newest of the wallet. */
async function takerOf(store: Sql, message: AwaitedMessage, { kind, order }: SentWallet): Promise<string | null> {
  const page = { limit: SEARCHED, offset: 0, after: null }
  const { rows } = await readPage(store, transactionsRead({ accounts: [message.key] }, page, 'desc'))
  for (const { row, inMessage } of await readTransactionMessages(store, rows)) {
    if (inMessage?.kind !== 'externalIn') continue
    const body = orNull(() => readBoc(inMessage.body, { maxDepth: MAX_DEPTH }))
    if (body !== null && walletOrderOf(kind, body)?.seqno === order?.seqno) return base64Of(row.hash)
  }
  return null
}

export function expiredError(message: AwaitedMessage, { order }: SentWallet, clocks = ''): ApiError {
  const until = `${order?.validUntil} (unix seconds)`
  const text = `the message has expired: it was valid until ${until}, and no block has it${clocks}`
  return new ApiError('messageExpired', text, { sent: hashesOf(message) })
}

export async function replacedError(store: Sql, message: AwaitedMessage, wallet: SentWallet): Promise<ApiError> {
  const taker = await takerOf(store, message, wallet)
  const by = taker === null ? '' : ` by the message of transaction ${taker}`
  const text = `seqno ${wallet.order?.seqno} of the wallet was taken${by}: the wallet expects ${wallet.next} next`
  const sent = { ...hashesOf(message), ...(taker === null ? {} : { replaced_by: taker }) }
  return new ApiError('messageReplaced', text, { sent })
}

export interface Refusal {
  readonly store: Sql
  readonly wallet: SentWallet | null
  /** Unix seconds of the newest block. */
  readonly utime: number
}

/** The error for a message that the chain refused with this text. */
export async function refusedError(
  message: AwaitedMessage,
  cause: Error,
  { store, wallet, utime }: Refusal,
): Promise<ApiError> {
  if (wallet !== null && isOvertaken(wallet)) return replacedError(store, message, wallet)
  const until = wallet?.order?.validUntil ?? null
  const clocks = clocksIn(cause.message)
  if (wallet !== null && until !== null && until <= utime) return expiredError(message, wallet, clocks)
  const sent = hashesOf(message)
  const known = refusedBy(cause.message, wallet)
  if (known === null) {
    const facts = { sent, ...noAccountAdvice(cause.message) }
    return new ApiError('messageRefused', cause.message, facts, { cause })
  }
  const { code, words } = known
  const text = `the contract refused the message with exit code ${code}: ${words}${clocks}`
  return new ApiError('messageRefused', text, { sent: { ...sent, exit_code: code } }, { cause })
}
