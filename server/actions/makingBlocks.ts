// The plain meaning of each node, before any rule: a transfer of TON, a call, the clock. An account that is deployed by
// it gets a block of its own.

import { ActionBlock, NO_ACCOUNTS } from './actionBlock.ts'
import { Kind } from './actionKind.ts'
import { CALL, DEPLOY, isTransferOpcode, TON_TRANSFER } from './base.ts'
import { NO_COMMENT, readComment } from './comment.ts'
import type { TraceMessage } from './input.ts'
import { NODES_AT_ONCE, type Node } from './node.ts'

const TICK_TOCK = new Kind<{ readonly account: string }>({
  type: 'tick_tock',
  describe: ({ account }) => ({ roles: {}, details: { account } }),
})

function baseBlock(node: Node): ActionBlock {
  const { transaction, message } = node
  const { account, aborted, origStatus, endStatus } = transaction
  const begins = !node.isLeaf && origStatus !== 'active' && endStatus === 'active'
  const deployments = begins ? new Set([account]) : NO_ACCOUNTS
  const nodes = [node]
  if (message === null) {
    const content = TICK_TOCK.content({ account })
    return new ActionBlock({ nodes, parts: [], content, failed: aborted, deployments, callOpcode: null })
  }
  const block = messageBlock(node, message, deployments)
  if (begins && origStatus !== 'frozen') {
    const content = DEPLOY.content(message)
    const deploy = new ActionBlock({
      nodes,
      parts: [],
      content,
      failed: aborted,
      deployments: NO_ACCOUNTS,
      callOpcode: null,
    })
    deploy.whole = block
    block.parts.push(deploy)
  }
  return block
}

function messageBlock(node: Node, message: TraceMessage, deployments: ReadonlySet<string>): ActionBlock {
  const { opcode, source, destination, value, extraCurrencies, bounce } = message
  const { aborted, endStatus, lackedGas } = node.transaction
  const nodes = [node]
  if (source !== null && destination !== null && isTransferOpcode(opcode)) {
    const comment = node.body === null ? NO_COMMENT : readComment(node.openBody())
    const failed = aborted && (bounce || !(endStatus === 'uninit' || lackedGas))
    const content = TON_TRANSFER.content({ opcode, source, destination, value, extraCurrencies, comment })
    return new ActionBlock({ nodes, parts: [], content, failed, deployments, callOpcode: null })
  }
  // What left the chain has no receiver that could fail.
  const failed = aborted && !node.isLeaf
  return new ActionBlock({ nodes, parts: [], content: CALL.content(message), failed, deployments, callOpcode: opcode })
}

/** Bytes of a body that take as long to read as all else of a node. */
const BODY_BYTES = 512

const weightOf = ({ message }: Node): number => 1 + Math.floor((message?.body.length ?? 0) / BODY_BYTES)

/** The blocks of a tree of nodes, each one a node; the first one's is returned. */
export function* makingBlocks(root: Node): Generator<void, ActionBlock> {
  const first = baseBlock(root)
  const waiting = [first]
  let made = 0
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop())
    for (const child of block.first.children) {
      made += weightOf(child)
      if (made >= NODES_AT_ONCE) {
        made = 0
        yield
      }
      const next = baseBlock(child)
      next.previous = block
      next.at = block.next.length
      block.next.push(next)
      if (child.children.length > 0) waiting.push(next)
    }
  return first
}
