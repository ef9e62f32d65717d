// Traces as text: bytes from what the database sent to the reply, without strings of whole transactions between.

import type { z } from 'zod'
import type { Trace, TraceNode } from '../../../../shared/v3/traces.ts'
import { base64Of } from '../../../cell/index.ts'
import type { Slicing } from '../../../fairness/index.ts'
import type { TraceRow, UnpackedText } from '../../../store/index.ts'
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, QUOTE } from '../../view/jsonCodes.ts'
import { TRACE_TOO_LARGE, treeOf } from '../../view/v3/traceTree.ts'
import { LargeText } from '../../view/v3/transaction.ts'
import { Written } from '../../written.ts'
import { addArray } from '../texts/addArray.ts'
import { addText } from '../texts/storedText.ts'
import { textInSlices } from '../texts/textInSlices.ts'
import { addRows } from '../texts/writeRows.ts'
import type { WrittenPart } from './writtenTransactions.ts'

type OnWire = z.output<typeof Trace>

/** A trace with what is shown of it. */
export interface TraceToWrite {
  readonly row: TraceRow
  /** In their order; null to say nothing of them. */
  readonly parts: readonly WrittenPart[] | null
  /** Whether the parts are all of its transactions. */
  readonly isWhole: boolean
  /** Texts of its actions, when they are requested. */
  readonly actions?: readonly Buffer[] | undefined
  readonly changes?: OnWire['balance_changes']
}

/** Of so many transactions an order or a tree is soon made. */
const FEW = 500

/** Fields of every trace, however large: none of their texts has a character that JSON would change. */
const headOf = (row: TraceRow): string =>
  `"trace_id":"${base64Of(row.traceId)}",` +
  `"external_hash":${row.externalHash === null ? 'null' : `"${base64Of(row.externalHash)}"`},` +
  `"mc_seqno_start":"${row.mcSeqnoStart}","mc_seqno_end":"${row.mcSeqnoEnd}",` +
  `"start_lt":"${row.startLt}","start_utime":${row.startUtime},"end_lt":"${row.endLt}","end_utime":${row.endUtime},` +
  `"trace_info":{"trace_state":"${row.state}","messages":${row.edges},"transactions":${row.nodes},` +
  `"pending_messages":${row.pendingEdges},"classification_state":"${row.classification}"}`

/** A hash in base64. */
function addQuoted(hash: string, to: UnpackedText): void {
  to.byte(QUOTE)
  to.ascii(hash)
  to.byte(QUOTE)
}

const byHash = (a: WrittenPart, b: WrittenPart): number => (a.hash < b.hash ? -1 : 1)

/** Transactions in their order, and by hash: by key, so that equal results are equal texts. */
function* addParts(parts: readonly WrittenPart[], to: UnpackedText): Generator<boolean> {
  to.string(',"transactions_order":')
  yield* addRows(parts, ({ hash }) => addQuoted(hash, to), to)
  to.string(',"transactions":{')
  const sorted = [...parts].sort(byHash)
  yield parts.length > FEW
  let isFirst = true
  for (const { hash, text } of sorted) {
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    addQuoted(hash, to)
    to.byte(COLON)
    if (text instanceof LargeText) yield* text.add(to)
    else if (text instanceof Written) to.string(text.json)
    else addText(text, to)
    yield false
  }
  to.byte(CLOSE_OBJECT)
}

/** A node and all below it: no deeper than `treeOf` makes them. */
function addNode({ tx_hash, in_msg_hash, children }: TraceNode, to: UnpackedText): void {
  to.ascii('{"tx_hash":"')
  to.ascii(tx_hash)
  to.ascii('","children":[')
  let isFirst = true
  for (const child of children) {
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    addNode(child, to)
  }
  to.byte(CLOSE_LIST)
  if (in_msg_hash !== undefined) {
    to.ascii(',"in_msg_hash":"')
    to.ascii(in_msg_hash)
    to.byte(QUOTE)
  }
  to.byte(CLOSE_OBJECT)
}

function* addTree(parts: readonly WrittenPart[], to: UnpackedText): Generator<boolean> {
  const { root, warning } = treeOf(parts)
  yield parts.length > FEW
  if (warning !== null) to.string(`,"warning":${JSON.stringify(warning)}`)
  if (root === null) return
  to.string(',"trace":')
  addNode(root, to)
  yield parts.length > FEW
}

function* addTrace({ row, parts, isWhole, actions, changes }: TraceToWrite, to: UnpackedText): Generator<boolean> {
  to.string(isWhole ? '{"is_incomplete":false' : `{"is_incomplete":true,"warning":"${TRACE_TOO_LARGE}"`)
  if (parts !== null) yield* addParts(parts, to)
  to.string(`,${headOf(row)}`)
  if (isWhole) yield* addTree(parts ?? [], to)
  if (actions !== undefined) {
    to.string(',"actions":')
    yield* addRows(actions, (action) => to.copy(action, 0, action.length), to)
  }
  if (changes !== undefined) to.string(`,"balance_changes":${JSON.stringify(changes)}`)
  to.byte(CLOSE_OBJECT)
}

/** The text of one. */
export const writeTrace = async (trace: TraceToWrite, slicing: Slicing | undefined): Promise<Written<OnWire>> =>
  new Written(await textInSlices((to) => addTrace(trace, to), slicing))

/** The text of a list. */
export const writeTraces = async (
  all: readonly TraceToWrite[],
  slicing: Slicing | undefined,
): Promise<Written<OnWire[]>> =>
  new Written(await textInSlices((to) => addArray(all, to, (trace) => addTrace(trace, to)), slicing))
