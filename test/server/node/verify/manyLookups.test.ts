// Earlier blocks that are looked up from one block: what other look-ups have shown of its state is used, and each finds its own block.

import { expect, test } from 'vitest'
import { ProofError } from '../../../../server/node/index.ts'
import { verifyLookup } from '../../../../server/node/verify/index.ts'
import { liteOf, openChain } from '../../devchain/devchains.ts'

/** Whose proofs show more than is kept of one state. */
const BLOCKS = 300
const STEP = 97
const BYTE_STEP = 5
const SHARD = 1n << 63n

async function openLite() {
  const { chain } = await openChain()
  const lite = await liteOf(chain)
  await chain.control.mine(BLOCKS)
  return { lite, chain, known: chain.head().master.id }
}

test('default: each finds its block in any order, and no other proof of the same state is taken for it', async () => {
  const { lite, chain, known } = await openLite()
  const queryOf = (seqno: number) => ({ workchain: -1, shard: SHARD, seqno })
  const count = known.seqno - 4
  for (let i = 0; i < 2 * count; i++) {
    const seqno = 1 + ((i * STEP) % count)
    const query = queryOf(seqno)
    const answer = await lite.lookupWithProof(query, known)
    const found = verifyLookup(query, known, answer)
    expect(found.id).toEqual(chain.reader.bySeqno(-1, seqno)?.id)
    expect(found.info.seqno).toBe(seqno)
    if (i % STEP !== 0) continue
    // That of a neighbour may show both.
    const { masterBlockProof } = await lite.lookupWithProof(queryOf(seqno + 2), known)
    expect(() => verifyLookup(query, known, { ...answer, masterBlockProof })).toThrow()
    let taken = 0
    for (let at = 0; at < answer.masterBlockProof.length; at += BYTE_STEP) {
      const changed = new Uint8Array(answer.masterBlockProof)
      changed[at] = (changed[at] ?? 0) ^ 1
      try {
        expect(verifyLookup(query, known, { ...answer, masterBlockProof: changed }).id).toEqual(found.id)
        taken++
      } catch (error) {
        expect(error).toBeInstanceOf(ProofError)
      }
    }
    expect(taken).toBeLessThan(3)
  }
})
