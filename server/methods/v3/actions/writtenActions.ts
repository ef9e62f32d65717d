// Actions as text, in slices.

import type { Slicing } from '../../../fairness/index.ts'
import { type ListedAction, UnpackedText } from '../../../store/index.ts'
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST } from '../../view/jsonCodes.ts'
import type { ActionOnWire } from '../../view/v3/action.ts'
import { addAction, addParties } from '../../view/v3/actionText.ts'
import { bufferOfSpan } from '../../view/v3/fieldBytes.ts'
import { LargeText } from '../../view/v3/transaction.ts'
import { Written } from '../../written.ts'
import { restingPieces } from '../texts/restingPieces.ts'
import { textInSlices } from '../texts/textInSlices.ts'

/** What an action is shown with, when it is requested. */
export interface ActionExtras {
  readonly accounts: boolean
  /** In pieces: an action may have thousands of transactions. */
  readonly changesOf: ((row: ListedAction) => Generator<void, ActionOnWire['balance_changes']>) | null
  /** Texts of its transactions. */
  readonly transactionsOf: ((row: ListedAction) => Iterable<LargeText | string>) | null
}

export interface WrittenActions {
  readonly text: Written<ActionOnWire[]>
  /** Accounts that details name, by their keys, with a character for each byte. */
  readonly names: ReadonlySet<string>
}

interface ActionList {
  readonly rows: readonly ListedAction[]
  readonly extras: ActionExtras
  /** Accounts in them are added. */
  readonly names: Set<string>
}

function* addList({ rows, extras, names }: ActionList, to: UnpackedText): Generator<boolean> {
  const { accounts, changesOf, transactionsOf } = extras
  to.byte(OPEN_LIST)
  for (const [i, row] of rows.entries()) {
    if (i > 0) to.byte(COMMA)
    addAction(row, to, names)
    if (accounts) addParties(row, to)
    if (changesOf !== null)
      to.string(`,"balance_changes":${JSON.stringify(yield* restingPieces(changesOf(row), true))}`)
    yield changesOf !== null
    if (transactionsOf !== null) {
      to.string(',"transactions_full":[')
      let isFirst = true
      for (const text of transactionsOf(row)) {
        if (!isFirst) to.byte(COMMA)
        isFirst = false
        if (text instanceof LargeText) yield* text.add(to)
        else to.string(text)
        yield true
      }
      to.byte(CLOSE_LIST)
    }
    to.byte(CLOSE_OBJECT)
    yield false
  }
  to.byte(CLOSE_LIST)
}

export async function writeActionList(
  rows: readonly ListedAction[],
  extras: ActionExtras,
  slicing: Slicing | undefined,
): Promise<WrittenActions> {
  const names = new Set<string>()
  const text = await textInSlices((to) => addList({ rows, extras, names }, to), slicing)
  return { text: new Written(text), names }
}

/** An action of a trace as text. */
export interface ActionText {
  readonly traceId: Uint8Array
  readonly text: Buffer
  /** As those of `WrittenActions`. */
  readonly names: ReadonlySet<string>
}

const scratch = new UnpackedText()

export function writeAction(row: ListedAction): ActionText {
  const names = new Set<string>()
  scratch.begin()
  addAction(row, scratch, names)
  scratch.byte(CLOSE_OBJECT)
  return { traceId: bufferOfSpan(row.traceId), text: scratch.takeBytes(), names }
}
