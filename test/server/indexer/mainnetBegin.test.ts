// The main network as it began: what its first validators signed is believed, and its first blocks are indexed.

import { expect, test } from 'vitest'
import { createRemoteChain, type ForwardLink, ProofError, Trust } from '../../../server/node/index.ts'
import { sql } from '../../../server/store/index.ts'
import { mainnetBegin } from '../../setup/mainnetBegin.ts'
import { chainServer } from '../../setup/recordedBlocks.ts'
import { verifyBlockProof } from '../../setup/verifyAtOnce.ts'
import { index, openStore } from './indexScene.ts'

const { chain, links } = mainnetBegin()

const verdict = (link: ForwardLink): string => {
  const { from, to } = link
  try {
    return verifyBlockProof(from, to, { complete: true, from, to, steps: [link] }).complete ? 'believed' : 'not there'
  } catch (error) {
    return error instanceof ProofError ? error.code : String(error)
  }
}

test('default: each block is signed by validators that the zerostate names', () => {
  expect(links.map(({ to }) => to.seqno)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(links.map(verdict)).toEqual(links.map(() => 'believed'))
})

test('behavior: signatures of another block, or too few, are refused', () => {
  const [, first, second] = links as [ForwardLink, ForwardLink, ForwardLink]
  expect(verdict({ ...first, signatures: second.signatures })).toBe('signature')
  const { signatures } = first.signatures
  const few = { ...first.signatures, signatures: signatures.slice(0, signatures.length / 2) }
  expect(verdict({ ...first, signatures: few })).toBe('signature')
})

test('behavior: the index has every block, and what the chain began with', async () => {
  const { server, reveal } = chainServer(chain)
  const database = await openStore()
  const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
  const indexer = index({ node, database, indexFrom: { seqno: 1 }, network: 'mainnet' })
  reveal(links.length)
  await indexer.waitFor(links.length, { timeoutMs: 300_000 })
  expect(indexer.status()).toMatchObject({ trouble: null, lacking: 0 })
  const [counted] = await database.read.query(sql`select (select count(*) from blocks) as blocks,
    (select count(*) from transactions) as transactions, (select count(*) from accounts) as accounts`)
  expect(Object.values(counted ?? {}).map(Number)).toEqual([chain.blocks.length, 130, 8])
  const minted = await database.read.query(
    sql`select value_extra as extra from messages where value_extra::text <> '{}'`,
  )
  expect(minted).toEqual([{ extra: '{"239":"666666666666","4294967279":"1000000000000"}' }])
})
