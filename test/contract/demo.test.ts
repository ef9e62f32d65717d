// The demo through the service: what a new chain has to show, what is given to the one who asks, and parts of it played again on
// a service that runs.

import { Address } from '@ton/core'
import { JettonMaster, TonClient } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { firstSteps } from '../../client/explorer/home/connectionLines.ts'
import { type Action, createClient } from '../../client/index.ts'
import { seedCommand as command } from '../../server/cli/seed/command.ts'
import { forAllTests, serve, type TestService } from '../setup/service.ts'

const ALICE = `0:${'11'.repeat(32)}`

/** What the demo is listed as in the index. */
const SHOWN_TYPES = [
  'auction_bid',
  'auction_outbid',
  'call_contract',
  'change_dns',
  'contract_deploy',
  'delete_dns',
  'dns_purchase',
  'dns_release',
  'election_deposit',
  'election_recover',
  'gasless_request',
  'jetton_burn',
  'jetton_mint',
  'jetton_transfer',
  'multisig_approve',
  'multisig_create_order',
  'multisig_execute',
  'nft_cancel_auction',
  'nft_cancel_sale',
  'nft_discovery',
  'nft_finish_auction',
  'nft_mint',
  'nft_purchase',
  'nft_put_on_auction',
  'nft_put_on_sale',
  'nft_transfer',
  'nft_update_sale',
  'renew_dns',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'subscribe',
  'teleitem_cancel_auction',
  'teleitem_start_auction',
  'tick_tock',
  'unsubscribe',
  'vesting_add_whitelist',
  'vesting_send_message',
]
const bounceable = (raw: string): string => Address.parse(raw).toString()

const clientOf = ({ url }: TestService) => createClient({ url, retry: false, timeoutMs: 120_000 })

async function seed(...argv: string[]) {
  const said = { out: [] as string[], err: [] as string[] }
  const out = (line: string) => void said.out.push(line)
  const err = (line: string) => void said.err.push(line)
  const code = await command.run(argv, { env: {}, out, err })
  return { code, ...said }
}

describe('a chain that plays the demo', () => {
  test('reading works at once, what changes the chain waits, and then everything is there', async () => {
    await using service = await serve({ withIndex: true, config: { seed: 'demo' } })
    expect(service.playsDemo).toBe(true)
    const client = clientOf(service)
    const begun = performance.now()
    const paid = client.dev.faucet({ address: ALICE, amount: '7' }, { timeoutMs: 300_000 })
    // By another client: one sends calls made at once as a batch, which is answered as a whole.
    const { last } = await clientOf(service).getMasterchainInfo()
    const answered = performance.now() - begun
    const { seqno } = await paid
    expect(performance.now() - begun).toBeGreaterThan(answered)
    expect(seqno).toBeGreaterThan(Math.max(30, last.seqno))
    expect(await client.getAddressBalance({ address: ALICE })).toBe('7')
    const { accounts, utime } = await client.dev.state()
    // The chain began as far back as the script is long.
    expect(Math.abs(utime - Date.now() / 1000)).toBeLessThan(3600)
    const printed = await client.v3.addressBook({ address: accounts.map(({ address }) => address) })
    expect(accounts.map(({ address }) => printed[address]?.user_friendly)).toEqual(
      accounts.map(({ friendly }) => friendly),
    )
    const owner = accounts.find(({ name }) => name === 'wallet1')?.address ?? ''
    const { entries } = await client.dnsResolve({ name: 'shop.market.ton', category: 'wallet' })
    expect(entries).toMatchObject([{ entry: { smc_address: { account_address: bounceable(owner) } } }])
    expect((await client.getTransactions({ address: owner, limit: 30 })).length).toBeGreaterThan(10)
    const listed = async () => {
      const { actions } = await client.v3.actions({ limit: 1000 })
      return [...new Set(actions.map(({ type }) => type))].sort()
    }
    await expect.poll(listed, { interval: 500 }).toEqual(expect.arrayContaining(SHOWN_TYPES))
    const { seqno: mined } = await client.dev.mine({ blocks: 120 })
    const indexed = async () => (await client.v3.masterchainInfo()).last.seqno
    await expect.poll(indexed, { interval: 500 }).toBeGreaterThanOrEqual(mined)
    const isFee = (action: Action) =>
      action.type === 'ton_transfer' &&
      action.details.source === `-1:${'0'.repeat(64)}` &&
      action.details.destination === `-1:${'3'.repeat(64)}`
    const idle = (await client.v3.actions({ limit: 100 })).actions
    expect(idle.filter(isFee).length).toBeGreaterThan(50)
    const { actions } = await client.v3.actions({ limit: 100, exclude_system: true })
    expect(actions).toHaveLength(100)
    expect(actions.filter((action) => action.type === 'tick_tock' || isFee(action))).toEqual([])
    const { transactions } = await client.v3.transactions({ limit: 100, exclude_system: true })
    expect(transactions).toHaveLength(100)
    expect(transactions.filter(({ description }) => description.type === 'tick_tock')).toEqual([])
    const rest = await fetch(`${service.url}/api/v3/transactions?limit=100&exclude_system=true`)
    expect(await rest.json()).toMatchObject({ transactions: transactions.map(({ hash }) => ({ hash })) })
  })
})

