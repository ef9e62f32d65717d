// Signatures of masterchain blocks on a chain with several key blocks: each block has its own, wherever the newest is.

import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signaturesOf, stepsBack } from '../../../server/methods/trust.ts'
import { MASTERCHAIN, signedBytesOf } from '../../../server/node/index.ts'
import { fingerprint } from '../node/devchain/lite/fingerprint.ts'
import { type LiteScene, openScene } from '../node/devchain/lite/liteScene.ts'

const { signal } = new AbortController()

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 5 })
})
afterAll(() => scene.close())

test('behavior: every block has the signatures of its own validators', async () => {
  const blocks = scene.blocks(MASTERCHAIN)
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), scene.chain.validator.publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  expect(blocks.filter((id) => scene.chain.reader.byId(id)?.isKey)).toHaveLength(3)
  for (const block of blocks) {
    const { id, signatures } = await signaturesOf(scene.lite, block.seqno, signal)
    expect(fingerprint(id)).toBe(fingerprint(block))
    const good = signatures.signatures.map(({ signature }) => verify(null, signedBytesOf(block), key, signature))
    expect(good).toEqual([true])
  }
})

test('behavior: one step leads back to any older block', async () => {
  const head = scene.chain.head().master.id
  for (const block of scene.blocks(MASTERCHAIN).slice(0, -1)) {
    const steps = await stepsBack(scene.lite, head, block, signal)
    expect(steps.map(({ kind, to }) => [kind, to.seqno])).toEqual([['back', block.seqno]])
  }
})
