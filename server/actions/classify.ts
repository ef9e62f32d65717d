// From a trace to its actions: plain blocks, then each rule in its turn over all of them, then rows.

import { CellError } from '../cell/index.ts'
import type { Action } from './action.ts'
import { type Block, following, hangTogether, join } from './actionBlock.ts'
import { baseBlocks, DEPLOY } from './base.ts'
import { ghostBlocks } from './ghosts.ts'
import type { Facts, TraceInput } from './input.ts'
import { type Node, nodeTree } from './node.ts'
import type { Match, Rule } from './rule.ts'
import { ACTION_RULES } from './rules/index.ts'
import { serialize } from './serialize.ts'
import { unknownAction } from './unknown.ts'

export interface Classified {
  readonly actions: readonly Action[]
  /** What went wrong with the rules as a whole; the actions are then the plain messages. */
  readonly failure: unknown
}

export function classify(trace: TraceInput, facts: Facts, rules: readonly Rule[] = ACTION_RULES): Classified {
  const tree = nodeTree(trace)
  if (tree === null || isClockAlone(tree)) return { actions: [], failure: null }
  try {
    return { actions: actionsOf(trace, tree, { blocks: withRules(tree, facts, rules), facts }), failure: null }
  } catch (failure) {
    return { actions: serialize(withDeployments(following(baseBlocks(tree)))), failure }
  }
}

const isClockAlone = ({ transaction, children }: Node): boolean => transaction.isTickTock && children.length === 0

/** All blocks of the trace, and the deployments in them. */
function withRules(tree: Node, facts: Facts, rules: readonly Rule[]): Block[] {
  const root: Place = { first: baseBlocks(tree) }
  let blocks = new Blocks(root.first)
  for (const rule of rules) if (apply(rule, blocks.beginning(rule), facts, root)) blocks = new Blocks(root.first)
  return withDeployments(blocks.all)
}

const NONE: readonly Block[] = []

/** All blocks from the first on. Most rules begin with calls of one operation, of which most traces have none. */
class Blocks {
  readonly all: Block[]
  #calls: Map<number, Block[]> | null = null

  constructor(first: Block) {
    this.all = following(first)
  }

  /** Those a match of a rule may begin with, in their order. */
  beginning({ begins }: Rule): readonly Block[] {
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

function callsAmong(blocks: readonly Block[]): Map<number, Block[]> {
  const calls = new Map<number, Block[]>()
  for (const block of blocks) {
    if (block.callOpcode === null) continue
    const same = calls.get(block.callOpcode)
    if (same === undefined) calls.set(block.callOpcode, [block])
    else same.push(block)
  }
  return calls
}

interface Place {
  first: Block
}

/** Whether anything was joined. */
function apply(rule: Rule, blocks: readonly Block[], facts: Facts, root: Place): boolean {
  let hasJoined = false
  for (const block of blocks) {
    if (block.whole !== null || !rule.begins(block)) continue
    const found = matchesOf(rule, block, facts)
    if (found === null) continue
    for (const match of isMatch(found) ? [found] : found) {
      const joined = joinedBlock(match)
      if (joined === null) continue
      hasJoined = true
      if (match.blocks.has(root.first)) root.first = joined
    }
  }
  return hasJoined
}

type Found = ReturnType<Rule['match']>

const isMatch = (found: Match | readonly Match[]): found is Match => 'content' in found

function matchesOf(rule: Rule, block: Block, facts: Facts): Found {
  try {
    return rule.match(block, facts)
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

/** Null when the blocks cannot be one, being parts of others already or unconnected. */
function joinedBlock({ blocks, content, failed, isScattered = false }: Match): Block | null {
  for (const block of blocks) if (block.whole !== null) return null
  if (!isScattered && !hangTogether(blocks)) return null
  return join(blocks, content, failed)
}

/** Deployments come after everything else, wherever they happened. */
function withDeployments(blocks: readonly Block[]): Block[] {
  const deployments: Block[] = []
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

function actionsOf(trace: TraceInput, tree: Node, { blocks, facts }: { blocks: Block[]; facts: Facts }): Action[] {
  const actions = serialize(blocks)
  if (actions.length > 0) return actions
  const ghosts = serialize(ghostBlocks(tree, facts))
  return ghosts.length > 0 ? ghosts : [unknownAction(trace)]
}
