// The tree of a trace, made when it is read: each transaction is a child of the one that sent the message it received.

import type { TraceNode } from '../../../../shared/v3/traces.ts'
import { base64Of } from '../../../cell/index.ts'
import type { TransactionFound } from '../../../store/index.ts'

export interface TraceTree {
  /** The first transaction and all below it; null without one, or when it is too deep for JSON. */
  readonly root: TraceNode | null
  readonly warning: string | null
}

/** A trace with more transactions is shown without them. */
export const MOST_OF_TRACE = 4000
export const TRACE_TOO_LARGE = 'trace is too large'

const MISSING = 'missing node in trace found'
const TOO_DEEP = 'trace is too deep'

/** JSON parsers limit the nesting of objects, that of JavaScript included. */
const DEEPEST = 1000

/** What decides the position of a transaction in the tree: hashes in base64. */
export interface TreePart {
  readonly hash: string
  readonly inMsgHash: string | null
  /** Of the messages it sent. */
  readonly sent: readonly string[]
}

export const treePartOf = ({ row, outMessages }: Pick<TransactionFound, 'row' | 'outMessages'>): TreePart => ({
  hash: base64Of(row.hash),
  inMsgHash: row.inMsgHash === null ? null : base64Of(row.inMsgHash),
  sent: outMessages.map(({ hash }) => base64Of(hash)),
})

interface Placed {
  readonly node: TraceNode
  readonly depth: number
}

/** In the order they come, which has every sender before those it sent to. */
export function treeOf(transactions: readonly TreePart[]): TraceTree {
  /** Sender of a message that is not received yet. */
  const senders = new Map<string, Placed>()
  let root: TraceNode | null = null
  let deepest = 0
  let missing = false
  for (const { hash, inMsgHash, sent } of transactions) {
    const sender = inMsgHash === null ? undefined : senders.get(inMsgHash)
    const node: TraceNode = {
      tx_hash: hash,
      children: [],
      ...(inMsgHash === null ? {} : { in_msg_hash: inMsgHash }),
    }
    const placed = { node, depth: (sender?.depth ?? 0) + 1 }
    if (sender !== undefined) {
      sender.node.children.push(node)
      senders.delete(inMsgHash ?? '')
    } else if (root === null) root = node
    else missing = true
    deepest = Math.max(deepest, placed.depth)
    for (const message of sent) senders.set(message, placed)
  }
  if (deepest > DEEPEST) return { root: null, warning: TOO_DEEP }
  return { root, warning: missing ? MISSING : null }
}
