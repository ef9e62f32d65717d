// The messages of a trace, each once: by the transaction that received it, or that sent it where none has received it.

import { bytesText } from '../../cell/index.ts'
import type { MessageRow } from '../../store/index.ts'
import type { LiveNode, LiveTrace } from './liveTrace.ts'

export interface LiveMessage {
  readonly row: MessageRow
  /** The transaction that received it; null while no block has one. */
  readonly receiver: Uint8Array | null
  /** The transaction that sent it; null for one from outside, and while no block has one. */
  readonly sender: Uint8Array | null
}

const keyOf = ({ hash }: MessageRow): string => bytesText(hash, 'latin1')

const known = new WeakMap<LiveTrace, readonly LiveMessage[]>()

/** In one order. Of a trace that is too large, those of the transactions it has been read with. */
export function messagesOfTrace(trace: LiveTrace): readonly LiveMessage[] {
  const found = known.get(trace) ?? joined(trace)
  known.set(trace, found)
  return found
}

/** Predicted transactions get other hashes in their blocks. */
const hashInBlock = (node: LiveNode | undefined): Uint8Array | null =>
  node === undefined || node.finality === 'pending' ? null : node.found.row.hash

function joined({ nodes, isTooLarge }: LiveTrace): readonly LiveMessage[] {
  const unreceived = new Map<string, LiveNode>()
  for (const node of nodes) for (const row of node.found.outMessages) unreceived.set(keyOf(row), node)
  const all: LiveMessage[] = []
  for (const node of nodes) {
    const row = node.found.inMessage
    if (row === null) continue
    // The sender may be in another part.
    const sender = isTooLarge === true ? row.outTxHash : hashInBlock(unreceived.get(keyOf(row)))
    all.push({ row, receiver: hashInBlock(node), sender })
    unreceived.delete(keyOf(row))
  }
  // One to an account is received, by a transaction that may be in another part.
  for (const node of nodes)
    for (const row of node.found.outMessages)
      if (unreceived.has(keyOf(row)) && !(isTooLarge === true && row.kind === 'internal'))
        all.push({ row, receiver: null, sender: hashInBlock(node) })
  return all
}
