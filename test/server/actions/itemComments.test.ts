// What is shown of the payload of an item's transfer: as the public service reads it, which is not how it reads that of jettons.

import { describe, expect, test } from 'vitest'
import { nft } from '../../../server/bodies/index.ts'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, known, op } from './madeFlows.ts'

const [OWNER, ITEM, BUYER, COLLECTION] = ['1', '2', '3', '4'].map((digit) => account(digit)) as [
  string,
  string,
  string,
  string,
]
const ENCRYPTED = 0x2167da4b

/** The fields about the comment, of a transfer that forwards this payload; null for a body that ends before it. */
function shown(payload: Cell | null): unknown {
  const body = address(address(call(nft.transfer.opcode), BUYER), OWNER)
    .storeBit(0)
    .storeCoins(1n)
  if (payload !== null) body.storeBit(1).storeRef(payload)
  const [action] = actionsOf(
    { from: OWNER, to: ITEM, body: body.end() },
    { [ITEM]: known({ nftItem: { index: 7n, collection: COLLECTION, owner: OWNER, content: null } }) },
  )
  expect(action?.type).toBe('nft_transfer')
  return [action?.details.comment, action?.details.is_encrypted_comment]
}

const bytes = (opcode: number, ...values: readonly number[]) => op(opcode).storeBytes(Uint8Array.from(values))
const H = 0x68
const I = 0x69

describe('the comment of an item that moves', () => {
  test('without a payload there is none', () => {
    expect(shown(null)).toEqual([null, false])
    expect(shown(beginCell().end())).toEqual([null, false])
  })

  test('an empty one is a comment, in a reference or not', () => {
    expect(shown(op(0).end())).toEqual(['', false])
    expect(shown(op(ENCRYPTED).end())).toEqual(['', true])
    expect(
      shown(
        op(0)
          .storeRef(beginCell().storeBytes(Uint8Array.of(H, I)).end())
          .end(),
      ),
    ).toEqual(['hi', false])
  })

  test('bits that are no whole byte are filled up', () => {
    expect(shown(bytes(0, H, I).storeUint(6, 4).end())).toEqual(['hi`', false])
    expect(shown(bytes(ENCRYPTED, 1).storeUint(6, 4).end())).toEqual(['AWA=', true])
  })

  test('each byte that is no UTF-8 is replaced, and NUL left out', () => {
    expect(shown(bytes(0, H, 0xff, 0xe2, 0x82, I).end())).toEqual(['h\ufffd\ufffd\ufffdi', false])
    expect(shown(bytes(0, 0xed, 0xa0, 0x80, 0x61).end())).toEqual(['\ufffd\ufffd\ufffda', false])
    expect(shown(bytes(0, 0xd0, 0x9f, 0xf0, 0x9f, 0x98, 0x80, 0xff).end())).toEqual(['П😀\ufffd', false])
    expect(shown(bytes(0, H, 0, I).end())).toEqual(['hi', false])
  })

  test('cells that branch are no comment, encrypted or not', () => {
    const branching = (opcode: number) =>
      bytes(opcode, H).storeRef(beginCell().end()).storeRef(beginCell().storeUint(1, 8).end()).end()
    expect(shown(branching(0))).toEqual([null, false])
    expect(shown(branching(ENCRYPTED))).toEqual([null, false])
  })
})
