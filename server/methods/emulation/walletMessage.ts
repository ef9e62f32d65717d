// The external message a wallet's owner would sign for a TON Connect request, with zeros for the signature.

import { type ParsedAddress, parseAddress } from '../../../shared/address.ts'
import { fromBase64 } from '../../../shared/base64.ts'
import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { Params } from '../../../shared/registry.ts'
import type { emulationV3 } from '../../../shared/v3/emulation.ts'
import { type Builder, beginCell, type Cell, CellError, openCell, stdAddress } from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import { SIGNED_V5, type WalletKind, walletDataOf, walletKindOf } from '../../interfaces/index.ts'
import type { AccountId } from '../../node/index.ts'
import { type Account, loadStateInit, makeMessage, type StateInit, storeMessage, toCell } from '../../tlb/index.ts'
import { trialInitOf } from '../tvm/trialAccount.ts'
import { extraCurrencyDict } from './overrides.ts'
import { requestCell } from './requestCell.ts'

type Query = Params<(typeof emulationV3)['emulate.tonConnect']>
type Transfer = Query['messages'][number]

const LIFETIME_S = 300
const MODE = 3
const SEND_MESSAGE = 0x0ec3c86d
/** Messages of one request to a wallet older than v5. */
const MOST_MESSAGES = 4
const SIGNATURE = new Uint8Array(64)

const wrong = (text: string): ApiError => new ApiError('invalidParams', text)

/** A cell in standard base64. */
async function cellIn(text: string, words: string, slicing: Slicing): Promise<Cell> {
  const bytes = /[-_]/.test(text) || text.length % 4 !== 0 ? null : fromBase64(text)
  if (bytes === null) throw wrong(`${words}: not base64 in the standard alphabet with padding`)
  return await requestCell(bytes, words, slicing)
}

/** Throws ApiError in these words, followed by what is wrong. */
export function initIn(cell: Cell, words: string): StateInit {
  try {
    return loadStateInit(openCell(cell))
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw wrong(`${words}: ${cause.message}`)
  }
}

const MAX_AMOUNT = 2n ** 64n

function amountOf({ amount }: Transfer, index: number): bigint {
  if (amount === '') throw wrong(`amount in message at index ${index} cannot be empty`)
  const value = /^\d{1,20}$/.test(amount) ? BigInt(amount) : MAX_AMOUNT
  if (value < MAX_AMOUNT) return value
  throw wrong(`invalid amount in message at index ${index}: '${clip(amount)}' is not a number of nanotons`)
}

/** The internal message the wallet is to send. */
async function outgoing(transfer: Transfer, index: number, now: number, slicing: Slicing): Promise<Cell> {
  const { address, payload, stateInit } = transfer
  if (address === '') throw wrong(`message at index ${index} cannot be empty`)
  const dest = parseAddress(address)
  if (dest === null) throw wrong(`invalid address in message at index ${index}: '${clip(address)}'`)
  const info = {
    kind: 'internal',
    ihrDisabled: true,
    bounce: dest.bounceable,
    bounced: false,
    src: null,
    dest: stdAddress(dest.workchain, dest.hash),
    value: { grams: amountOf(transfer, index), other: extraCurrencyDict(transfer.extra_currency ?? {}) },
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: now,
  } as const
  const body = payload ? await cellIn(payload, `invalid message payload at index ${index}`, slicing) : beginCell().end()
  const words = `invalid message stateInit at index ${index}`
  const init = stateInit ? initIn(await cellIn(stateInit, words, slicing), words) : null
  return toCell({ info, init, initInRef: true, body, bodyInRef: Boolean(payload) }, storeMessage)
}

/** Seconds, of a time that may be in milliseconds, microseconds or nanoseconds. */
function inSeconds(time: number): number {
  const unit = time > 1e18 ? 1e9 : time > 1e15 ? 1e6 : time > 1e12 ? 1e3 : 1
  return Math.floor(time / unit)
}

const refused = (text: string): ApiError => new ApiError('notEmulated', text)

export interface ReadWallet {
  readonly kind: WalletKind
  readonly seqno: number
  readonly walletId: number
}

