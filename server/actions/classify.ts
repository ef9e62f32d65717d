// From a trace to its actions: plain blocks, then each rule in its turn over all of them, then rows.

import { inOnePiece, orNull } from '../cell/index.ts'
import type { ClassifiedAction } from './action.ts'
import { type ActionBlock, following, hangTogether, join } from './actionBlock.ts'
import { cameBack, DEPLOY } from './base.ts'
import type { AccountsFacts, TraceInput } from './input.ts'
import { makingBlocks } from './makingBlocks.ts'
import { growingTree, NODES_AT_ONCE, type Node } from './node.ts'
import type { Match, Rule } from './rule.ts'
import { ACTION_RULES } from './rules/index.ts'
import { serializing } from './serialize.ts'
import { unknownAction } from './unknown.ts'
import { unsentBlocks } from './unsentMessages.ts'

export interface Classified {
  readonly actions: readonly ClassifiedAction[]
  /** What went wrong with the rules as a whole; the actions are then the plain messages. */
  readonly failure: unknown
}

export function classifyTrace(
  trace: TraceInput,
  facts: AccountsFacts,
  rules: readonly Rule[] = ACTION_RULES,
): Classified {
  return inOnePiece(classifyingTrace(trace, facts, rules))
}

/** The same in pieces: thousands of transactions take 50 ms and more. */
export function* classifyingTrace(
  trace: TraceInput,
  facts: AccountsFacts,
  rules: readonly Rule[] = ACTION_RULES,
): Generator<void, Classified> {
  const tree = yield* growingTree(trace)
  if (tree === null || isTickTockAlone(tree)) return { actions: [], failure: null }
  try {
    const blocks = yield* joiningBlocks(tree, facts, rules)
    return { actions: yield* makingActions(trace, tree, { blocks, facts }), failure: null }
  } catch (failure) {
    const blocks = withDeployments(following(yield* makingBlocks(tree)))
    return { actions: yield* serializing(blocks), failure }
  }
}

const isTickTockAlone = ({ transaction, children }: Node): boolean => transaction.isTickTock && children.length === 0

/** All blocks of the trace, and the deployments in them. */
function* joiningBlocks(tree: Node, facts: AccountsFacts, rules: readonly Rule[]): Generator<void, ActionBlock[]> {
  const joining = new Joining(yield* makingBlocks(tree), facts, rules)
  while (!joining.go()) yield
  return withDeployments(joining.blocks)
}

/** Where the rules are: plain loops, because those of a generator are slower. */
class Joining {
  readonly #facts: AccountsFacts
  readonly #rules: readonly Rule[]
  /** Of the trace; a match may replace it. */
  #first: ActionBlock
  #blocks: Blocks
  #rule = 0
  /** Blocks of the current rule that were seen, and those it has made. */
  #at = 0
  #made = new Set<ActionBlock>()

  constructor(first: ActionBlock, facts: AccountsFacts, rules: readonly Rule[]) {
    this.#facts = facts
    this.#rules = rules
    this.#first = first
    this.#blocks = new Blocks(first)
  }

  get blocks(): ActionBlock[] {
    return this.#blocks.all
  }

