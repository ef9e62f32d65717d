// Reading bodies: what any rule needs of a message's cell.

import type { FieldName, Layout, Payload } from '../bodies/index.ts'
import {
  beginCell,
  bytesText,
  type Cell,
  CellError,
  loadAddress,
  type MessageAddress,
  orNull,
  type Slice,
  writeBocText,
} from '../cell/index.ts'
import { addressedAccount, type ExtraCurrencies } from '../tlb/index.ts'
import type { ActionBlock } from './actionBlock.ts'

/** The account an address means, as it is written everywhere; null for none, and for an address that no account has. */
export function addressText(address: MessageAddress): string | null {
  const account = addressedAccount(address)
  return account && `${account.workchain}:${hexOfBytes(account.id).toUpperCase()}`
}

export const readAddress = (slice: Slice): string | null => addressText(loadAddress(slice))

/** What reads the named fields of a body behind its operation, or all of them; addresses become texts. */
export const fieldsOf = <L extends string, Last, N extends FieldName<L>>(
  layout: Layout<L, Last>,
  ...names: readonly N[]
) => layout.reader(addressText, ...names)

/** A forwarded payload to read from; null when there is none, when it is empty, or for a cell that is not ordinary. */
export function openPayload(payload: Payload | null): Slice | null {
  const slice = payload === null ? null : orNull(() => payload.open())
  return slice === null || slice.isEmpty ? null : slice
}

/** What `read` makes of the body behind the operation of the block's first message; null when it cannot be read. */
export const readBody = <T>(block: ActionBlock, read: (body: Slice) => T): T | null =>
  orNull(() => read(block.first.openBody().skip(32)))

const PLAIN = 0

/** A cell as payloads are shown, with CRC32C. */
export const cellText = (cell: Cell): string => writeBocText(cell)

/** A cell as orders and messages are shown, without CRC. */
export const plainCellText = (cell: Cell): string => writeBocText(cell, PLAIN)

/** What is left, as a cell of its own. */
export const restAsCell = (slice: Slice): Cell => beginCell().storeSlice(slice.loadRest()).end()

/** A node lets a message carry two. A few cells that share subtrees can claim any number. */
const MOST_CURRENCIES = 255

/** Amounts of extra currencies by id, as they are shown. */
export function currenciesText(currencies: ExtraCurrencies): Record<string, string> {
  const shown: [string, string][] = []
  for (const [id, amount] of currencies) {
    if (shown.length === MOST_CURRENCIES) throw new CellError('value', `over ${MOST_CURRENCIES} currencies`)
    shown.push([String(id), String(amount)])
  }
  return Object.fromEntries(shown)
}

/** Hex of bytes, lowercase. */
export const hexOfBytes = (bytes: Uint8Array): string => bytesText(bytes, 'hex')
