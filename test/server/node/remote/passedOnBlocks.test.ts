// Whole blocks that a service passes on to lite clients of its own.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVerifiedLiteServer, type LiteServer, ProofError, Trust } from '../../../../server/node/index.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { openFixture } from '../../facts/parse/namedBlocks.ts'

/** Half a megabyte. */
const { id, bytes } = openFixture('block-1')

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
})
afterAll(() => scene.close())

function passing(boc: () => Uint8Array): { readonly server: LiteServer; readonly calls: () => number } {
  let calls = 0
  const source: LiteServer = {
    ...scene.lite,
    block: async () => {
      calls++
      return boc()
    },
  }
  return { server: createVerifiedLiteServer(source, new Trust(source)), calls: () => calls }
}

test('behavior: a large one is checked in pieces, between which others have their turns', async () => {
  const { server } = passing(() => bytes)
  const { found, turns } = await turnsOf(() => server.block(id))
  expect(Buffer.compare(found, bytes)).toBe(0)
  expect(turns).toBeGreaterThan(1)
})

test('behavior: clients that want the same one at a time cost one call and one check', async () => {
  const { server, calls } = passing(() => bytes)
  const found = await Promise.all(Array.from({ length: 20 }, () => server.block(id)))
  for (const one of [...found, await server.block(id)]) expect(Buffer.compare(one, bytes)).toBe(0)
  expect(calls()).toBe(1)
})

test('error: what is not that block is not passed on, and not kept', async () => {
  let isTrue = false
  const { server } = passing(() => (isTrue ? bytes : bytes.with(bytes.length >> 1, 7)))
  await expect(server.block(id)).rejects.toThrow(ProofError)
  await expect(server.block({ ...id, rootHash: id.fileHash })).rejects.toThrow(ProofError)
  isTrue = true
  expect(Buffer.compare(await server.block(id), bytes)).toBe(0)
})