describe('a chain without the demo', () => {
  const service = forAllTests(() => serve())

  test('dev.jetton deploys the jetton once, and mints at each call', async () => {
    const client = clientOf(service())
    const first = await client.dev.jetton({ address: ALICE })
    const second = await client.dev.jetton({ address: ALICE, amount: '500' })
    expect(second).toMatchObject({ master: first.master, wallet: first.wallet })
    const ton = new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })
    const master = ton.open(JettonMaster.create(Address.parse(first.master)))
    expect((await master.getWalletAddress(Address.parse(ALICE))).toRawString()).toBe(first.wallet)
    expect((await master.getJettonData()).totalSupply).toBe(1_000_000_500n)
    expect(await client.getTokenData({ address: first.wallet })).toMatchObject({ balance: '1000000500' })
    expect(await client.getTokenData({ address: first.master })).toMatchObject({
      jetton_content: { type: 'onchain', data: { symbol: 'DEMO' } },
    })
  })

  test('dev.nft makes one item after the other', async () => {
    const client = clientOf(service())
    const items = []
    for (let count = 0; count < 3; count++) items.push(await client.dev.nft({ address: ALICE }))
    expect(items.map(({ index }) => index)).toEqual(['0', '1', '2'])
    for (const { item, index, collection } of items)
      expect(await client.getTokenData({ address: item })).toMatchObject({
        contract_type: 'nft_item',
        init: true,
        index,
        owner_address: bounceable(ALICE),
        collection_address: bounceable(collection),
        content: { type: 'offchain', data: `https://demo.invalid/items/${index}.json` },
      })
  })

  test('without mining nothing is lost, however much is requested before a block', async () => {
    await using quiet = await serve({ config: { mining: 'manual' } })
    const client = clientOf(quiet)
    const wanted = [1, 2, 3].map(() => client.dev.nft({ address: ALICE }))
    const jettons = [1, 2, 3].map(() => client.dev.jetton({ address: ALICE, amount: '5' }))
    const items = await Promise.all(wanted)
    const [jetton] = await Promise.all(jettons)
    await client.dev.mine({ blocks: 3 })
    for (const { item } of items) expect(await client.getAddressState({ address: item })).toBe('active')
    expect(new Set(items.map(({ index }) => index)).size).toBe(3)
    expect(await client.getTokenData({ address: jetton?.wallet ?? '' })).toMatchObject({ balance: '15' })
  })

  test('error: tokens for the masterchain', async () => {
    const address = `-1:${'11'.repeat(32)}`
    await expect(clientOf(service()).dev.jetton({ address })).rejects.toMatchObject({ kind: 'invalidParams' })
    await expect(clientOf(service()).dev.nft({ address })).rejects.toMatchObject({ kind: 'invalidParams' })
  })
})