const KNOWN = new Set(['wallet_v3r1', 'wallet_v3r2', 'wallet_v4r1', 'wallet_v4r2', 'wallet_v5r1'])

/** Clients know an account that does not exist by these words of toncenter. */
const NO_ACCOUNT = 'Failed to fetch account state: Account not found in accounts_dict'

/** The wallet an account is, or will be with `given`. Throws ApiError `notEmulated` for a wallet of an unknown kind. */
export function walletOf(account: Account | null, given: StateInit | null): ReadWallet {
  if (account === null && given === null) throw refused(NO_ACCOUNT)
  const init = given ?? trialInitOf(account)
  if (init?.code == null || init.data === null) throw refused('Account state no code or no data')
  const kind = walletKindOf(init.code.hash())
  if (kind === null) throw refused('Account is not a known wallet')
  const data = walletDataOf(kind, init.data)
  if (!KNOWN.has(kind.interfaceName) || data?.walletId == null)
    throw refused(`Unsupported wallet type: ${kind.interfaceName}`)
  return { kind, seqno: data.seqno, walletId: data.walletId }
}

/** The address in `from`. Throws ApiError. */
export function senderOf({ from }: Pick<Query, 'from'>): ParsedAddress {
  if (from === '') throw wrong('from address is required for emulation')
  const address = parseAddress(from)
  if (address === null) throw refused(`Invalid address format: ${clip(from)}`)
  return address
}

/** Of a wallet v5: each message in front of the one before. */
function outList(messages: readonly Cell[]): Cell {
  let list = beginCell().end()
  for (const message of messages)
    list = beginCell().storeRef(list).storeUint(SEND_MESSAGE, 32).storeUint(MODE, 8).storeRef(message).end()
  return list
}

function storeOrders(builder: Builder, messages: readonly Cell[]): Builder {
  for (const message of messages) builder.storeUint(MODE, 8).storeRef(message)
  return builder
}

function bodyOf({ kind, seqno, walletId }: ReadWallet, messages: readonly Cell[], validUntil: number): Cell {
  if (kind.interfaceName === 'wallet_v5r1')
    return beginCell()
      .storeUint(SIGNED_V5, 32)
      .storeUint(walletId, 32)
      .storeUint(validUntil, 32)
      .storeUint(seqno, 32)
      .storeMaybeRef(outList(messages))
      .storeBit(0)
      .storeBytes(SIGNATURE)
      .end()
  const head = beginCell().storeBytes(SIGNATURE).storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32)
  if (kind.interfaceName.startsWith('wallet_v4')) head.storeUint(0, 8)
  return storeOrders(head, messages).end()
}

/** The messages of a request. Rejects with ApiError `invalidParams` for what cannot be sent. */
export async function transfersOf(
  { messages }: Pick<Query, 'messages'>,
  now: number,
  slicing: Slicing,
): Promise<readonly Cell[]> {
  if (messages.length === 0) throw wrong('messages array cannot be empty')
  const cells: Cell[] = []
  for (const [i, one] of messages.entries()) cells.push(await outgoing(one, i, now, slicing))
  return cells
}

export interface ComposedOrder {
  readonly wallet: AccountId
  readonly read: ReadWallet
  readonly transfers: readonly Cell[]
  readonly validUntil: number | undefined
  /** Of a wallet that is not deployed. */
  readonly init: StateInit | null
}

/** Throws ApiError when it is more than the wallet sends at once. */
export function composeExternal({ wallet, read, transfers, validUntil, init }: ComposedOrder, now: number): Cell {
  const { interfaceName } = read.kind
  if (interfaceName !== 'wallet_v5r1' && transfers.length > MOST_MESSAGES)
    throw wrong(`messages array cannot contain more than ${MOST_MESSAGES} messages`)
  const isOwnTime = validUntil !== undefined && !interfaceName.startsWith('wallet_v3')
  const until = Math.min(isOwnTime ? inSeconds(validUntil) : now + LIFETIME_S, 2 ** 32 - 1)
  const dest = stdAddress(wallet.workchain, wallet.hash)
  const info = { kind: 'externalIn', src: null, dest, importFee: 0n } as const
  return toCell(makeMessage(info, init, bodyOf(read, transfers, until)), storeMessage)
}
