// True proofs of one chain, as a source would use them that answers about another one, or shows a part only.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cell, CellUsage, makeProof, openCell, writeBoc } from '../../../../server/cell/index.ts'
import { type BlockIdExt, MASTERCHAIN, verifyShardBlockProof, WHOLE_SHARD } from '../../../../server/node/index.ts'
import {
  verifyConfig,
  verifyLibrariesWithProof,
  verifyLookup,
  verifyShardInfo,
} from '../../../../server/node/verify/index.ts'
import { loadShardState, masterStateOf, stateDetailsOf } from '../../../../server/tlb/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

let ours: LiteScene
let theirs: LiteScene
let known: BlockIdExt
beforeAll(async () => {
  ;[ours, theirs] = await Promise.all([openScene({ messages: 16, seed: 7 }), openScene({ messages: 16, seed: 8 })])
  known = ours.chain.head().master.id
})
afterAll(() => Promise.all([ours.close(), theirs.close()]))

const NOTHING = new Uint8Array()
const query = { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }

describe('look-ups', () => {
  test('error: a block of another chain, whose masterchain block has the same number as ours', async () => {
    const [honest, other] = await Promise.all([
      ours.lite.lookupWithProof(query, known),
      theirs.lite.lookupWithProof(query, theirs.chain.head().master.id),
    ])
    expect(verifyLookup(query, known, honest).id).toEqual(ours.blocks(0)[1])
    expect(other.masterchainId.seqno).toBe(honest.masterchainId.seqno)
    const { clientMasterStateProof, masterBlockProof } = honest
    expect(() => verifyLookup(query, known, { ...other, clientMasterStateProof, masterBlockProof })).toThrow(
      'the known state names another masterchain block',
    )
  })

  test('error: a masterchain block that comes after the known one', async () => {
    const answer = await ours.lite.lookupWithProof(query, known)
    const earlier = ours.blocks(MASTERCHAIN)[0] ?? known
    expect(() => verifyLookup(query, earlier, answer)).toThrow('a masterchain block that comes after the known one')
  })
})

test('error: a masterchain block is proven by another masterchain block, or with links', async () => {
  const [id = known] = ours.blocks(MASTERCHAIN)
  const answer = { masterchainId: known, links: [] }
  expect(() => verifyShardBlockProof(known, known, answer)).not.toThrow()
  expect(() => verifyShardBlockProof(known, id, answer)).toThrow('another masterchain block')
  const links = [{ id: known, proof: NOTHING }]
  expect(() => verifyShardBlockProof(known, known, { ...answer, links })).toThrow('another masterchain block')
})

test('error: a shard that is not registered, with the description of one that is', async () => {
  const elsewhere = { workchain: 5, shard: WHOLE_SHARD, exact: false }
  const [honest, other] = await Promise.all([
    ours.lite.shardInfo(known, elsewhere),
    ours.lite.shardInfo(known, { ...elsewhere, workchain: 0 }),
  ])
  expect(verifyShardInfo(known, elsewhere, false, honest)).toBeNull()
  const { shardDescription } = other
  expect(() => verifyShardInfo(known, elsewhere, false, { ...honest, shardDescription })).toThrow(
    'a shard is shown that is not proven',
  )
})

test('error: a library twice, or one that was not requested', async () => {
  const { root: state } = ours.chain.reader.moment().master
  const [hash = NOTHING] = stateDetailsOf(loadShardState(openCell(state))).libraries.keys()
  const honest = await ours.lite.librariesWithProof(known, [hash], 0)
  expect([...verifyLibrariesWithProof(known, [hash], honest).keys()]).toEqual([Buffer.from(hash).toString('hex')])
  const [entry] = honest.result
  if (entry === undefined) throw new Error('No library')
  const twice = { ...honest, result: [entry, entry] }
  expect(() => verifyLibrariesWithProof(known, [hash], twice)).toThrow('a library is shown twice')
  const more = { ...honest, result: [entry, { ...entry, hash: new Uint8Array(32) }] }
  expect(() => verifyLibrariesWithProof(known, [hash], more)).toThrow('a library that was not requested')
})

function readAll(cell: Cell): void {
  openCell(cell)
  cell.refs.forEach(readAll)
}

test('error: a parameter of the configuration of which a part is not shown', () => {
  const { id, root } = ours.chain.reader.zerostates.master
  const answerOf = (read: (parameter: Cell) => void) => {
    const usage = new CellUsage()
    usage.run(() => read(masterStateOf(loadShardState(openCell(root)))?.config.params.get(34) ?? root))
    return { id, mode: 0, stateProof: NOTHING, configProof: writeBoc(makeProof(root, usage), 0) }
  }
  expect([...verifyConfig(id, [34], answerOf(readAll)).params.keys()]).toEqual([34])
  const refused = 'parameter 34 is not shown in full'
  expect(() => verifyConfig(id, [34], answerOf(openCell))).toThrow(refused)
  expect(() =>
    verifyConfig(
      id,
      [34],
      answerOf(() => {}),
    ),
  ).toThrow(refused)
})