describe('npm run seed', () => {
  const service = forAllTests(() => serve())

  test('every part can be played, and again', async () => {
    const { code, out, err } = await seed('--url', service().url, '--move-clock')
    expect([code, err, out.length]).toEqual([0, [], 12])
    expect(out.at(-1)).toMatch(/^The clocks agree again in \d+ s/)
    expect(out[0]).toBe('wallets: transfers between wallets, 2 steps, round 1')
    const twice = await seed('--url', service().url, '--only', 'vesting,sbt', '--times', '2')
    const rounds = ['sbt round 2', 'sbt round 3', 'vesting round 2', 'vesting round 3']
    expect(twice.out.map((line) => line.replace(/:.*, /, ' '))).toEqual(rounds)
    const { entries } = await clientOf(service()).dnsResolve({ name: 'alice.ton' })
    expect(entries).toHaveLength(4)
  })

  test('what would have to move the clock is left out, and said', async () => {
    await using own = await serve()
    const { code, out, err } = await seed('--url', own.url, '--only', 'jetton,nft', '--times', '2')
    expect([code, err]).toEqual([0, []])
    expect(out.filter((line) => line.startsWith('nft'))).toEqual([
      'nft: a collection, sales and auctions, 6 steps, round 1; 1 more only minutes later, or at once with --move-clock',
      'nft: a collection, sales and auctions, 6 steps, round 2; 1 more only minutes later, or at once with --move-clock',
    ])
    expect((await clientOf(own).dev.state()).clock_offset).toBe(0)
  })

  test('the lines of the first page of an empty chain are commands that work', async () => {
    await using own = await serve()
    const lines = firstSteps(own.url).flatMap(({ command: line }) => /^npx tonrpc seed (.*)$/.exec(line)?.[1] ?? [])
    expect(lines).toHaveLength(2)
    expect(await seed(...(lines[0]?.split(' ') ?? []))).toMatchObject({
      code: 0,
      err: [],
      out: ['wallets: transfers between wallets, 2 steps, round 1'],
    })
  })

  test('on a chain that makes no blocks by itself', async () => {
    await using quiet = await serve({ config: { mining: 'manual' } })
    expect(await seed('--url', quiet.url, '--only', 'multisig')).toMatchObject({
      code: 0,
      out: ['multisig: a wallet of several signers, 5 steps, round 1'],
    })
  })

  test('--help names every part and option', async () => {
    const { code, out } = await seed('--help')
    expect([code, out]).toEqual([0, [command.help()]])
    for (const word of [
      '--only',
      '--times',
      '--url',
      '--move-clock',
      '--control-token',
      'jetton',
      'nft',
      'dns',
      'vesting',
    ])
      expect(command.help()).toContain(word)
  })

  test.each([
    [['--only', 'jetton,nonsense'], /^tonrpc: --only takes parts out of wallets, jetton,/],
    [['--times', '0'], /^tonrpc: --times takes a whole number/],
    [['--times', '1e3'], /^tonrpc: --times takes a whole number/],
    [['--url', 'localhost:8081'], /^tonrpc: --url takes an address/],
    [['--bogus'], /^tonrpc: unknown flag --bogus: --help/],
    [['jetton'], /^tonrpc: unexpected "jetton"/],
  ])('args: %j is wrong use, exit code 2', async (argv, said) => {
    const { code, out, err } = await seed(...argv)
    expect([code, out]).toEqual([2, []])
    expect(err[0]).toMatch(said)
  })

  test('error: nothing there, or a service without an embedded chain', async () => {
    const unreachable = await seed('--url', 'http://127.0.0.1:1')
    expect([unreachable.code, unreachable.err]).toEqual([
      1,
      [expect.stringMatching(/^tonrpc: no service answers at http:\/\/127\.0\.0\.1:1: start it/)],
    ])
    await using real = await serve({ config: { network: 'testnet', limits: 'off' } })
    expect(await seed('--url', real.url)).toEqual({
      code: 1,
      out: [],
      err: ['tonrpc: stopped: the service there has no embedded chain'],
    })
  })
})
