// A trace among tokens with pictures on chain, as anybody can make one: their descriptions are more than one answer can hold.

import { expect, test } from 'vitest'
import { createLiveBooks, rawOfKey } from '../../../server/methods/index.ts'
import { emitTrace } from '../../../server/streaming/emitBlock.ts'
import { SharedTexts } from '../../../server/streaming/sharedTexts.ts'
import { StreamCounts } from '../../../server/streaming/streamCounts.ts'
import { RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { freshDatabase } from '../../setup/database.ts'
import { filledAssets } from '../../setup/filledAssets.ts'
import { filledRows } from '../../setup/filler.ts'
import { textReader } from '../../setup/textReader.ts'
import { withMessages } from '../../setup/withMessages.ts'

const COUNT = 140
/** Together 42 MB. */
const image = { image_data: 'x'.repeat(300 * 1024) }

const keyOf = (i: number): Uint8Array => Buffer.concat([Buffer.of(128), Buffer.alloc(32, `token ${i} `)])

const [item] = filledAssets({ rows: 20, people: 5 }).nftItems
const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined || item === undefined) throw new Error('nothing was filled')
const all = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
const usual = all.find(({ outMessages }) => outMessages.length > 0)
const [sent] = usual?.outMessages ?? []
if (usual === undefined || sent === undefined) throw new Error('no transaction sent anything')

test('it is sent without them, and to all others as it is', async () => {
  await using database = await freshDatabase('pglite')
  const tokens = Array.from({ length: COUNT }, (_, i) => keyOf(i))
  const nftItems = tokens.map((account) => ({ ...item, account, collection: null, content: image }))
  await database.transaction((to) => insertAssets(to, { nftItems }))
  const routes = new RoutesToMany()
  const [named, other]: [string[], string[]] = [[], []]
  const wishes = { types: new Set(['transactions']), addresses: new Set([rawOfKey(usual.row.account)]) }
  routes.add(textReader(named, { ...wishes, metadata: true, addressBook: true }))
  routes.add(textReader(other, wishes))
  const found = { ...usual, outMessages: tokens.map((destination) => ({ ...sent, destination })) }
  const { hash, traceId } = usual.row
  const trace = { hash, hashNorm: hash, traceId, actions: [], isWhole: true }
  const parts = {
    routes,
    counts: new StreamCounts(),
    texts: new SharedTexts(),
    pace: { isDue: false, rest: () => Promise.resolve() },
  }
  const books = createLiveBooks({ store: database.read, testOnly: true })
  await emitTrace({ ...parts, books }, { ...trace, nodes: [{ found, finality: 'finalized' }] })
  const [text = '{}'] = named
  const { metadata, address_book: book, transactions } = JSON.parse(text)
  expect([metadata, Object.keys(book).length, transactions.length]).toEqual([{}, COUNT + 1, 1])
  expect(other).toHaveLength(1)
})
