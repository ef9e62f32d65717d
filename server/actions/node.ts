// The tree of a trace: a node per transaction, under the one that sent its message, and a leaf per message that left the
// chain.

import { type Cell, CellError, openCell, orNull, readBoc, type Slice } from '../cell/index.ts'
import type { TraceInput, TraceMessage, TraceTransaction } from './input.ts'

/** Nodes, or blocks, that are gone through in one piece. */
export const NODES_AT_ONCE = 100

export class Node {
  /** Of a leaf: the one that sent the message. */
  readonly transaction: TraceTransaction
  readonly message: TraceMessage | null
  readonly parent: Node | null
  readonly children: Node[] = []
  /** Whether a message behind it has not been received yet, as in a pending trace. */
  isUnfinished = false
  #body: Cell | null | undefined

  constructor(transaction: TraceTransaction, message: TraceMessage | null, parent: Node | null) {
    this.transaction = transaction
    this.message = message
    this.parent = parent
  }

  /** When its message was created, or its transaction happened when it has none or that one bears no time. */
  get lt(): bigint {
    return this.message?.createdLt ?? this.transaction.lt
  }

  get utime(): number {
    return this.message?.createdAt ?? this.transaction.now
  }

  /** What the id of an action it begins is made from. */
  get key(): string {
    return this.message?.hash ?? this.transaction.hash
  }

  /** Whether its message never was. */
  get isUnsent(): boolean {
    return false
  }

  get isLeaf(): boolean {
    return this.message?.kind === 'externalOut'
  }

  /** The body of its message; null when there is none or it cannot be read. */
  get body(): Cell | null {
    if (this.#body === undefined) this.#body = this.message === null ? null : cellOf(this.message.body)
    return this.#body
  }

  /** The same, to read from. */
  openBody(): Slice {
    if (this.body === null) throw new CellError('value', 'there is no body')
    return openCell(this.body)
  }
}

/** A message a wallet was ordered to send and did not; `order` is its position in the request. */
export class UnsentNode extends Node {
  readonly #key: string

  constructor(wallet: Node, order: { readonly message: Cell; readonly index: number }) {
    super(wallet.transaction, null, wallet)
    const hash = Buffer.from(order.message.hashBytes()).toString('base64')
    this.#key = Buffer.from(`${hash}${order.index}`).toString('base64')
  }

  override get key(): string {
    return this.#key
  }

  override get isUnsent(): boolean {
    return true
  }
}

const LIMITS = { isConstant: true, maxRoots: 1 } as const

/** The root of a bag of cells that stays as it is; null for any other bytes. */
export const cellOf = (boc: Uint8Array | null): Cell | null =>
  boc === null ? null : orNull(() => readBoc(boc, LIMITS))

const byLt = (a: TraceMessage, b: TraceMessage): number => {
  const of = a.createdLt ?? 0n
  const than = b.createdLt ?? 0n
  return of < than ? -1 : of > than ? 1 : 0
}

/** The node of the first transaction; null for a trace without one. */
export function* growingTree({
  traceId,
  transactions,
}: Pick<TraceInput, 'traceId' | 'transactions'>): Generator<void, Node | null> {
  const receivers = new Map<string, TraceTransaction>()
  for (const transaction of transactions)
    if (transaction.inMessage !== null) receivers.set(transaction.inMessage.hash, transaction)
  const first = transactions.find(({ hash }) => hash === traceId) ?? transactions[0]
  if (first === undefined) return null
  const root = new Node(first, first.inMessage, null)
  const waiting = [root]
  let nodes = 0
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const message of node.transaction.outMessages.toSorted(byLt)) {
      const child = childOf(node, message, receivers)
      if (child === null) {
        markUnfinished(node)
        continue
      }
      node.children.push(child)
      if (!child.isLeaf) waiting.push(child)
    }
    if (++nodes % NODES_AT_ONCE === 0) yield
  }
  return root
}

function markUnfinished(node: Node): void {
  for (let at: Node | null = node; at !== null && !at.isUnfinished; at = at.parent) at.isUnfinished = true
}

function childOf(node: Node, message: TraceMessage, receivers: Map<string, TraceTransaction>): Node | null {
  if (message.kind === 'externalOut') return new Node(node.transaction, message, node)
  const receiver = receivers.get(message.hash)
  if (receiver === undefined) return null
  // Each is received once, so a trace that claims otherwise has no circles here.
  receivers.delete(message.hash)
  return new Node(receiver, receiver.inMessage, node)
}
