// A library may have a thousand cells, and one answer sixteen of them: reading them leaves others their turns.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import { createRemoteChain, createVerifiedLiteServer, ProofError, Trust } from '../../../../server/node/index.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

/** `DROP LDREF 8 LDU DROP SETLIBCODE`: keeps a library as its message says. */
const KEEPING = Buffer.from('30d4d30730fb06', 'hex')
const LIBRARIES = 16
const CELLS = 900
const PUBLIC = 2

/** A chain of cells in four branches. */
function libraryOf(number: number): Cell {
  const branch = (first: number): Cell => {
    let cell = beginCell().storeUint(number, 16).storeUint(first, 16).end()
    for (let i = 1; i < CELLS / 4; i++) cell = beginCell().storeBytes(Buffer.alloc(100, i)).storeRef(cell).end()
    return cell
  }
  return [0, 1, 2, 3].reduce((builder, first) => builder.storeRef(branch(first)), beginCell()).end()
}

const libraries = Array.from({ length: LIBRARIES }, (_, i) => libraryOf(i))
const hashes = libraries.map((library) => library.hashBytes())

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  const { control } = scene.chain
  const code = beginCell().storeBytes(KEEPING).end()
  for (const [i, library] of libraries.entries()) {
    const to = { workchain: -1, id: Buffer.alloc(32, 0x60 + i) }
    await control.setAccount({ ...to, balance: 10n ** 11n, code, data: beginCell().end() })
    const body = beginCell().storeUint(PUBLIC, 8).storeRef(library).end()
    await control.sendInternal({ from: to, to, value: 10n ** 9n, bounce: false, body })
  }
})
afterAll(() => scene.close())

/** The lite server of the chain, which says when it has answered. */
const announced = (arrived: () => void) => ({
  ...scene.lite,
  librariesWithProof: async (...query: Parameters<typeof scene.lite.librariesWithProof>) => {
    const answer = await scene.lite.librariesWithProof(...query)
    arrived()
    return answer
  },
})

test('behavior: sixteen large ones are read in pieces, by the service', async () => {
  const { found, turns } = await turnsOf((arrived) => createRemoteChain(announced(arrived)).libraries(hashes))
  expect([...found.values()].map((one) => one.hashHex()).sort()).toEqual(libraries.map((one) => one.hashHex()).sort())
  expect(turns).toBeGreaterThan(1)
})

test('behavior: and where they are passed on', async () => {
  const { found, turns } = await turnsOf((arrived) => {
    const source = announced(arrived)
    return createVerifiedLiteServer(source, new Trust(source)).libraries(hashes)
  })
  expect(found).toHaveLength(LIBRARIES)
  expect(turns).toBeGreaterThan(1)
})

test('error: one that is not the one with that hash', async () => {
  const source = {
    ...scene.lite,
    librariesWithProof: async (...query: Parameters<typeof scene.lite.librariesWithProof>) => {
      const answer = await scene.lite.librariesWithProof(...query)
      return {
        ...answer,
        result: answer.result.map((one, i) => (i === 5 ? { ...one, data: one.data.with(2000, 1) } : one)),
      }
    },
  }
  await expect(createRemoteChain(source).libraries(hashes)).rejects.toThrow(ProofError)
})

test('error: libraries without their cells, as if these had not been wanted', async () => {
  const bare: typeof scene.lite = {
    ...scene.lite,
    librariesWithProof: (id, wanted, _mode, options) => scene.lite.librariesWithProof(id, wanted, 2, options),
  }
  await expect(createRemoteChain(bare).libraries(hashes)).rejects.toThrow(ProofError)
})
