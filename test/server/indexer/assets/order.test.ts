// The order of a list does not depend on how the chain was indexed: two indexes made in different steps page alike.

import { expect, onTestFinished, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import { RunSettings } from '../../../../server/contracts/index.ts'
import { jettonMasterInit, onChainContent } from '../../../../server/demo/contracts/index.ts'
import { demoStory } from '../../../../server/demo/index.ts'
import type { Deployment } from '../../../../server/devchain/contracts/index.ts'
import type { Call } from '../../../../server/methods/call.ts'
import { createFollowedSending } from '../../../../server/methods/followedSending.ts'
import { rawOfKey } from '../../../../server/methods/keyOfAccount.ts'
import { indexedHandlers } from '../../../../server/methods/v3/indexed.ts'
import { Written } from '../../../../server/methods/written.ts'
import { sql } from '../../../../server/store/index.ts'
import { createTvmPool } from '../../../../server/tvm/index.ts'
import type { MethodSpec } from '../../../../shared/registry.ts'
import { indexed } from '../../../../shared/v3/indexed.ts'
import { index, openNode, openStore, upToDate } from '../indexScene.ts'
import { call, coin, person } from './assetScene.ts'

const LISTS = {
  'v3.jetton.masters': {},
  'v3.jetton.wallets': {},
  'v3.jetton.transfers': {},
  'v3.jetton.burns': {},
  'v3.nft.collections': {},
  'v3.nft.items': {},
  'v3.nft.transfers': {},
  'v3.actions': { include_accounts: true },
  'v3.traces': {},
  'v3.transactions': {},
  'v3.messages': {},
  'v3.blocks': {},
  'v3.topAccountsByBalance': {},
} as const

const NOTHING = beginCell().end()
const masters = [1, 2, 3, 4].map((number) =>
  jettonMasterInit({ admin: person(number), content: onChainContent({ name: 'Test', decimals: '3' }) }),
)

test('an index written block by block and one written in large steps have every list in the same order', async () => {
  const { chain, node } = await openNode({ story: demoStory })
  await chain.player.play()
  // What is one, is none for a while and is one again comes behind the others where every block is written by itself.
  const account = ({ address: { workchain, hash } }: Deployment) => ({ workchain, id: hash, balance: coin })
  const place = (one: Deployment) => chain.control.setAccount({ ...account(one), code: one.code, data: one.data })
  for (const master of masters) await place(master)
  for (const master of masters.toReversed()) {
    await chain.control.setAccount({ ...account(master), code: NOTHING, data: NOTHING })
    await place(master)
  }
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const settings = new RunSettings(node)

  async function lists(batchTransactions: number) {
    const { read: store, ...database } = await openStore()
    const indexer = index({ node, pool, database: { ...database, read: store }, batchTransactions })
    await upToDate(indexer, chain)
    const parts = { chain: node, pool, settings, store, index: indexer }
    const handlers = indexedHandlers({ ...parts, ...createFollowedSending(parts), testOnly: true })
    const named = async (table: string) => {
      const rows = await store.query<{ account: Uint8Array }>(sql`select account from ${sql.identifier(table)}`)
      return rows.map(({ account }) => rawOfKey(account)).sort()
    }
    const wanted: Record<string, object> = {
      ...LISTS,
      'v3.multisig.wallets': { address: await named('multisigs') },
      'v3.multisig.orders': { address: await named('multisig_orders') },
      'v3.vesting': { contract_address: await named('vestings') },
    }
    const found: Record<string, unknown> = {}
    for (const [name, params] of Object.entries(wanted)) {
      const { [name]: spec } = indexed as Record<string, MethodSpec>
      const { [name]: handler } = handlers as Record<string, (params: unknown, by: Call) => Promise<unknown>>
      if (!spec || !handler) throw new Error(`no ${name}`)
      const rows = await handler(spec.params.parse({ ...params, limit: 1000 }), call)
      // Finished text is compared, not the pieces it came in.
      found[name] = rows instanceof Written ? JSON.parse(rows.json) : rows
    }
    return found
  }

  const single = await lists(1)
  const large = await lists(100_000)
  for (const [name, rows] of Object.entries(single)) {
    expect(JSON.stringify(rows).length > 500, name).toBe(true)
    expect(large[name], name).toEqual(rows)
  }
})
