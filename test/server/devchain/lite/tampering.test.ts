// Answers that were tampered with. Whatever is done to one, the verifier either refuses it with a ProofError or finds the
// same value in it as before: never another one, and never any other error.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockIdExt, MASTERCHAIN, ProofError } from '../../../../server/node/index.ts'
import { accountCases, type Case, casesAt, chainCase, historyCases, librariesOf, libraryCase } from './cases.ts'
import { fingerprint } from './fingerprint.ts'
import { type LiteScene, openScene } from './liteScene.ts'
import { mutations } from './mutations.ts'

let scene: LiteScene
let head: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 30, seed: 21 })
  head = scene.chain.head().master.id
})
afterAll(() => scene.close())

interface Verdicts {
  refused: number
  same: number
  readonly believed: string[]
}

async function spoil(cases: readonly Case[], others: readonly Case[], verdicts: Verdicts): Promise<void> {
  for (const [i, { name, ask, verify }] of cases.entries()) {
    const honest = await ask()
    const truth = fingerprint(verify(honest))
    const verb = name.split(' ')[0]
    const alike = [...cases, ...others].filter((one) => one.name.split(' ')[0] === verb && one.ask !== ask).slice(0, 4)
    const foreign = await Promise.all(alike.map((one) => one.ask()))
    for (const { how, answer } of mutations(honest, foreign, 1000 + i)) {
      try {
        if (fingerprint(verify(answer)) === truth) verdicts.same++
        else verdicts.believed.push(`${name}: ${how}`)
      } catch (error) {
        if (error instanceof ProofError) verdicts.refused++
        else verdicts.believed.push(`${name}: ${how}: ${String(error)}`)
      }
    }
  }
}

const busiest = async (workchain: number): Promise<readonly [BlockIdExt, BlockIdExt]> => {
  const blocks = scene.blocks(workchain)
  const [first, second] = await Promise.all(
    blocks.map(async (id) => ({ id, count: (await scene.touched(id)).length })),
  ).then((all) => all.sort((a, b) => b.count - a.count))
  if (first === undefined || second === undefined) throw new Error('Too few blocks')
  return [first.id, second.id]
}

describe('tampered answers', () => {
  test.each([MASTERCHAIN, 0])('error: about blocks of workchain %i', async (workchain) => {
    const [id, other] = await busiest(workchain)
    const verdicts: Verdicts = { refused: 0, same: 0, believed: [] }
    await spoil(await casesAt(scene, id, head), await casesAt(scene, other, head), verdicts)
    expect(verdicts.believed).toEqual([])
    expect(verdicts.refused).toBeGreaterThan(5000)
    // Not everything in a bag of cells has a meaning, but nearly everything does.
    expect(verdicts.same).toBeLessThan(verdicts.refused / 4)
  })

  test('error: about accounts as of the masterchain, present and absent', async () => {
    const [{ account } = { account: { workchain: 0, hash: head.rootHash } }, next] = await scene.touched(
      (await busiest(0))[0],
    )
    const absent = { workchain: 0, hash: new Uint8Array(32).fill(9) }
    const verdicts: Verdicts = { refused: 0, same: 0, believed: [] }
    const cases = [account, absent].flatMap((one) => accountCases(scene, head, one))
    const earlier = scene.blocks(MASTERCHAIN)[3] ?? head
    const others = [next?.account ?? absent, account].flatMap((one) => accountCases(scene, earlier, one))
    await spoil([...cases, ...(await historyCases(scene, head, account))], others, verdicts)
    expect(verdicts.believed).toEqual([])
    expect(verdicts.refused).toBeGreaterThan(500)
  })

  test('error: chains of trust and libraries', async () => {
    const blocks = scene.blocks(MASTERCHAIN)
    const [third = head, tenth = head] = [blocks[2], blocks[9]]
    const zerostate = scene.chain.reader.zerostates.master.id
    const verdicts: Verdicts = { refused: 0, same: 0, believed: [] }
    const chains = [chainCase(scene, third, head), chainCase(scene, head, third), chainCase(scene, zerostate, tenth)]
    await spoil([...chains, libraryCase(scene, librariesOf(scene))], [chainCase(scene, tenth, head)], verdicts)
    expect(verdicts.believed).toEqual([])
    expect(verdicts.refused).toBeGreaterThan(1000)
  })
})
