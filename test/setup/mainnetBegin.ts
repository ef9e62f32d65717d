// The first blocks of the main network, with the signatures of its first validators.

import { type Cell, readBoc, writeBoc } from '../../server/cell/index.ts'
import { type ForwardLink, MASTERCHAIN } from '../../server/node/index.ts'
import type { SignatureSet } from '../../server/node/liteAnswers.ts'
import { type BlocksFile, chainOf, type RecordedChain, wholeProof } from './recordedBlocks.ts'
import { readFixture } from './recordedSession.ts'

interface BeginFile extends BlocksFile {
  /** Of the masterchain and of workchain 0. */
  readonly states: readonly [string, string]
  readonly signatures: readonly {
    readonly seqno: number
    readonly validator_set_hash: number
    readonly catchain_seqno: number
    readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[]
  }[]
}

interface MainnetBegin {
  readonly chain: RecordedChain
  /** From the zerostate to each masterchain block, which its validators signed. */
  readonly links: readonly ForwardLink[]
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64')

const setOf = (stored: BeginFile['signatures'][number]): SignatureSet => ({
  kind: 'ordinary',
  validatorSetHash: stored.validator_set_hash,
  catchainSeqno: stored.catchain_seqno,
  signatures: stored.signatures.map((one) => ({
    nodeIdShort: bytes(one.node_id_short),
    signature: bytes(one.signature),
  })),
})

export function mainnetBegin(): MainnetBegin {
  const file = readFixture('mainnet-begin') as BeginFile
  const [zero, base] = file.states.map((text): Cell => readBoc(bytes(text))) as [Cell, Cell]
  const chain = chainOf(file, [
    [`${MASTERCHAIN}:0`, zero],
    ['0:0', base],
  ])
  const links = file.signatures.map((stored): ForwardLink => {
    const block = chain.blocks.find(({ id }) => id.workchain === MASTERCHAIN && id.seqno === stored.seqno)
    if (block === undefined) throw new Error(`Signatures of block ${stored.seqno}, which is not recorded`)
    return {
      kind: 'forward',
      toKeyBlock: block.info.keyBlock,
      from: chain.zerostate,
      to: block.id,
      destProof: writeBoc(wholeProof(block.root)),
      configProof: writeBoc(wholeProof(zero)),
      signatures: setOf(stored),
    }
  })
  return { chain, links }
}
