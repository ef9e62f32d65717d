// The chain read by the public library, and traces put together from nothing but the hashes of messages.

import { Cell, Dictionary, loadTransaction, type Transaction } from '@ton/core'
import { openCell, writeBoc } from '../../../server/cell/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { accountBlocksOf, blockExtraOf, loadBlock } from '../../../server/tlb/index.ts'

export interface OtherTransaction {
  readonly id: string
  readonly workchain: number
  readonly mcSeqno: number
  readonly core: Transaction
  readonly inMessage: string | null
  readonly outMessages: readonly { readonly hash: string; readonly isInternal: boolean }[]
}

function read(workchain: number, mcSeqno: number, cell: Cell): OtherTransaction {
  const core = loadTransaction(cell.beginParse())
  const messages = core.raw.refs[0]?.beginParse()
  const inMessage = messages?.loadMaybeRef()?.hash().toString('hex') ?? null
  const out = messages?.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values() ?? []
  return {
    id: cell.hash().toString('hex'),
    workchain,
    mcSeqno,
    core,
    inMessage,
    // The first bit of an internal message is 0.
    outMessages: out.map((one) => ({ hash: one.hash().toString('hex'), isInternal: !one.beginParse().loadBit() })),
  }
}

/** Every transaction of both chains. */
export async function everyTransaction({ reader }: Pick<Devchain, 'reader'>): Promise<OtherTransaction[]> {
  const found: OtherTransaction[] = []
  for (const workchain of [-1, 0])
    for (let seqno = 1; ; seqno++) {
      const facts = reader.bySeqno(workchain, seqno)
      if (facts === undefined) break
      const root = await (await reader.block(facts)).root()
      const mcSeqno = workchain === -1 ? seqno : (reader.registeredBy(seqno)?.id.seqno ?? 0)
      for (const [, { transactions }] of accountBlocksOf(blockExtraOf(loadBlock(openCell(root)))))
        for (const [, cell] of transactions)
          for (const core of Cell.fromBoc(Buffer.from(writeBoc(cell)))) found.push(read(workchain, mcSeqno, core))
    }
  return found
}

export interface OtherTrace {
  readonly state: 'complete' | 'pending'
  readonly nodes: number
  readonly edges: number
  readonly pending_edges: number
  readonly members: readonly OtherTransaction[]
}

/** Trees by the ids of their roots. */
export function tracesOf(found: readonly OtherTransaction[]): Map<string, OtherTrace> {
  const senders = new Map<string, OtherTransaction>()
  const received = new Set<string>()
  for (const one of found) {
    for (const { hash } of one.outMessages) senders.set(hash, one)
    if (one.inMessage !== null) received.add(one.inMessage)
  }
  const rootOf = (one: OtherTransaction): OtherTransaction => {
    const sender = one.inMessage === null ? undefined : senders.get(one.inMessage)
    return sender === undefined ? one : rootOf(sender)
  }
  const trees = new Map<OtherTransaction, OtherTransaction[]>()
  for (const one of found) {
    const root = rootOf(one)
    const tree = trees.get(root)
    if (tree === undefined) trees.set(root, [one])
    else tree.push(one)
  }
  return new Map(
    [...trees].map(([root, members]) => {
      const sent = members.flatMap(({ outMessages }) => outMessages)
      const arrived = sent.filter(({ hash, isInternal }) => !isInternal || received.has(hash)).length
      const pending = sent.length - arrived
      const edges = arrived + (root.inMessage === null ? 0 : 1)
      const state = pending > 0 ? 'pending' : 'complete'
      return [root.id, { state, nodes: members.length, edges, pending_edges: pending, members }]
    }),
  )
}
