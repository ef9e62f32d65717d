// A devnet that was forked off the lite servers of another one, which has played the demo: as a caller sees both.

import { Address, beginCell } from '@ton/core'
import { beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { ask } from '../../setup/calls.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually } from '../../setup/streams.ts'

const services = forAllTests(async () => {
  const network = await servePlayed({ withIndex: true, config: { litePort: '0' } })
  const liteservers = `${network.url}/global.config.json`
  const fork = await serve({ withIndex: true, config: { forkFrom: 'custom', liteservers } })
  return {
    network,
    fork,
    async [Symbol.asyncDispose]() {
      await fork[Symbol.asyncDispose]()
      await network[Symbol.asyncDispose]()
    },
  }
})

const clients = () => {
  const { network, fork } = services()
  const timeoutMs = 300_000
  return { there: createClient({ url: network.url, timeoutMs }), here: createClient({ url: fork.url, timeoutMs }) }
}

let seen: { readonly wallet: string; readonly owner: string; readonly item: string; readonly balance: string }

beforeAll(async () => {
  const { there } = clients()
  // Its owner is no account that every devnet is born with.
  const { accounts } = await there.dev.state()
  const born = new Set(accounts.map(({ address }) => address.toUpperCase()))
  const { jetton_wallets: wallets } = await there.v3.jetton.wallets({ exclude_zero_balance: true, limit: 100 })
  const found = wallets.find(({ owner }) => !born.has(owner.toUpperCase())) ?? wallets[0]
  const { nft_items: items } = await there.v3.nft.items({ limit: 1 })
  seen = {
    wallet: found?.address ?? '',
    owner: found?.owner ?? '',
    balance: found?.balance ?? '',
    item: items[0]?.address ?? '',
  }
}, 300_000)

test('default: v2 reads accounts, get-methods and history of the network', async () => {
  const { network, fork } = services()
  const paths = [
    `/api/v2/getTransactions?address=${seen.wallet}&limit=5`,
    `/api/v2/getTokenData?address=${seen.wallet}`,
    `/api/v2/getTokenData?address=${seen.item}`,
    `/api/v2/getAddressBalance?address=${seen.item}`,
  ]
  for (const path of paths) {
    const wanted = await ask(network, path)
    const found = await ask(fork, path)
    expect(found.status).toBe(200)
    expect(found.body.result).toEqual(wanted.body.result)
  }
})

test('behavior: what v3 is asked for is in the index then, tokens with what they are', async () => {
  const { there, here } = clients()
  const wallets = await here.v3.jetton.wallets({ address: [seen.wallet] })
  expect(wallets.jetton_wallets).toMatchObject([{ owner: seen.owner, balance: seen.balance }])
  const { nft_items: items } = await here.v3.nft.items({ address: [seen.item] })
  const { nft_items: wanted } = await there.v3.nft.items({ address: [seen.item] })
  expect(items).toMatchObject(wanted.map(({ index, owner_address }) => ({ index, owner_address })))
  expect((await here.v3.accountStates({ address: [seen.wallet, seen.item] })).accounts).toHaveLength(2)
  expect((await here.dev.state()).fork?.accounts).toBeGreaterThan(1)
})

test('behavior: a token of the network moves here, and not there', async () => {
  const { there, here } = clients()
  const before = await there.v3.jetton.wallets({ address: [seen.wallet] })
  const to = `0:${'5D'.repeat(32)}`
  await here.dev.sendInternal({ from: seen.owner, to: seen.wallet, value: '200000000', body: transferBody(to) })
  const moved = await eventually(async () => {
    const { jetton_wallets: wallets } = await here.v3.jetton.wallets({ owner_address: [to] })
    return wallets[0]
  })
  expect(moved.balance).toBe('1')
  const actions = await eventually(async () => {
    const { actions: all } = await here.v3.actions({ account: to })
    return all.length > 0 ? all : undefined
  })
  expect(actions).toMatchObject([{ type: 'jetton_transfer', success: true }])
  expect(await there.v3.jetton.wallets({ address: [seen.wallet] })).toMatchObject({
    jetton_wallets: before.jetton_wallets.map(({ balance }) => ({ balance })),
  })
})

/** Of one unit, with nothing else. */
function transferBody(to: string): string {
  const body = beginCell().storeUint(0xf8a7ea5, 32).storeUint(7, 64).storeCoins(1)
  const end = body.storeAddress(Address.parse(to)).storeAddress(Address.parse(seen.owner))
  return end.storeBit(0).storeCoins(1).storeBit(0).endCell().toBoc().toString('base64')
}

test('error: flags that do not go together are refused in a sentence', async () => {
  const refused = (config: Parameters<typeof serve>[0]) => expect(serve(config)).rejects
  await refused({ config: { forkSeqno: 4 } }).toThrow(/--fork-seqno says where a fork begins: add --fork-from/)
  await refused({ config: { forkFrom: 'custom', network: 'custom' } }).toThrow(/leave out --network/)
  await refused({ config: { forkFrom: 'custom', workers: '2' } }).toThrow(/leave out --workers/)
  await refused({ config: { forkFrom: 'custom' } }).toThrow(/--liteservers/)
  const { network } = services()
  const liteservers = `${network.url}/global.config.json`
  await refused({ config: { forkFrom: 'custom', liteservers, forkSeqno: 1_000_000 } }).toThrow(
    /--fork-from custom: the network has no block 1000000 yet/,
  )
})
