// A proof of a block is believed again only as it was: for that block, with all its bytes.

import { expect, test } from 'vitest'
import { verifyHeader } from '../../../../server/node/index.ts'
import { verifyAccount, verifyLookup } from '../../../../server/node/verify/index.ts'
import { liteOf, openChain } from '../../devchain/devchains.ts'

const STEP = 7
const SHARD = 1n << 63n

async function openLite() {
  const { chain } = await openChain()
  const lite = await liteOf(chain)
  const mine = async () => {
    await chain.control.mine(1)
    return chain.head().master.id
  }
  return { lite, mine }
}

/** Copies of a proof, each with one bit changed. */
function* changed(proof: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < proof.length; at += STEP) {
    const copy = new Uint8Array(proof)
    copy[at] = (copy[at] ?? 0) ^ 1
    yield copy
  }
}

test('behavior: a header, neither for another block nor with a bit changed', async () => {
  const { lite, mine } = await openLite()
  const older = await mine()
  const newer = await mine()
  const answer = await lite.header(older, 0)
  const { info } = verifyHeader(older, answer)
  expect(verifyHeader(older, { ...answer, headerProof: new Uint8Array(answer.headerProof) }).info).toEqual(info)

  expect(() => verifyHeader(newer, { ...answer, id: newer })).toThrow(/^the proof of block/)
  const otherSeqno = { ...older, seqno: older.seqno + 1 }
  expect(() => verifyHeader(otherSeqno, { ...answer, id: otherSeqno })).toThrow(/^the block is/)
  for (const headerProof of changed(answer.headerProof))
    expect(() => verifyHeader(older, { ...answer, headerProof })).toThrow()
  expect(verifyHeader(older, answer).info).toEqual(info)
})

test('behavior: the proofs of a look-up', async () => {
  const { lite, mine } = await openLite()
  const older = await mine()
  await mine()
  const known = await mine()
  const later = await mine()
  const queries = [
    { workchain: -1, shard: SHARD, seqno: older.seqno },
    { workchain: 0, shard: SHARD, lt: verifyHeader(older, await lite.header(older, 0)).info.startLt },
  ]
  for (const query of queries) {
    const answer = await lite.lookupWithProof(query, known)
    const { id } = verifyLookup(query, known, answer)
    const liars = [
      ...[...changed(answer.clientMasterStateProof)].map((clientMasterStateProof) => ({ clientMasterStateProof })),
      ...[...changed(answer.masterBlockProof)].map((masterBlockProof) => ({ masterBlockProof })),
      ...[...changed(answer.header)].map((header) => ({ header })),
      ...[...changed(answer.previousHeader)].map((previousHeader) => ({ previousHeader })),
      ...answer.shardLinks.flatMap((link) =>
        [...changed(link.proof)].map((proof) => ({ shardLinks: [{ ...link, proof }] })),
      ),
    ]
    expect(liars.length).toBeGreaterThan(100)
    for (const lie of liars) expect(() => verifyLookup(query, known, { ...answer, ...lie })).toThrow()
    expect(() => verifyLookup(query, later, answer)).toThrow()
    expect(verifyLookup(query, known, answer).id).toEqual(id)
  }
})

test('behavior: the proof of a block, in one bag with that of an account', async () => {
  const { lite, mine } = await openLite()
  const older = await mine()
  const newer = await mine()
  const accountOf = (byte: number) => ({ workchain: -1, hash: new Uint8Array(32).fill(byte) })
  const one = accountOf(1)
  const other = accountOf(0x55)
  const answer = await lite.accountState(older, one)
  const found = verifyAccount(older, one, answer)
  const otherAnswer = await lite.accountState(older, other)
  expect(otherAnswer.proof).not.toEqual(answer.proof)
  expect(verifyAccount(older, other, otherAnswer)).toMatchObject({ utime: found.utime, lt: found.lt })

  expect(() => verifyAccount(newer, one, { ...answer, id: newer, shardBlock: newer })).toThrow()
  const otherFile = { ...older, fileHash: newer.fileHash, seqno: newer.seqno }
  expect(() => verifyAccount(otherFile, one, { ...answer, id: otherFile, shardBlock: otherFile })).toThrow()
  for (const proof of changed(otherAnswer.proof))
    expect(() => verifyAccount(older, other, { ...otherAnswer, proof })).toThrow()
  expect(verifyAccount(older, one, answer)).toMatchObject({ block: older, utime: found.utime, lt: found.lt })
})
