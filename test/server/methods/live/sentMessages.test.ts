// Which messages are noticed when they are sent.

import { Address, beginCell, external, storeMessage } from '@ton/core'
import { expect, test } from 'vitest'
import { inOnePiece } from '../../../../server/cell/index.ts'
import { SentMessages } from '../../../../server/methods/live/sentMessages.ts'
import type { Chain } from '../../../../server/node/index.ts'

const LONGEST = 65_535

function messageOf(cells: number): Buffer {
  let body = beginCell().endCell()
  for (let i = 0; i < cells; i++)
    body = beginCell().storeUint(i, 32).storeBuffer(Buffer.alloc(100)).storeRef(body).endCell()
  const message = external({ to: Address.parse(`0:${'ab'.repeat(32)}`), body })
  return beginCell().store(storeMessage(message)).endCell().toBoc()
}

function setUp(send: () => Promise<void>) {
  const messages = new SentMessages()
  const noticed: Promise<boolean>[] = []
  messages.onSent(({ accepted }) => noticed.push(accepted))
  // The cast: nothing else of the chain is used.
  const chain = messages.watch({ send } as unknown as Chain)
  return { messages, chain, noticed }
}

const refuse = () => Promise.reject(new Error('refused'))

test('default: a message is noticed before the node answers, with what that says', async () => {
  const { chain, noticed } = setUp(refuse)
  const sending = chain.send(messageOf(10))
  expect(noticed.length).toBe(1)
  await expect(sending).rejects.toThrow('refused')
  expect(await noticed[0]).toBe(false)
})

test('behavior: one that is longer than any chain takes is not read', async () => {
  const boc = messageOf(700)
  expect(boc.length).toBeGreaterThan(LONGEST)
  const { chain, noticed } = setUp(refuse)
  await expect(chain.send(boc)).rejects.toThrow('refused')
  expect(noticed).toEqual([])
})

test('behavior: the newest ones are found afterwards, but for those that were refused', async () => {
  const taken = setUp(async () => undefined)
  const hashes: Uint8Array[] = []
  taken.messages.onSent(({ hashNorm }) => hashes.push(hashNorm))
  for (let cells = 1; cells <= 257; cells++) await taken.chain.send(messageOf(cells))
  const isFound = (hash: Uint8Array = new Uint8Array(32)) => inOnePiece(taken.messages.finding(hash)) !== null
  expect(hashes).toHaveLength(257)
  expect([isFound(hashes.at(-1)), isFound(hashes[0]), isFound()]).toEqual([true, false, false])

  const refused = setUp(refuse)
  await expect(refused.chain.send(messageOf(257))).rejects.toThrow('refused')
  await refused.noticed[0]
  expect(inOnePiece(refused.messages.finding(hashes.at(-1) ?? new Uint8Array(32)))).toBeNull()
})
