// Proofs between masterchain blocks.

import type { Bare, Boxed } from '../../tl/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { BlockLink, BlockProofAnswer, BlockSignature, SignatureSet } from '../liteAnswers.ts'
import { verb } from './verb.ts'
import { readBlock, unsigned, writeBlock } from './wireNames.ts'

type WireSet = Boxed['liteServer.SignatureSet']
type WireLink = Boxed['liteServer.BlockLink']

/** Bit of the mode: the request has a target. */
const TARGET = 1

const readSignature = ({ node_id_short, signature }: Bare['liteServer.signature']): BlockSignature => ({
  nodeIdShort: node_id_short,
  signature,
})
const writeSignature = ({ nodeIdShort, signature }: BlockSignature) => ({ node_id_short: nodeIdShort, signature })

function readSet(set: WireSet): SignatureSet {
  const head = {
    validatorSetHash: unsigned(set.validator_set_hash),
    signatures: set.signatures.map(readSignature),
  }
  if (set['@type'] === 'liteServer.signatureSet.ordinary')
    return { kind: 'ordinary', ...head, catchainSeqno: unsigned(set.catchain_seqno) }
  const { cc_seqno, session_id, slot, candidate } = set
  return { kind: 'simplex', ...head, catchainSeqno: unsigned(cc_seqno), sessionId: session_id, slot, candidate }
}

function writeSet(set: SignatureSet): WireSet {
  const head = { validator_set_hash: set.validatorSetHash, signatures: set.signatures.map(writeSignature) }
  if (set.kind === 'ordinary')
    return { '@type': 'liteServer.signatureSet.ordinary', ...head, catchain_seqno: set.catchainSeqno }
  const { catchainSeqno, sessionId, slot, candidate } = set
  return {
    '@type': 'liteServer.signatureSet.simplex',
    ...head,
    cc_seqno: catchainSeqno,
    session_id: sessionId,
    slot,
    candidate,
  }
}

function readLink(link: WireLink): BlockLink {
  const { to_key_block, from, to, dest_proof } = link
  const head = { toKeyBlock: to_key_block, from: readBlock(from), to: readBlock(to), destProof: dest_proof }
  return link['@type'] === 'liteServer.blockLinkBack'
    ? { kind: 'back', ...head, proof: link.proof, stateProof: link.state_proof }
    : { kind: 'forward', ...head, configProof: link.config_proof, signatures: readSet(link.signatures) }
}

function writeLink(link: BlockLink): WireLink {
  const { toKeyBlock, from, to, destProof } = link
  const head = { to_key_block: toKeyBlock, from: writeBlock(from), to: writeBlock(to), dest_proof: destProof }
  return link.kind === 'back'
    ? { '@type': 'liteServer.blockLinkBack', ...head, proof: link.proof, state_proof: link.stateProof }
    : {
        '@type': 'liteServer.blockLinkForward',
        ...head,
        config_proof: link.configProof,
        signatures: writeSet(link.signatures),
      }
}

export const trustFunctions = {
  getBlockProof: verb('getBlockProof', {
    request: (known: BlockIdExt, target: BlockIdExt | null, mode: number) => ({
      mode: mode & ~TARGET,
      known_block: writeBlock(known),
      ...(target === null ? {} : { target_block: writeBlock(target) }),
    }),
    serve: (server, { mode, known_block, target_block }, options) =>
      server.blockProof(
        readBlock(known_block),
        target_block === undefined ? null : readBlock(target_block),
        mode & ~TARGET,
        options,
      ),
    write: ({ complete, from, to, steps }: BlockProofAnswer) => ({
      complete,
      from: writeBlock(from),
      to: writeBlock(to),
      steps: steps.map(writeLink),
    }),
    read: ({ complete, from, to, steps }) => ({
      complete,
      from: readBlock(from),
      to: readBlock(to),
      steps: steps.map(readLink),
    }),
  }),
}
