// A large answer of a lite server, correct or not, is read in pieces, so that it does not block the event loop for other callers.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, type Cell, writeBoc } from '../../../../server/cell/index.ts'
import { configOwnerKey } from '../../../../server/devchain/accounts/index.ts'
import { createSigner } from '../../../../server/devchain/accounts/signing.ts'
import { configRequest } from '../../../../server/devchain/contracts/index.ts'
import {
  answerLiteQuery,
  type BlockIdExt,
  createRemoteChain,
  createVerifiedLiteServer,
  type LiteServer,
  ProofError,
  Trust,
} from '../../../../server/node/index.ts'
import { createLiteServerOver } from '../../../../server/node/liteApi/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from './scene.ts'

const PARAMETERS = 20
/** Some 60 kB, nearly as much as a message holds. */
const CELLS = 500

function branch(number: number, cells: number): Cell {
  let cell = beginCell().storeUint(number, 32).end()
  for (let i = 0; i < cells; i++) cell = beginCell().storeBytes(Buffer.alloc(110, i)).storeRef(cell).end()
  return cell
}

let scene: LiteScene
let head: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 91 })
  const { chain } = scene
  const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
  for (let i = 0; i < PARAMETERS; i++) {
    const value = beginCell()
      .storeRef(branch(i, CELLS / 2))
      .storeRef(branch(-i & 0xffff, CELLS / 2))
      .end()
    const change = { kind: 'parameter', index: 2000 + i, value } as const
    const validUntil = chain.reader.moment().master.utime + 1000
    await chain.send(writeBoc(configRequest({ change, seqno: 2 + i, validUntil, sign })))
  }
  head = chain.head().master.id
})
afterAll(() => scene.close())

/** The chain's lite server over the wire; `arrived` is called when an answer has been received. */
const overWire = (arrived: () => void = () => undefined, server: LiteServer = scene.lite): LiteServer =>
  createLiteServerOver(async (query) => {
    const answer = await answerLiteQuery(server, query)
    arrived()
    if (answer === null) throw new Error('No answer')
    return answer
  })

test('behavior: a configuration of a megabyte, by the service', async () => {
  const { found, turns } = await turnsOf((arrived) => createRemoteChain(overWire(arrived)).config(head, 'all'))
  expect([...found.params].filter(([number]) => number >= 2000)).toHaveLength(PARAMETERS)
  expect(turns).toBeGreaterThan(0)
})

test('behavior: and where it is passed on, byte for byte', async () => {
  const plain = await scene.lite.config(head, 'all')
  expect(plain.configProof.length).toBeGreaterThan(1_000_000)
  const { found, turns } = await turnsOf((arrived) => {
    const source = overWire(arrived)
    return createVerifiedLiteServer(source, new Trust(source)).config(head, 'all')
  })
  expect(Buffer.compare(found.configProof, plain.configProof)).toBe(0)
  expect(turns).toBeGreaterThan(0)
})

test('error: millions of bytes that prove nothing leave others their turns', async () => {
  // Some 400,000 cells, about nothing.
  const bytes = writeBoc(treeOf(300_000))
  const lying: LiteServer = {
    ...scene.lite,
    config: async (id) => ({ id, mode: 0, stateProof: bytes, configProof: bytes }),
    blockProof: async (from, to) => {
      const good = await scene.lite.blockProof(from, to)
      return { ...good, steps: good.steps.map((step, i) => (i === 0 ? { ...step, destProof: bytes } : step)) }
    },
    header: async (id, mode = 0) => ({ id, mode, headerProof: bytes }),
  }
  const first = scene.chain.reader.zerostates.master.id
  const asks: readonly ((server: LiteServer) => Promise<unknown>)[] = [
    (server) => createVerifiedLiteServer(server, new Trust(scene.lite)).config(head, 'all'),
    (server) => createVerifiedLiteServer(server, new Trust(scene.lite)).blockProof(first, head),
    (server) => createVerifiedLiteServer(server, new Trust(scene.lite)).header(head),
  ]
  for (const ask of asks) {
    const { found, turns } = await turnsOf((arrived) => ask(overWire(arrived, lying)).catch((error: unknown) => error))
    expect(found).toBeInstanceOf(ProofError)
    expect(turns).toBeGreaterThan(10)
  }
})
