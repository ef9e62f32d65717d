// Examples that work: the reference pages show parameters taken from the running chain when a page is requested. An example
// without live values keeps those of its definition.

import { setMaxListeners } from 'node:events'
import type { MethodSpec, Registry } from '../../shared/registry.ts'
import { readBoc } from '../cell/index.ts'
import { type createCast, messageOf } from '../demo/index.ts'
import type { Examples } from '../docs/index.ts'
import { type Call, NO_MODIFIERS } from '../methods/index.ts'
import { timeLimit } from '../process/index.ts'
import { chainDraws, networkDraws, someWallet } from './chainDraws.ts'
import {
  type AskMethod,
  at,
  type Draw,
  type DrawnRow,
  drawnRowsOf,
  exampleFor,
  findFirst,
  first,
  isRow,
  rowsIn,
  same,
} from './drawing.ts'
import { stakingDraws } from './liveStaking.ts'

/** A page waits no longer than this for its examples, and is given the same ones for as long. */
const LONGEST_MS = 3000
const KEPT_MS = 5000

type Cast = ReturnType<typeof createCast>
export interface ExampleParts {
  readonly registry: Registry
  readonly handlers: Readonly<Record<string, (params: never, call: Call) => unknown>>
  /** Whose wallets sign the messages of the examples; null on a chain of others. */
  readonly cast: Cast | null
}

