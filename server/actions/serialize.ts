// Blocks become rows. A block whose type newer clients know and older ones do not brings its parts as well, marked with
// what they are parts of.

import { hash } from 'node:crypto'
import type { ClassifiedAction } from './action.ts'
import type { ActionBlock, Description } from './actionBlock.ts'
import { CALL, isOnlyWords } from './base.ts'
import { Distinct } from './distinct.ts'
import { GASLESS_REQUEST } from './gaslessType.ts'
import { NODES_AT_ONCE, type Node } from './node.ts'
import { FIRST_VERSION } from './supportedTypes.ts'

export function* serializing(blocks: readonly ActionBlock[]): Generator<void, ClassifiedAction[]> {
  const requests = new Map<Node, string>()
  for (const block of blocks) if (block.type === GASLESS_REQUEST) requests.set(block.first, actionId(block))
  const actions: ClassifiedAction[] = []
  const ids = new Set<string>()
  const add = (block: ActionBlock, parent: string | null, ancestors: readonly string[]): void => {
    if (isOneSided(block)) return
    const id = actionId(block)
    // Of two of one name the outer one stays.
    if (ids.has(id)) return
    ids.add(id)
    actions.push(actionOf({ block, parent, ancestors }, id, requests))
    if (block.parts.length === 0 || isFlat(block)) return
    const { shownAs } = block.content
    const within = ancestors.includes(shownAs) ? ancestors : [...ancestors, shownAs]
    for (const part of block.parts) if (part.type !== 'contract_deploy') add(part, id, within)
  }
  let written = 0
  for (const block of blocks) {
    add(block, null, NO_TYPES)
    if (actions.length < written + NODES_AT_ONCE) continue
    written = actions.length
    yield
  }
  return actions
}

interface Place {
  readonly block: ActionBlock
  /** Id of the action it is a part of. */
  readonly parent: string | null
  /** Types of those around it, each once. */
  readonly ancestors: readonly string[]
}

const NO_TYPES: readonly string[] = []

/** An external message has one party only and is no action. */
function isOneSided(block: ActionBlock): boolean {
  const call = CALL.of(block)
  return call !== undefined && (call.source === null || call.destination === null)
}

const isFlat = ({ type, content }: ActionBlock): boolean => content.isFlat || FIRST_VERSION.has(type)

const actionId = (block: ActionBlock): string => hash('sha256', block.first.key + block.type, 'base64')

/** The outermost request inside a message that a block goes back to. */
function gaslessAction(block: ActionBlock, requests: ReadonlyMap<Node, string>): string | null {
  let found: string | null = null
  for (let node = block.first.parent; node !== null && requests.size > 0; node = node.parent)
    found = requests.get(node) ?? found
  return found
}

interface Span {
  startLt: bigint
  endLt: bigint
  startUtime: number
  endUtime: number
}

function spanOf(nodes: readonly Node[]): Span {
  const [first] = nodes
  if (first === undefined) throw new Error('A block without a node')
  const { lt, now } = first.transaction
  const span = { startLt: first.lt, endLt: lt, startUtime: first.utime, endUtime: now }
  for (let i = 1; i < nodes.length; i++) {
    const node = nodes[i] ?? first
    const { transaction } = node
    if (node.lt < span.startLt) span.startLt = node.lt
    if (transaction.lt > span.endLt) span.endLt = transaction.lt
    if (node.utime < span.startUtime) span.startUtime = node.utime
    if (transaction.now > span.endUtime) span.endUtime = transaction.now
  }
  return span
}

const gathered = new Distinct()

/** Of a block, and that of the message that began it. */
function transactionsOf({ nodes, first: { parent } }: ActionBlock): string[] {
  for (const { transaction } of nodes) gathered.add(transaction.hash)
  gathered.add(parent?.transaction.hash)
  return gathered.take()
}

/** Of the transactions, and those that are said to take part. */
function accountsOf({ nodes, first: { parent } }: ActionBlock, { roles, accounts = [] }: Description): string[] {
  for (const { transaction } of nodes) gathered.add(transaction.account)
  gathered.add(parent?.transaction.account)
  gathered.add(roles.source)
  gathered.add(roles.sourceSecondary)
  if (!nodes.some((node) => node.isUnsent)) {
    gathered.add(roles.destination)
    gathered.add(roles.destinationSecondary)
  }
  for (const account of accounts) gathered.add(account)
  return gathered.take()
}

function actionOf(
  { block, parent, ancestors }: Place,
  id: string,
  requests: ReadonlyMap<Node, string>,
): ClassifiedAction {
  const { nodes, content, failed } = block
  const description = content.describe(block)
  const { roles, details } = description
  const { startLt, endLt, startUtime, endUtime } = spanOf(nodes)
  return {
    actionId: id,
    type: content.shownAs,
    success: !failed || isOnlyWords(block),
    startLt,
    endLt,
    startUtime,
    endUtime,
    transactions: transactionsOf(block),
    accounts: accountsOf(block, description),
    roles,
    details,
    parentActionId: parent,
    ancestorTypes: ancestors,
    parentGaslessAction: gaslessAction(block, requests),
  }
}
