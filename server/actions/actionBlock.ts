// Blocks: what nodes of a trace mean. Each begins as one node; rules join neighbours into a new block, which takes their
// place in the tree and keeps them as its parts.

import type { ClassifiedDetails, Roles } from './action.ts'
import type { Node } from './node.ts'

export interface Description {
  readonly roles: Roles
  readonly details: ClassifiedDetails
  /** Accounts concerned in addition to the participants. */
  readonly accounts?: readonly (string | null | undefined)[]
}

/** What a block says. Made by a kind. */
export interface Content {
  /** The internal type, which the id of an action is made from. */
  readonly type: string
  readonly shownAs: string
  readonly isFlat: boolean
  describe(block: ActionBlock): Description
}

export class ActionBlock {
  readonly nodes: readonly Node[]
  /** The blocks this one was merged from, and the deployments next to it. */
  readonly parts: ActionBlock[]
  readonly content: Content
  readonly failed: boolean
  /** Accounts that were brought to life in it. */
  readonly deployments: ReadonlySet<string>
  /** Of a plain call that is no part of anything else; null for everything else. */
  readonly callOpcode: number | null
  previous: ActionBlock | null = null
  /** Of a plain block: in the order they were sent. */
  next: ActionBlock[]
  /** Its position in `next` of the previous one, or a later one: blocks are only taken out of it. */
  at = 0
  /** The block this one became a part of. */
  whole: ActionBlock | null = null
  #first: Node | null = null

  /** The parts become its own. */
  constructor({ nodes, parts, content, failed, deployments, callOpcode, next = [] }: BlockParts) {
    this.callOpcode = callOpcode
    this.nodes = nodes
    this.parts = parts
    this.content = content
    this.failed = failed
    this.deployments = deployments
    this.next = next
  }

  get type(): string {
    return this.content.type
  }

  /** The node whose message came first. */
  get first(): Node {
    this.#first ??= firstOf(this.nodes)
    return this.#first
  }
}

function firstOf(nodes: readonly Node[]): Node {
  const [only] = nodes
  if (only !== undefined && nodes.length === 1) return only
  return nodes.reduce((least, node) => (node.lt < least.lt ? node : least))
}

interface BlockParts {
  readonly nodes: readonly Node[]
  readonly parts: ActionBlock[]
  readonly content: Content
  readonly failed: boolean
  readonly deployments: ReadonlySet<string>
  readonly callOpcode: number | null
  readonly next?: ActionBlock[]
}

/** Whether each but one follows another of them. */
export function hangTogether(members: ReadonlySet<ActionBlock>): boolean {
  let firsts = 0
  for (const member of members) if (isFirst(member, members)) firsts++
  return firsts === 1
}

const isFirst = ({ previous }: ActionBlock, members: ReadonlySet<ActionBlock>): boolean =>
  previous === null || !members.has(previous)

/** Whether another of them comes anywhere before it. */
function isBehind({ previous }: ActionBlock, members: ReadonlySet<ActionBlock>): boolean {
  for (let block = previous; block !== null; block = block.previous) if (members.has(block)) return true
  return false
}

/** One for all that have none: most blocks, and a set takes more than the rest of a small one. */
export const NO_ACCOUNTS: ReadonlySet<string> = new Set()

/** Joins blocks into one, in the place of the one before all others: what is between them then follows it. */
export function join(members: ReadonlySet<ActionBlock>, content: Content, failed: boolean): ActionBlock {
  const parts = [...members]
  const first = parts.find((member) => !isBehind(member, members))
  if (first === undefined) throw new Error('A block of nothing')
  const next = followersOf(members)
  const whole = new ActionBlock({
    nodes: parts.length === 1 ? first.nodes : parts.flatMap(({ nodes }) => nodes),
    parts,
    content,
    failed,
    deployments: deploymentsIn(parts, next),
    callOpcode: null,
    next,
  })
  whole.previous = first.previous
  if (first.previous !== null) {
    whole.at = positionOf(first, first.previous)
    first.previous.next[whole.at] = whole
  }
  for (const member of parts)
    if (member !== first && member.previous !== null && isFirst(member, members)) remove(member, member.previous)
  for (let at = 0; at < next.length; at++) {
    const follower = next[at] ?? whole
    follower.previous = whole
    follower.at = at
  }
  for (const member of parts) {
    member.whole = whole
    member.previous = null
    member.next = []
  }
  return whole
}

/** What follows blocks and is not among them. */
function followersOf(members: ReadonlySet<ActionBlock>): ActionBlock[] {
  const followers: ActionBlock[] = []
  for (const { next } of members) for (const follower of next) if (!members.has(follower)) followers.push(follower)
  return followers
}

function deploymentsIn(parts: readonly ActionBlock[], next: readonly ActionBlock[]): ReadonlySet<string> {
  const isNone = ({ deployments }: ActionBlock): boolean => deployments.size === 0
  if (parts.every(isNone) && next.every(isNone)) return NO_ACCOUNTS
  return new Set([...parts, ...next].flatMap(({ deployments }) => [...deployments]))
}

/** Backwards from where it was: thousands may follow one block, and each may be joined. */
const positionOf = (block: ActionBlock, previous: ActionBlock): number => previous.next.lastIndexOf(block, block.at)

function remove(block: ActionBlock, previous: ActionBlock): void {
  const at = positionOf(block, previous)
  if (at >= 0) previous.next.splice(at, 1)
}

/** The block and all that follow it, nearest first. */
export function following(root: ActionBlock): ActionBlock[] {
  const found = [root]
  for (let at = 0; at < found.length; at++) for (const next of found[at]?.next ?? []) found.push(next)
  return found
}