function tokenDraws(ask: AskMethod): readonly Draw[] {
  const items = (params: DrawnRow = {}) =>
    ask('v3.nft.items', { limit: 100, ...params }).then((body) => drawnRowsOf(body, 'nft_items'))
  const named = async () =>
    (await items()).filter(({ content }) => isRow(content) && typeof content.domain === 'string')
  return [
    async () => {
      const jetton = at(await first(ask, 'v3.jetton.masters', 'jetton_masters'), 'address')
      return {
        ...same(['v3.jetton.masters', 'v3.metadata'], { address: [jetton] }),
        getTokenData: { address: jetton },
      }
    },
    async () => {
      const held = await first(ask, 'v3.jetton.wallets', 'jetton_wallets', { exclude_zero_balance: true })
      return exampleFor('v3.jetton.wallets', { owner_address: [at(held, 'owner')] })
    },
    async () => {
      const { source } = await first(ask, 'v3.jetton.transfers', 'jetton_transfers')
      return exampleFor('v3.jetton.transfers', { owner_address: [at({ source }, 'source')], direction: 'out' })
    },
    async () => {
      const burn = await first(ask, 'v3.jetton.burns', 'jetton_burns')
      return exampleFor('v3.jetton.burns', { jetton_wallet: [at(burn, 'jetton_wallet')] })
    },
    async () => {
      const collection = await first(ask, 'v3.nft.collections', 'nft_collections')
      return exampleFor('v3.nft.collections', { collection_address: [at(collection, 'address')] })
    },
    async () => {
      const owned = (await items()).find((row) => typeof row.owner_address === 'string')
      return exampleFor('v3.nft.items', { owner_address: [at(owned, 'owner_address')], include_on_sale: true })
    },
    async () => {
      const moved = await first(ask, 'v3.nft.transfers', 'nft_transfers')
      return exampleFor('v3.nft.transfers', { item_address: [at(moved, 'nft_address')] })
    },
    async () => {
      const sold = (await items()).find(({ sale_contract_address: sale }) => typeof sale === 'string')
      return exampleFor('v3.nft.sales', { address: [at(sold, 'sale_contract_address')] })
    },
    async () => {
      const domains = (await named()).map((row) => at(row, 'content', 'domain'))
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
    async () => {
      const order = await first(ask, 'v3.actions', 'actions', { action_type: ['multisig_create_order'] })
      const multisig = at(order, 'details', 'destination')
      return {
        'v3.multisig.wallets': { address: [multisig] },
        'v3.multisig.orders': { multisig_address: [multisig], parse_actions: true },
      }
    },
    async () => {
      const sent = await first(ask, 'v3.actions', 'actions', { action_type: ['vesting_send_message'] })
      return exampleFor('v3.vesting', { contract_address: [at(sent, 'details', 'vesting')] })
    },
  ]
}

/** A wallet for each, for none to use up the message of another. */
const SENDING = {
  ...{ sendBoc: 5, sendBocReturnHash: 6, sendBocReturnHashNoError: 7 },
  ...{ 'v3.message': 8, 'v3.sendAndWait': 9 },
} as const
const WALLET = 4
const SMALL = 10_000_000n

const rawOf = (cast: Cast, number: number): string => {
  const { workchain, hash } = cast.wallet(number).address
  return `${workchain}:${Buffer.from(hash).toString('hex')}`
}

/** A transfer of the wallet to itself that is accepted once, and for ten minutes. */
async function signed(ask: AskMethod, cast: Cast, number: number): Promise<DrawnRow> {
  const by = cast.wallet(number)
  const { data } = await ask('getAddressInformation', { address: rawOf(cast, number) })
  if (typeof data !== 'string' || data === '') throw new Error('the wallet is not there')
  const { utime } = await ask('dev.state')
  const now = Math.max(Number(utime), Math.floor(Date.now() / 1000))
  const sends = [{ to: by.address, value: SMALL, bounce: false }]
  const message = messageOf({ by, sends }, { data: readBoc(Buffer.from(data, 'base64')), utime: now })
  return { boc: Buffer.from(message).toString('base64') }
}

function drawsOf(ask: AskMethod, cast: Cast): readonly Draw[] {
  const messages = Object.entries(SENDING).map(
    ([name, by]): Draw =>
      async () =>
        exampleFor(name, await signed(ask, cast, by)),
  )
  const soon = async () => exampleFor('dev.setNextBlockTime', { utime: Math.floor(Date.now() / 1000) + 60 })
  const last = async () =>
    exampleFor('dev.revert', { id: at(drawnRowsOf(await ask('dev.snapshots'), 'snapshots').at(-1), 'id') })
  const emulated = async () => ({
    'emulate.trace': { ...(await signed(ask, cast, WALLET)), with_actions: true },
    'emulate.tonConnect': {
      from: rawOf(cast, WALLET),
      messages: [{ address: rawOf(cast, WALLET + 1), amount: String(SMALL) }],
      with_actions: true,
    },
  })
  const ofChain = [...chainDraws(ask, rawOf(cast, WALLET)), ...tokenDraws(ask), ...stakingDraws(ask)]
  return [...ofChain, ...messages, emulated, soon, last]
}

async function drawsOfOthers(ask: AskMethod): Promise<readonly Draw[]> {
  const wallet = await someWallet(ask).catch(() => null)
  const own = wallet === null ? [] : [...chainDraws(ask, wallet), ...networkDraws(ask, wallet)]
  return [...own, ...tokenDraws(ask), ...stakingDraws(ask)]
}

/** Draws examples, the same ones for a few seconds; none while the chain or the index cannot answer. */
export function createLiveExamples({ registry, handlers, cast }: ExampleParts): () => Promise<Examples> {
  const specs: Readonly<Record<string, MethodSpec>> = registry
  const asker =
    (signal: AbortSignal): AskMethod =>
    async (name, params = {}) => {
      const { [name]: spec } = specs
      const { [name]: handler } = handlers
      if (!spec || !handler) throw new Error(`no ${name}`)
      const caller = { subject: 'examples', keyId: null, tier: null }
      const call: Call = { caller, requestId: 'examples', signal, timeoutMs: LONGEST_MS, modifiers: NO_MODIFIERS }
      // The cast: the schema of this very method has made them.
      const body: unknown = await handler(spec.params.parse(params) as never, call)
      if (isRow(body) && typeof body.json === 'string') return JSON.parse(body.json) as DrawnRow
      return isRow(body) ? body : {}
    }

  async function draw(): Promise<Examples> {
    const signal = timeLimit(LONGEST_MS)
    // All examples are drawn in parallel, and every query of them listens to it until its answer is there.
    setMaxListeners(0, signal)
    const ask = asker(signal)
    const draws = cast === null ? await drawsOfOthers(ask) : drawsOf(ask, cast)
    const drawn = await Promise.all(draws.map((each) => each().catch(() => ({}))))
    const fits = ([name, params]: readonly [string, DrawnRow]) => specs[name]?.params.safeParse(params).success === true
    return Object.fromEntries(drawn.flatMap((some) => Object.entries(some)).filter(fits))
  }

  let kept: { readonly until: number; readonly examples: Promise<Examples> } | undefined
  return () => {
    if (kept === undefined || performance.now() > kept.until)
      kept = { until: performance.now() + KEPT_MS, examples: draw() }
    return kept.examples
  }
}
