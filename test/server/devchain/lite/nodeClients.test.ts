// What the node's own clients unpack of proofs beyond what was requested: they read whole records, look the zerostate up in
// every masterchain state, and stumble over each hole on that way. And the texts by which they distinguish refusals.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cell, loadProof, openCell, readBoc } from '../../../../server/cell/index.ts'
import { type BlockIdExt, chainParts, configParts, MASTERCHAIN } from '../../../../server/node/index.ts'
import {
  accountsOf,
  configParam,
  loadShardState,
  masterDetailsOf,
  masterStateOf,
  type ShardState,
} from '../../../../server/tlb/index.ts'
import { verifyBlockProof } from '../../../setup/verifyAtOnce.ts'
import { type LiteScene, openScene } from './liteScene.ts'

let scene: LiteScene
let zerostate: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 12, seed: 17 })
  zerostate = scene.chain.reader.zerostates.master.id
  await scene.chain.control.mine(330)
})
afterAll(() => scene.close())

const tree = (boc: Uint8Array): Cell => loadProof(readBoc(boc, { maxDepth: 1024 }))
const stateIn = (boc: Uint8Array): ShardState => loadShardState(openCell(tree(boc)))

/** The list of earlier blocks as a proof shows it; reading a part that is cut off throws. */
function previousIn(state: ShardState) {
  const extra = masterStateOf(state)
  if (extra === null) throw new Error('a masterchain state is expected')
  return masterDetailsOf(extra).previousBlocks
}

const some = (): readonly BlockIdExt[] => {
  const blocks = scene.blocks(MASTERCHAIN)
  return [1, 2, 17, 100, 101, 299].flatMap((seqno) => blocks[seqno - 1] ?? []).concat(scene.chain.head().master.id)
}

describe('the configuration with earlier blocks', () => {
  test('behavior: shows the path to the zerostate, with any parts', async () => {
    for (const id of some())
      for (const mode of [0, configParts.previousBlocks, 1023]) {
        const { configProof } = await scene.lite.config(id, [8], mode)
        expect(previousIn(stateIn(configProof)).get(0)?.block.rootHash).toEqual(zerostate.rootHash)
      }
  })

  test('behavior: shows the blocks get-methods may ask for, the hundreds and the protocol version', async () => {
    for (const id of some()) {
      const { configProof } = await scene.lite.config(id, [], configParts.previousBlocks)
      const state = stateIn(configProof)
      const previous = previousIn(state)
      const hundreds = Array.from({ length: 16 }, (_, i) => id.seqno - (id.seqno % 100) - 100 * i)
      const recent = Array.from({ length: 16 }, (_, i) => id.seqno - 1 - i)
      for (const seqno of [...hundreds, ...recent].filter((one) => one >= 0 && one < id.seqno))
        expect(previous.get(seqno)?.block.seqno).toBe(seqno)
      const config = masterStateOf(state)?.config
      expect(config && configParam(config, 8)?.version).toBeGreaterThan(8)
    }
  })

  test('behavior: the root of the accounts is open where their holder is', async () => {
    const { configProof } = await scene.lite.config(scene.chain.head().master.id, [], configParts.accountsRoot)
    const accounts = accountsOf(stateIn(configProof))
    expect(accounts.root?.isExotic).toBe(false)
    expect(() => accounts.root && openCell(accounts.root)).not.toThrow()
  })
})

describe('chains of trust', () => {
  test('behavior: a step back shows the way to the zerostate', async () => {
    const head = scene.chain.head().master.id
    for (const target of [zerostate, ...some().slice(0, -1)]) {
      const { steps } = await scene.lite.blockProof(head, target)
      const [step] = steps
      if (step?.kind !== 'back') throw new Error('a step back is expected')
      expect(previousIn(stateIn(step.stateProof)).get(0)?.block.seqno).toBe(0)
    }
  })

  const keySeqnos = () =>
    scene.blocks(MASTERCHAIN).flatMap((id) => (scene.chain.reader.byId(id)?.isKey === true ? [id.seqno] : []))
  const shape = (steps: readonly { readonly kind: string; readonly to: BlockIdExt }[]) =>
    steps.map(({ kind, to }) => `${kind} ${to.seqno}`)

  test('behavior: from the newest block, a way leads over the next key block and back', async () => {
    const blocks = scene.blocks(MASTERCHAIN)
    const [first, next] = keySeqnos()
    const known = blocks[1]
    const target = blocks[2]
    if (first === undefined || next === undefined || known === undefined || target === undefined)
      throw new Error('key blocks are expected')
    expect(next).toBeGreaterThan(target.seqno)
    const over = await scene.lite.blockProof(known, target, 0)
    expect(shape(over.steps)).toEqual([`back ${first}`, `forward ${next}`, `back ${target.seqno}`])
    const near = await scene.lite.blockProof(known, target, chainParts.nearReference)
    expect(shape(near.steps)).toEqual([`back ${first}`, `forward ${target.seqno}`])
    for (const answer of [over, near])
      expect(verifyBlockProof(known, target, answer).block.rootHash).toEqual(target.rootHash)
  })
})

describe('refusals', () => {
  test('error: a known block that is older than what registers the one looked for', async () => {
    const known = scene.blocks(MASTERCHAIN)[3]
    const wanted = scene.blocks(0)[20]
    if (known === undefined || wanted === undefined) throw new Error('blocks are expected')
    await expect(scene.lite.lookupWithProof(wanted, known)).rejects.toMatchObject({
      code: 0,
      message: "specified mc block is older than block's masterchain ref",
    })
  })
})
