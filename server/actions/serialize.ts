// Blocks become rows. A block whose type newer clients know and older ones do not brings its parts as well, marked with
// what they are parts of.

import { sha256 } from '../cell/index.ts'
import type { Action } from './action.ts'
import { CALL } from './base.ts'
import type { Block } from './block.ts'
import { GASLESS_REQUEST } from './gaslessType.ts'
import type { Node } from './node.ts'
import { FIRST_VERSION } from './supportedTypes.ts'

export function serialize(blocks: readonly Block[]): Action[] {
  const requests = new Map<Node, string>()
  for (const block of blocks) if (block.type === GASLESS_REQUEST) requests.set(block.first, actionId(block))
  const actions: Action[] = []
  const ids = new Set<string>()
  const waiting: Place[] = blocks.map((block) => ({ block, parent: null, ancestors: [] })).reverse()
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { block, ancestors } = place
    if (isOneSided(block)) continue
    const id = actionId(block)
    // Of two of one name the outer one stays.
    if (ids.has(id)) continue
    ids.add(id)
    actions.push(actionOf(place, id, requests))
    if (isFlat(block)) continue
    const within = [...ancestors, block.content.shownAs]
    for (const part of block.parts.toReversed())
      if (part.type !== 'contract_deploy') waiting.push({ block: part, parent: id, ancestors: within })
  }
  return actions
}

interface Place {
  readonly block: Block
  /** Id of the action it is a part of. */
  readonly parent: string | null
  readonly ancestors: readonly string[]
}

/** An external message has one party only and is no action. */
function isOneSided(block: Block): boolean {
  const call = CALL.of(block)
  return call !== undefined && (call.source === null || call.destination === null)
}

const isFlat = ({ type, content }: Block): boolean => content.isFlat || FIRST_VERSION.has(type)

const base64Hash = (text: string): string => Buffer.from(sha256(Buffer.from(text)), 'latin1').toString('base64')

const actionId = (block: Block): string => base64Hash(block.first.key + block.type)

/** The outermost request inside a message that a block goes back to. */
function gaslessAction(block: Block, requests: ReadonlyMap<Node, string>): string | null {
  let found: string | null = null
  for (let node = block.first.parent; node !== null && requests.size > 0; node = node.parent)
    found = requests.get(node) ?? found
  return found
}

const least = <T extends bigint | number>(values: readonly T[]): T => values.reduce((a, b) => (b < a ? b : a))
const most = <T extends bigint | number>(values: readonly T[]): T => values.reduce((a, b) => (b > a ? b : a))

function actionOf({ block, parent, ancestors }: Place, id: string, requests: ReadonlyMap<Node, string>): Action {
  const { nodes, content, failed } = block
  const { roles, details, accounts = [] } = content.describe(block)
  const initiating = block.first.parent
  const involved: readonly Node[] = initiating === null ? nodes : [...nodes, initiating]
  const { source, sourceSecondary, destination, destinationSecondary } = roles
  const isGhost = nodes.some((node) => node.isGhost)
  const concerned = [
    ...involved.map(({ transaction }) => transaction.account),
    ...[source, sourceSecondary],
    ...(isGhost ? [] : [destination, destinationSecondary]),
    ...accounts,
  ]
  return {
    actionId: id,
    type: content.shownAs,
    success: !failed,
    startLt: least(nodes.map(({ lt }) => lt)),
    endLt: most(nodes.map(({ transaction }) => transaction.lt)),
    startUtime: least(nodes.map(({ utime }) => utime)),
    endUtime: most(nodes.map(({ transaction }) => transaction.now)),
    transactions: [...new Set(involved.map(({ transaction }) => transaction.hash))],
    accounts: [...new Set(concerned.filter((account) => typeof account === 'string'))],
    roles,
    details,
    parentActionId: parent,
    ancestorTypes: [...new Set(ancestors)],
    parentGaslessAction: gaslessAction(block, requests),
  }
}
