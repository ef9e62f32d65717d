// Chains of steps that an attacker has put together from valid parts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BlockIdExt,
  type BlockLink,
  type BlockProofAnswer,
  type ForwardLink,
  MASTERCHAIN,
  ProofError,
} from '../../../../server/node/index.ts'
import { verifyBlockProof } from '../../../setup/verifyAtOnce.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

let scene: LiteScene
let blocks: readonly BlockIdExt[]
let first: BlockIdExt
let head: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 10, seed: 41 })
  blocks = scene.blocks(MASTERCHAIN)
  const ends = [blocks[0], blocks.at(-1)]
  if (ends[0] === undefined || ends[1] === undefined) throw new Error('No blocks')
  first = ends[0]
  head = ends[1]
})
afterAll(() => scene.close())

const verdict = (known: BlockIdExt, target: BlockIdExt | null, answer: BlockProofAnswer): string => {
  try {
    verifyBlockProof(known, target, answer)
    return 'believed'
  } catch (error) {
    return error instanceof ProofError ? error.code : String(error)
  }
}

const forward = (link: BlockLink | undefined): ForwardLink => {
  if (link?.kind !== 'forward') throw new Error('Not a step forward')
  return link
}

const way = (from: BlockIdExt, to: BlockIdExt, steps: readonly BlockLink[]): BlockProofAnswer => ({
  complete: true,
  from,
  to,
  steps,
})

describe('chains of trust', () => {
  test('default: forward over every key block, and what it says of them', async () => {
    const answer = await scene.lite.blockProof(first, head)
    expect(answer.steps.map(({ kind, toKeyBlock }) => [kind, toKeyBlock])).toEqual([
      ['forward', true],
      ['forward', true],
      ['forward', false],
    ])
    const { utime, complete } = verifyBlockProof(first, head, answer)
    expect([utime, complete]).toEqual([scene.chain.reader.byId(head)?.utime, true])
  })

  test('error: a step that leaves out a key block, though all signatures are true', async () => {
    const { steps } = await scene.lite.blockProof(first, head)
    const start = forward(steps[0])
    const last = forward(steps.at(-1))
    const leap = { ...last, from: start.from, configProof: start.configProof }
    expect(verdict(first, head, way(first, head, [leap]))).toBe('link')
  })

  test('error: a step forward from a block that is no key block', async () => {
    const second = blocks[1] ?? head
    const { steps } = await scene.lite.blockProof(first, blocks[2] ?? head)
    const leap = { ...forward(steps[0]), from: second }
    expect(verdict(second, leap.to, way(second, leap.to, [leap]))).toBe('hash')
  })

  test('error: signatures of an earlier block', async () => {
    const old = forward((await scene.lite.blockProof(first, blocks[2] ?? head)).steps[0])
    const answer = await scene.lite.blockProof(first, blocks[3] ?? head)
    const link = { ...forward(answer.steps[0]), signatures: old.signatures }
    expect(verdict(first, link.to, way(first, link.to, [link]))).toBe('signature')
  })

  test('error: a block of another chain under the same number, signed by its own validators', async () => {
    const other = await openScene({ messages: 2, seed: 42 })
    const theirs = other.blocks(MASTERCHAIN)
    const start = theirs[0] ?? head
    const third = theirs[2] ?? head
    const foreign = await other.lite.blockProof(start, third)
    expect(verdict(start, third, foreign)).toBe('believed')
    expect(verdict(first, third, foreign)).toBe('answer')
    const [step] = foreign.steps
    if (step === undefined) throw new Error('No step')
    expect(verdict(first, third, way(first, third, [{ ...step, from: first }]))).toBe('hash')
    const ours = forward((await scene.lite.blockProof(first, blocks[2] ?? head)).steps[0])
    const mixed = { ...forward(step), from: first, configProof: ours.configProof }
    expect(['validators', 'signature']).toContain(verdict(first, third, way(first, third, [mixed])))
    await other.close()
  })

  test('error: a wrong word on whether a block is a key block, in both directions', async () => {
    for (const [from, to] of [
      [first, head],
      [head, first],
    ] as const) {
      const { steps } = await scene.lite.blockProof(from, to)
      const lying = steps.map((step) => ({ ...step, toKeyBlock: !step.toKeyBlock }))
      expect(verdict(from, to, way(from, to, lying))).toBe('link')
    }
  })

  test('error: a step forward to an older block, which the same validators signed', async () => {
    const { steps } = await scene.lite.blockProof(first, head)
    const start = forward(steps[1])
    const last = forward(steps.at(-1))
    const between = blocks.find(({ seqno }) => seqno > start.from.seqno && seqno < start.to.seqno) ?? head
    const older = forward((await scene.lite.blockProof(first, between)).steps.at(-1))
    const leap = { ...older, from: last.from, configProof: last.configProof }
    expect(verdict(last.from, between, way(last.from, between, [leap]))).toBe('link')
  })

  test('error: a step back to the zerostate that shows a header, or names it no key block', async () => {
    const { id: zerostate } = scene.chain.reader.zerostates.master
    const { steps } = await scene.lite.blockProof(first, zerostate)
    const [step] = steps
    if (step?.kind !== 'back') throw new Error('No step back')
    expect(verdict(first, zerostate, way(first, zerostate, steps))).toBe('believed')
    for (const lie of [{ destProof: step.proof }, { toKeyBlock: !step.toKeyBlock }])
      expect(verdict(first, zerostate, way(first, zerostate, [{ ...step, ...lie }]))).toBe('link')
  })

  test('error: steps in another order, or one too few', async () => {
    const { steps } = await scene.lite.blockProof(first, head)
    expect(verdict(first, head, way(first, head, [...steps].reverse()))).toBe('link')
    expect(verdict(first, head, way(first, head, steps.slice(0, -1)))).toBe('link')
    expect(verdict(first, head, way(first, head, steps.slice(1)))).toBe('link')
  })

  test('behavior: a part of the way is worth what it proves', async () => {
    const { steps } = await scene.lite.blockProof(first, head)
    const [step] = steps
    if (step === undefined) throw new Error('No step')
    const part = { complete: false, from: first, to: step.to, steps: [step] }
    expect(verifyBlockProof(first, head, part)).toMatchObject({ complete: false, block: step.to, keyBlock: step.to })
    expect(verdict(first, head, { ...part, complete: true })).toBe('answer')
  })

  test('error: a server that turns in circles', async () => {
    const { steps: back } = await scene.lite.blockProof(head, first)
    const { steps: on } = await scene.lite.blockProof(first, head)
    const circle = { complete: true, from: head, to: head, steps: [...back, ...on] }
    expect(verdict(head, head, circle)).toBe('believed')
    expect(verdict(head, head, { ...circle, complete: false })).toBe('answer')
  })
})
