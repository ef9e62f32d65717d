// What an order is to do when enough owners agree: messages to send, or new owners.

import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { multisigsV3 } from '../../../../../shared/v3/assets/multisigs.ts'
import { multisigActions } from '../../../../bodies/index.ts'
import {
  type Cell,
  CellError,
  Dict,
  dictKind,
  type InternalAddress,
  loadInlineDict,
  loadInternalAddress,
  openCell,
  readingBoc,
  refValue,
  type Slice,
  storeAddress,
  uintKey,
  writeBocText,
} from '../../../../cell/index.ts'
import type { AccountKey } from '../../../../store/index.ts'
import { loadRelaxedMessage } from '../../../../tlb/index.ts'
import { accountsOfDetails } from '../action.ts'
import { parseBody } from './orderBodies.ts'
import { rawIn } from './orderParts.ts'

type OrderAction = NonNullable<Result<(typeof multisigsV3)['v3.multisig.orders']>['orders'][number]['actions']>[number]

const actionKind = dictKind(uintKey(8), refValue)

const ownerKind = dictKind(uintKey(8), {
  load: loadInternalAddress,
  store: (builder, address: InternalAddress) => {
    storeAddress(builder, address)
  },
})

const parsed = { parsed: true, error: null }

const readSend = multisigActions.sendMessage.reader(rawIn)
const readUpdate = multisigActions.updateParams.reader(rawIn)

function sendAction(slice: Slice): OrderAction {
  const { mode, message } = readSend(slice)
  const { info, body } = loadRelaxedMessage(openCell(message))
  const sent = info.kind === 'internal' ? info : null
  const { type, body: said } = parseBody(body)
  return {
    destination: sent && rawIn(sent.dest),
    value: sent && toDigits(sent.value.grams),
    body_raw: writeBocText(body),
    parsed_body: said,
    parsed_body_type: type,
    send_mode: mode,
    ...parsed,
  }
}

const nothing = { destination: null, value: null, body_raw: null, send_mode: 0 }

const listed = (owners: Iterable<readonly [bigint | number, InternalAddress]>): (string | null)[] | null => {
  const accounts = Array.from(owners, ([, address]) => rawIn(address))
  return accounts.length === 0 ? null : accounts
}

function updateAction(slice: Slice): OrderAction {
  const { threshold, signers, proposers } = readUpdate(slice)
  const body = {
    new_threshold: threshold,
    new_signers: listed(loadInlineDict(openCell(signers), ownerKind)),
    new_proposers: listed(new Dict(ownerKind, proposers)),
  }
  return { parsed_body: body, parsed_body_type: 'multisig_update_params', ...nothing, ...parsed }
}

function readAction(cell: Cell): OrderAction {
  const slice = openCell(cell)
  if (multisigActions.sendMessage.begins(slice)) return sendAction(slice)
  if (multisigActions.updateParams.begins(slice)) return updateAction(slice)
  const tag = slice.remainingBits < 32 ? 0 : slice.loadUint(32)
  throw new CellError('value', `unknown order action type: ${tag}`)
}

function actionOf(cell: Cell): OrderAction {
  try {
    return readAction(cell)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    const words = `failed to parse order action: ${error.message}`
    return { parsed: false, error: words, parsed_body: null, parsed_body_type: 'unknown', ...nothing }
  }
}

/** Maximum characters of bodies of one order: cells its actions share are written once for each of them. */
const MOST_TEXT = 1 << 20

export interface OrderActions {
  /** In the order they are done in. */
  readonly actions: OrderAction[]
  /** About as many characters as they take. */
  readonly text: number
}

/** Null for an order that is unreadable or too large. In pieces. */
export function* orderActions(order: Uint8Array): Generator<void, OrderActions | null> {
  try {
    return yield* readingActions(order)
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

function* readingActions(order: Uint8Array): Generator<void, OrderActions | null> {
  const actions: OrderAction[] = []
  let text = 0
  for (const [, cell] of loadInlineDict(openCell(yield* readingBoc(order)), actionKind)) {
    const action = actionOf(cell)
    // Once raw, once decoded.
    text += 2 * (action.body_raw?.length ?? 0)
    if (text > MOST_TEXT) return null
    actions.push(action)
    yield
  }
  return { actions, text }
}

/** Accounts in decoded actions. */
export const accountsOfActions = (actions: readonly OrderAction[]): AccountKey[] =>
  actions.flatMap(({ destination, parsed_body }) => accountsOfDetails([destination, parsed_body]))
