// What a rule is, and how it gathers the blocks it joins.

import type { ActionBlock, Content } from './actionBlock.ts'
import { type CallTest, isBounce, isCall } from './base.ts'
import type { AccountsFacts } from './input.ts'
import { EXCESS } from './opcodes.ts'

/** Blocks that mean one thing together. */
export interface Match {
  /** None that the same rule made. */
  readonly blocks: ReadonlySet<ActionBlock>
  /** Made by a kind. */
  readonly content: Content
  readonly failed: boolean
  /** Whether the blocks may be in different places of the tree. Otherwise each but one follows another. */
  readonly isScattered?: boolean
}

export interface Rule {
  /** As its file. */
  readonly name: string
  /** Types it makes that no version in `supportedTypes.ts` lists: clients of the latest one support them. */
  readonly types?: readonly string[]
  /** Whether a match may begin with a block: a cheap test, since it runs on every block of every trace. */
  readonly begins: Test | CallTest
  /** What begins there, if anything. A CellError means no. */
  readonly match: (block: ActionBlock, facts: AccountsFacts) => Match | readonly Match[] | null
}

export type Test = (block: ActionBlock) => boolean

const isExcess = isCall(EXCESS)

/** Calls that return the excess, or that bounced. */
const isReturn = (block: ActionBlock): boolean => isExcess(block) || isBounce(block)

/**
 * The blocks of a match so far. Each that is added behind the first brings the excesses and bounces it sent: what a step
 * gives back belongs to it.
 */
export class Picked {
  readonly blocks = new Set<ActionBlock>()
  /** Of these, what was picked as a payment. */
  readonly payments = new Set<ActionBlock>()

  constructor(...blocks: readonly ActionBlock[]) {
    for (const block of blocks) this.blocks.add(block)
  }

  /** The first block behind `block` that passes and is not picked, picked. */
  next(block: ActionBlock, test: Test): ActionBlock | null {
    const found = block.next.find((next) => !this.blocks.has(next) && test(next))
    return found === undefined ? null : this.add(found)
  }

  /** The same for a payment. */
  nextPayment(block: ActionBlock, test: Test): ActionBlock | null {
    const found = this.next(block, test)
    if (found !== null) this.payments.add(found)
    return found
  }

  /** All of them. */
  every(block: ActionBlock, test: Test): ActionBlock[] {
    const found = block.next.filter((next) => !this.blocks.has(next) && test(next))
    return found.map((next) => this.add(next))
  }

  /** The one before, when it passes. */
  previous(block: ActionBlock, test: Test): ActionBlock | null {
    const { previous } = block
    return previous !== null && !this.blocks.has(previous) && test(previous) ? this.add(previous) : null
  }

  add(block: ActionBlock): ActionBlock {
    this.blocks.add(block)
    this.absorb(block)
    return block
  }

  /** Takes the excesses and bounces a block sent. */
  absorb(block: ActionBlock): void {
    for (const next of block.next) if (isReturn(next)) this.blocks.add(next)
  }
}
