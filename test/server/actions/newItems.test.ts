// Items that come to life in a pending trace.

import { expect, test } from 'vitest'
import { classifyTrace, withNewItems } from '../../../server/actions/index.ts'
import { beginCell, type Cell, writeBoc } from '../../../server/cell/index.ts'
import { account, address, call, known } from './madeFlows.ts'
import { message, trace, transaction } from './madeTraces.ts'

const OWNER = account('1')
const COLLECTION = account('2')
const ITEM = account('3')
const OTHER = account('4')

/** What an item is deployed with. */
const init = (data: Cell): Uint8Array =>
  writeBoc(beginCell().storeUint(0b00110, 5).storeRef(beginCell().storeUint(1, 8).end()).storeRef(data).end())

const usual = (bits: number, collection = COLLECTION): Cell =>
  address(beginCell().storeUint(7n, bits), collection).end()
const bill = address(beginCell().storeBit(false), COLLECTION).storeUint(7n, 64).end()
const ofNames = beginCell().storeRef(usual(256)).storeBit(false).end()

function deploymentOf(data: Cell, origStatus: string) {
  const ask = message({ source: OWNER, destination: COLLECTION, body: call(1).end(), lt: 11n })
  const deploy = { ...message({ source: COLLECTION, destination: ITEM, lt: 12n }), init: init(data) }
  return trace(
    transaction({ account: COLLECTION, in: ask, outMessages: [deploy] }),
    transaction({ account: ITEM, in: deploy, origStatus }),
  )
}

function mintsOf(data: Cell, { interfaces = ['nft_collection'], origStatus = 'uninit' } = {}) {
  const whole = deploymentOf(data, origStatus)
  const facts = withNewItems(whole, new Map([[COLLECTION, known({ interfaces })]]))
  return classifyTrace(whole, facts).actions.flatMap(({ type, details }) => (type === 'nft_mint' ? [details] : []))
}

const minted = { owner: COLLECTION, nft_item: ITEM, nft_collection: COLLECTION, nft_item_index: '7' }

test.each([
  ['an item', usual(64)],
  ['a domain', usual(256)],
  ['a name of Telegram', ofNames],
  ['a bill of liquid staking', bill],
])('%s is minted before a block has it', (_, data) => {
  expect(mintsOf(data)).toEqual([minted])
})

test('what names another collection, was there before, or comes from no collection is no new item', () => {
  expect(mintsOf(usual(64, OTHER))).toEqual([])
  expect(mintsOf(usual(64), { origStatus: 'active' })).toEqual([])
  expect(mintsOf(usual(64), { interfaces: [] })).toEqual([])
  expect(mintsOf(beginCell().end())).toEqual([])
})

test('of what the index knows, and of what was there before, a message with such a beginning says nothing', () => {
  const collection = known({ interfaces: ['nft_collection'] })
  const itemOf = (facts: Parameters<typeof known>[0], origStatus: string) =>
    withNewItems(
      deploymentOf(usual(64), origStatus),
      new Map([
        [COLLECTION, collection],
        [ITEM, known(facts)],
      ]),
    ).get(ITEM)?.nftItem
  const nftItem = { index: 1n, collection: OTHER, owner: OWNER, content: null }
  expect(itemOf({ nftItem }, 'uninit')).toEqual(nftItem)
  expect(itemOf({}, 'active')).toBeUndefined()
  expect(itemOf({}, 'uninit')).toMatchObject({ index: 7n, collection: COLLECTION })
})
