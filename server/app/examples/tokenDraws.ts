// Examples of tokens: jettons, items, domains, and the contracts that hold or guard them.

import {
  type AskMethod,
  type Draw,
  type DrawnRow,
  drawnRowsOf,
  exampleFor,
  findFirst,
  firstRow,
  isRow,
  rowsIn,
  sameParams,
  textAt,
} from './drawing.ts'

type Items = () => Promise<readonly DrawnRow[]>

function jettonDraws(ask: AskMethod): readonly Draw[] {
  return [
    async () => {
      const jetton = textAt(await firstRow(ask, 'v3.jetton.masters', 'jetton_masters'), 'address')
      return {
        ...sameParams(['v3.jetton.masters', 'v3.metadata'], { address: [jetton] }),
        getTokenData: { address: jetton },
      }
    },
    async () => {
      const held = await firstRow(ask, 'v3.jetton.wallets', 'jetton_wallets', { exclude_zero_balance: true })
      return exampleFor('v3.jetton.wallets', { owner_address: [textAt(held, 'owner')] })
    },
    async () => {
      const { source } = await firstRow(ask, 'v3.jetton.transfers', 'jetton_transfers')
      return exampleFor('v3.jetton.transfers', { owner_address: [textAt({ source }, 'source')], direction: 'out' })
    },
    async () => {
      const burn = await firstRow(ask, 'v3.jetton.burns', 'jetton_burns')
      return exampleFor('v3.jetton.burns', { jetton_wallet: [textAt(burn, 'jetton_wallet')] })
    },
  ]
}

function itemDraws(ask: AskMethod, items: Items): readonly Draw[] {
  return [
    async () => {
      const collection = await firstRow(ask, 'v3.nft.collections', 'nft_collections')
      return exampleFor('v3.nft.collections', { collection_address: [textAt(collection, 'address')] })
    },
    async () => {
      const owned = (await items()).find((row) => typeof row.owner_address === 'string')
      return exampleFor('v3.nft.items', { owner_address: [textAt(owned, 'owner_address')], include_on_sale: true })
    },
    async () => {
      const moved = await firstRow(ask, 'v3.nft.transfers', 'nft_transfers')
      return exampleFor('v3.nft.transfers', { item_address: [textAt(moved, 'nft_address')] })
    },
    async () => {
      const sold = (await items()).find(({ sale_contract_address: sale }) => typeof sale === 'string')
      return exampleFor('v3.nft.sales', { address: [textAt(sold, 'sale_contract_address')] })
    },
  ]
}

function domainDraws(ask: AskMethod, items: Items): readonly Draw[] {
  const named = async () =>
    (await items()).filter(({ content }) => isRow(content) && typeof content.domain === 'string')
  return [
    async () => {
      const domains = (await named()).map((row) => textAt(row, 'content', 'domain'))
      const wallets = async (domain: string) =>
        drawnRowsOf(await ask('v3.dns.records', { domain }), 'records').some(
          (row) => typeof row.dns_wallet === 'string',
        )
      const domain = await findFirst(domains, wallets)
      return { 'v3.dns.records': { domain }, dnsResolve: { name: domain, category: 'wallet' } }
    },
    async () => {
      const bids = async ({ address }: DrawnRow) =>
        drawnRowsOf(await ask('v3.transactions', { account: [address], limit: 3 }), 'transactions')
      const open = (await named()).filter(({ owner_address: owner }) => owner === null)
      const sources = (await Promise.all(open.map(bids)))
        .flat()
        .map(({ in_msg: taken }) => isRow(taken) && taken.source)
      const bidders = sources.filter((source) => typeof source === 'string')
      const bidder = await findFirst(
        bidders,
        async (who) => rowsIn((await ask('v3.dns.activeAuctions', { bidder: who })).auctions) > 0,
      )
      return exampleFor('v3.dns.activeAuctions', { bidder })
    },
  ]
}

function contractDraws(ask: AskMethod): readonly Draw[] {
  return [
    async () => {
      const order = await firstRow(ask, 'v3.actions', 'actions', { action_type: ['multisig_create_order'] })
      const multisig = textAt(order, 'details', 'destination')
      return {
        'v3.multisig.wallets': { address: [multisig] },
        'v3.multisig.orders': { multisig_address: [multisig], parse_actions: true },
      }
    },
    async () => {
      const sent = await firstRow(ask, 'v3.actions', 'actions', { action_type: ['vesting_send_message'] })
      return exampleFor('v3.vesting', { contract_address: [textAt(sent, 'details', 'vesting')] })
    },
  ]
}

export function tokenDraws(ask: AskMethod): readonly Draw[] {
  const items = () => ask('v3.nft.items', { limit: 100 }).then((body) => drawnRowsOf(body, 'nft_items'))
  return [...jettonDraws(ask), ...itemDraws(ask, items), ...domainDraws(ask, items), ...contractDraws(ask)]
}
