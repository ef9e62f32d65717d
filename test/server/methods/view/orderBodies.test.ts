// Previews of an order's messages, where senders leave out what wallets do not need.

import { expect, test } from 'vitest'
import { jettons, nft } from '../../../../server/bodies/index.ts'
import { beginCell, type MessageAddress, stdAddress } from '../../../../server/cell/index.ts'
import { parseBody } from '../../../../server/methods/view/v3/assets/orderBodies.ts'

const keep = (address: MessageAddress): MessageAddress => address
const account = stdAddress(0, new Uint8Array(32).fill(1))
const raw = `0:${'01'.repeat(32)}`
const writeTransfer = jettons.transfer.writer(keep)
const writeItemTransfer = nft.transfer.writer(keep)

const common = { queryId: 7n, responseDestination: null, customPayload: null, forwardPayload: null }

test('a jetton transfer without a payload, not even an empty one', () => {
  const fields = { ...common, amount: 5n, destination: account, forwardTonAmount: 1n }
  expect(parseBody(writeTransfer(beginCell(), fields).end())).toMatchObject({
    type: 'jetton_transfer',
    body: {
      query_id: 7,
      amount: '5',
      destination: raw,
      forward_amount: '1',
      forward_payload: null,
      payload_sum_type: '',
    },
  })
})

test('an item transfer without a payload', () => {
  const fields = { ...common, newOwner: account, forwardAmount: 1n }
  expect(parseBody(writeItemTransfer(beginCell(), fields).end())).toMatchObject({
    type: 'nft_transfer',
    body: { query_id: 7, new_owner: raw, forward_amount: '1', forward_payload: null },
  })
})

test('a transfer that ends before its amount is unknown', () => {
  const cut = beginCell().storeUint(jettons.transfer.opcode, 32).storeUint(7, 64).storeUint(15, 4).end()
  expect(parseBody(cut)).toMatchObject({ type: 'unknown', body: { opcode: '0x0f8a7ea5' } })
})
