// Code that is a reference to a library: blocks show its name alone, what it can do is in the library.

import { expect, test } from 'vitest'
import { beginCell, type Cell, CellKind, stdAddress } from '../../../../server/cell/index.ts'
import { contractCode } from '../../../../server/demo/contracts/index.ts'
import { AssetScene, hashHex, person } from './assetScene.ts'

const empty = beginCell().end()
const referenceTo = (cell: Cell): Cell =>
  beginCell().storeUint(CellKind.library, 8).storeBytes(cell.hashBytes()).end(true)

/** Publishes what is in it when it is sent a message: PUSHREF, PUSHINT 2, SETLIBCODE. */
const publisherOf = (library: Cell): Cell => beginCell().storeUint(0x8872fb06, 32).storeRef(library).end()

test('methods and interfaces are those of the library, also where it is published after the contract was there', async () => {
  const scene = await AssetScene.open()
  const codeOf = async (body: Cell) =>
    (await scene.rows('codes', 'hash')).find(({ hash }) => hash === hashHex(referenceTo(body)))
  const publish = async (byte: number, body: Cell) => {
    const publisher = stdAddress(-1, new Uint8Array(32).fill(byte))
    await scene.place(publisher, publisherOf(body), empty)
    await scene.send({ from: person(1), to: publisher })
    await scene.chain.control.mine(2)
  }
  const wallet = contractCode('jetton/wallet')
  const holder = person(0x21)
  await scene.place(holder, referenceTo(wallet), empty)
  expect(await codeOf(wallet)).toMatchObject({ methods: null, interfaces: [] })
  await publish(0x71, wallet)
  await scene.send({ from: person(1), to: holder })
  expect(await codeOf(wallet)).toMatchObject({ interfaces: ['jetton_wallet'] })
  expect((await codeOf(wallet))?.methods).not.toBeNull()

  const master = contractCode('jetton/master')
  await publish(0x72, master)
  await scene.place(person(0x22), referenceTo(master), empty)
  expect((await codeOf(master))?.interfaces).toContain('jetton_master')
})