  /** Goes on with a piece; whether it was the last. */
  go(): boolean {
    for (let seen = 0; seen < NODES_AT_ONCE; ) {
      const rule = this.#rules[this.#rule]
      if (rule === undefined) return true
      const all = this.#blocks.beginning(rule)
      const end = Math.min(all.length, this.#at + NODES_AT_ONCE)
      const some = this.#at === 0 && end === all.length ? all : all.slice(this.#at, end)
      this.#apply(rule, some)
      seen += some.length
      this.#at = end
      if (end === all.length) this.#next()
    }
    return false
  }

  #next(): void {
    this.#rule++
    this.#at = 0
    if (this.#made.size === 0) return
    this.#blocks = new Blocks(this.#first)
    this.#made = new Set()
  }

  #apply(rule: Rule, blocks: readonly ActionBlock[]): void {
    for (const block of blocks) {
      if (block.whole !== null || !rule.begins(block)) continue
      const found = matchesOf(rule, block, this.#facts)
      if (found === null) continue
      for (const match of isMatch(found) ? [found] : found) {
        const joined = joinedBlock(match, this.#made)
        if (joined === null) continue
        this.#made.add(joined)
        if (match.blocks.has(this.#first)) this.#first = joined
      }
    }
  }
}

const NONE: readonly ActionBlock[] = []

/** All blocks from the first on. Most rules begin with calls of one operation, of which most traces have none. */
class Blocks {
  readonly all: ActionBlock[]
  #calls: Map<number, ActionBlock[]> | null = null

  constructor(first: ActionBlock) {
    this.all = following(first)
  }

  /** Those a match of a rule may begin with, in their order. */
  beginning({ begins }: Rule): readonly ActionBlock[] {
    if (!('opcodes' in begins)) return this.all
    this.#calls ??= callsAmong(this.all)
    let found = NONE
    for (const opcode of begins.opcodes) {
      const calls = this.#calls.get(opcode)
      if (calls === undefined) continue
      if (found !== NONE) return this.all
      found = calls
    }
    return found
  }
}

function callsAmong(blocks: readonly ActionBlock[]): Map<number, ActionBlock[]> {
  const calls = new Map<number, ActionBlock[]>()
  for (const block of blocks) {
    if (block.callOpcode === null) continue
    const same = calls.get(block.callOpcode)
    if (same === undefined) calls.set(block.callOpcode, [block])
    else same.push(block)
  }
  return calls
}

type Found = ReturnType<Rule['match']>

const isMatch = (found: Match | readonly Match[]): found is Match => 'content' in found

const matchesOf = (rule: Rule, block: ActionBlock, facts: AccountsFacts): Found =>
  orNull(() => rule.match(block, facts))

/**
 * Null when the blocks cannot be one: parts of others already, unconnected, or made by the same rule. In a chain each of
 * these would hold all before it.
 */
function joinedBlock(
  { blocks, content, failed, isScattered = false }: Match,
  made: ReadonlySet<ActionBlock>,
): ActionBlock | null {
  for (const block of blocks) if (block.whole !== null || made.has(block)) return null
  if (failed && mayStillSucceed(blocks)) return null
  if (!isScattered && !hangTogether(blocks)) return null
  return join(blocks, content, failed)
}

/** Whether no message bounced, and one that may still make it succeed has not been received yet. */
function mayStillSucceed(blocks: ReadonlySet<ActionBlock>): boolean {
  let isUnfinished = false
  for (const block of blocks) {
    if (cameBack(block)) return false
    if (block.first.isUnfinished) isUnfinished = true
  }
  return isUnfinished
}

/** Deployments come after everything else, wherever they happened. */
function withDeployments(blocks: readonly ActionBlock[]): ActionBlock[] {
  const deployments: ActionBlock[] = []
  const waiting = blocks.filter(({ parts }) => parts.length > 0).reverse()
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop())
    for (let i = block.parts.length - 1; i >= 0; i--) {
      const part = block.parts[i]
      if (part === undefined) continue
      if (DEPLOY.is(part)) deployments.push(part)
      else if (part.parts.length > 0) waiting.push(part)
    }
  return deployments.length === 0 ? [...blocks] : [...blocks, ...deployments]
}

function* makingActions(
  trace: TraceInput,
  tree: Node,
  { blocks, facts }: { blocks: ActionBlock[]; facts: AccountsFacts },
): Generator<void, ClassifiedAction[]> {
  const actions = yield* serializing(blocks)
  if (actions.length > 0) return actions
  const unsent = yield* serializing(unsentBlocks(tree, facts))
  return unsent.length > 0 ? unsent : [unknownAction(trace)]
}
