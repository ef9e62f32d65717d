// Every answer about every block of a lively chain, judged by the verifier.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { verifyBlockProof } from '../../../setup/verifyAtOnce.ts'
import {
  absentHash,
  accountCases,
  type Case,
  casesAt,
  chainCase,
  historyCases,
  librariesOf,
  libraryCase,
  masterCases,
} from './cases.ts'
import { fingerprint } from './fingerprint.ts'
import { type LiteScene, openScene } from './liteScene.ts'

/** Names of the cases whose answers are refused, with the reason. */
async function refused(cases: readonly Case[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, ask, verify } of cases) {
    try {
      verify(await ask())
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`)
    }
  }
  return wrong
}

describe.each([11, 12])('a chain of random traffic %i', (seed) => {
  let scene: LiteScene
  let masters: readonly BlockIdExt[]
  let zerostate: BlockIdExt
  let head: BlockIdExt
  beforeAll(async () => {
    scene = await openScene({ messages: 40, seed })
    masters = scene.blocks(MASTERCHAIN)
    head = scene.chain.head().master.id
    zerostate = scene.chain.reader.zerostates.master.id
  })
  afterAll(() => scene.close())

  test.each([MASTERCHAIN, 0])(
    'behavior: what is requested of any block of workchain %i is proven',
    async (workchain) => {
      const blocks = scene.blocks(workchain)
      expect(blocks.length).toBeGreaterThan(15)
      for (const id of blocks)
        expect([id.seqno, ...(await refused(await casesAt(scene, id, head)))]).toEqual([id.seqno])
    },
  )

  test('behavior: accounts of the basechain are proven as of any masterchain block, genesis included', async () => {
    const accounts = (await scene.touched(scene.blocks(0).at(-1) ?? head)).map(({ account }) => account).slice(0, 3)
    const strangers = [
      { workchain: 0, hash: absentHash },
      { workchain: 5, hash: absentHash },
    ]
    for (const id of [zerostate, ...masters])
      expect(await refused([...accounts, ...strangers].flatMap((one) => accountCases(scene, id, one)))).toEqual([])
  })

  test('behavior: the history of accounts is a chain of hashes', async () => {
    for (const { account } of await scene.touched(scene.blocks(0).at(-3) ?? head))
      expect(await refused(await historyCases(scene, head, account))).toEqual([])
  })

  test('behavior: the zerostate answers for itself', async () => {
    expect(await refused(masterCases(scene, zerostate, librariesOf(scene)))).toEqual([])
  })

  test('behavior: every block leads to every other, by steps back and forward', async () => {
    const some = [zerostate, ...masters.filter((_, i) => i % 4 === 0), head]
    for (const known of some)
      for (const target of [...some, null]) {
        const answer = await scene.lite.blockProof(known, target)
        const { block, complete } = verifyBlockProof(known, target, answer)
        expect([complete, fingerprint(block)]).toEqual([true, fingerprint(target ?? head)])
      }
  })

  test('behavior: a chain over many key blocks names the newest of them', async () => {
    const { keyBlock } = verifyBlockProof(zerostate, head, await scene.lite.blockProof(zerostate, head))
    const keys = masters.filter((id) => scene.chain.reader.byId(id)?.isKey)
    expect(keys).toHaveLength(3)
    expect(keyBlock?.seqno).toBe(keys.at(-1)?.seqno)
  })

  test('behavior: libraries are found by hash, unknown ones left out', async () => {
    const wanted = librariesOf(scene)
    expect(wanted.length).toBeGreaterThan(1)
    expect(await refused([libraryCase(scene, wanted)])).toEqual([])
    expect(await scene.lite.libraries(wanted)).toHaveLength(wanted.length - 1)
  })

  test('behavior: block proofs from a block in the middle to the newest', async () => {
    expect(await refused(masters.map((id) => chainCase(scene, id, null)))).toEqual([])
  })

  test('behavior: the same question is answered with the same bytes', async () => {
    const id = masters[9] ?? head
    const cases = await casesAt(scene, id, head)
    const first = await Promise.all(cases.map(({ ask }) => ask()))
    const second = await Promise.all(cases.map(({ ask }) => ask()))
    expect(fingerprint(second)).toBe(fingerprint(first))
  })

  test('behavior: the newest state says what the head says', async () => {
    const info = await scene.lite.masterchainInfo()
    const state = await scene.lite.state(info.last)
    expect(Buffer.from(state.rootHash).toString('hex')).toBe(Buffer.from(info.stateRootHash).toString('hex'))
    expect([info.last.shard, info.last.seqno]).toEqual([WHOLE_SHARD, masters.length])
  })
})
