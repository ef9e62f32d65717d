// Every page of the explorer on the demo chain, and every part of one that an address opens.

import { createClient } from '../../client/index.ts'

export interface ExplorerView {
  readonly at: string
  /** What is there when the data is. */
  readonly shows: string
  /** Links from elsewhere lead to it. */
  readonly isFront: boolean
}

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')
/** An item without an owner says so, without an address. */
const OWNER = '[aria-label="Account"] .facts dt:text-is("Owner")'
const NO_HASH = '00'.repeat(32)
const BAG = 'te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo'

export async function explorerViews(url: string): Promise<readonly ExplorerView[]> {
  const client = createClient({ url, timeoutMs: 120_000 })
  const { accounts, head } = await client.dev.state()
  const wallet = `/address/${accounts.find(({ name }) => name === 'wallet4')?.friendly}`
  const [newest] = (await client.v3.transactions({ account: [wallet.slice(9)], limit: 1 })).transactions
  const transaction = `/tx/${hexOf(newest?.hash ?? '')}`
  const [jetton] = (await client.v3.jetton.masters({ limit: 1 })).jetton_masters
  const [held] = (await client.v3.jetton.wallets({ limit: 1 })).jetton_wallets
  const [item] = (await client.v3.nft.items({ limit: 1 })).nft_items
  const [sold] = (await client.v3.nft.items({ include_on_sale: true, limit: 500 })).nft_items.filter(
    ({ on_sale }) => on_sale,
  )
  const [named] = (await client.v3.dns.records({ domain: 'alice.ton' })).records
  const [collection] = (await client.v3.nft.collections({ limit: 1 })).nft_collections
  const [order] = (await client.v3.actions({ action_type: ['multisig_create_order'], limit: 1 })).actions
  const { destination: multisig } = (order?.details ?? {}) as { readonly destination?: string }
  const [proposed] = (await client.v3.multisig.orders({ multisig_address: [multisig ?? ''], limit: 1 })).orders
  const [sent] = (await client.v3.actions({ action_type: ['vesting_send_message'], limit: 1 })).actions
  const { vesting } = (sent?.details ?? {}) as { readonly vesting?: string }
  const stakes = await client.v3.validators.events({ type: 'stake_accepted', limit: 500 })
  const [pool] = Object.entries(stakes.address_book ?? {}).find(([, { interfaces }]) =>
    interfaces.some((name) => /^(?:nominator_pool|tv_pool)/.test(name)),
  ) ?? ['']
  const front: readonly (readonly [at: string, shows: string])[] = [
    ['/', '.rows .row'],
    [transaction, '.summary'],
    [`/trace/${hexOf(newest?.trace_id ?? '')}?as=list`, '[role="treeitem"]'],
    [wallet, '.history-row'],
    [`${wallet}?until=2020-01-01`, '.empty'],
    [`${wallet}?tab=transactions`, '#main tbody tr'],
    [`${wallet}?tab=tokens`, '#main tbody tr'],
    [`${wallet}?tab=nfts`, '.empty'],
    [`/address/${named?.dns_wallet}?tab=nfts`, '.domains li'],
    [`/address/${sold?.real_owner}?tab=nfts`, '.item .amount'],
    [`/address/${collection?.address}?tab=items`, '.grid .item'],
    [`/block/${head.seqno}`, '#proof'],
    [`/block/0:8000000000000000:${newest?.block_ref.seqno}`, '#main table'],
  ]
  const more: readonly (readonly [at: string, shows: string])[] = [
    [`${transaction}?as=flow`, '#main table'],
    [`${transaction}?view=state`, '.panel tbody tr'],
    [`${transaction}?view=messages`, '.panel .facts'],
    [`${transaction}?view=again`, '.vm-steps > li'],
    [`${transaction}?view=raw`, '.panel .json'],
    [`${wallet}?kind=calls`, '.history-row'],
    [`${wallet}?kind=domains&from=2020-01-01`, '.empty'],
    [`${wallet}?tab=contract`, '[aria-label="Code"]'],
    [`${wallet}?tab=methods`, '.methods .facts dd'],
    [`${wallet}?tab=balance`, '#main svg'],
    [`/address/${jetton?.address}?tab=holders`, '#main tbody tr'],
    [`/address/${held?.address}`, OWNER],
    [`/address/${item?.address}`, OWNER],
    [`/address/${sold?.sale_contract_address ?? sold?.auction_contract_address}?tab=sale`, '[role="tabpanel"] .facts'],
    [`/address/${multisig}?tab=orders`, '#main tbody tr'],
    [`/address/${proposed?.address}?tab=order`, '#main tbody tr'],
    [`/address/${vesting}?tab=vesting`, '[role="tabpanel"] .facts'],
    ['/address/nonsense', '.empty'],
    ['/tx/12', '.empty'],
    [`/tx/${NO_HASH}`, '.empty'],
    [`/trace/${NO_HASH}`, '.empty'],
    ['/block/999999999', '.empty'],
    ['/block/nonsense', '.empty'],
    ['/search?q=nothing', '.empty'],
    ['/search?q=wall', '#main li a'],
    ['/search?q=0x0f8a7ea5', '#main tbody tr'],
    ['/console', '.method-list summary'],
    ['/console/v3.transactions', '#main form'],
    ['/console/no.such', '#main [role="alert"]'],
    ['/lab', '.compose'],
    ['/wallets', '#main tbody .amount'],
    [`/cell?boc=${BAG}`, '.cell'],
    ['/config', '#main .param'],
    ['/validators', '#main h2'],
    ['/pools', '#main tbody tr'],
    [`/pools/${pool}`, '#nominators'],
    ['/status', '#main h2'],
  ]
  const viewOf =
    (isFront: boolean) =>
    ([at, shows]: readonly [at: string, shows: string]): ExplorerView => ({ at, shows, isFront })
  return [...front.map(viewOf(true)), ...more.map(viewOf(false))]
}
