// What foreign clients query on a demo chain, as its own interfaces show it.

import { writeBoc } from '../../../server/cell/index.ts'
import { account, bornWallet, coins, transferCell, type Wallet } from '../../server/devchain/wallets.ts'

export interface Facts {
  readonly wallet: string
  readonly jetton: string
  readonly owner: string
  readonly collection: string
  /** A message between two accounts of the basechain. */
  readonly source: string
  readonly destination: string
  readonly created: string
  /** An old masterchain block that is no key block, a shard block with transactions, and a time within the chain. */
  readonly old: number
  readonly block: number
  readonly utime: number
  /** What the wallet takes next, one after the other: as messages, and their bodies alone. And one it does not take. */
  readonly messages: readonly string[]
  readonly bodies: readonly string[]
  readonly stale: string
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

async function get<T>(url: string, path: string): Promise<T> {
  const answer = await fetch(`${url}${path}`)
  if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function post(url: string, method: string, params: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v2/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(params),
  })
  const { ok, result, error } = (await answer.json()) as {
    ok: boolean
    result: Record<string, unknown>
    error?: string
  }
  if (!ok) throw new Error(`${method} is refused: ${error}`)
  return result
}

async function seqnoOf(url: string, address: string): Promise<number> {
  const { stack } = await post(url, 'runGetMethod', { address, method: 'seqno', stack: [] })
  const [[, seqno]] = stack as [[string, string]]
  return Number(seqno)
}

const bodyOf = (wallet: Wallet, seqno: number) =>
  transferCell(wallet, [{ to: account(seqno), value: coins(1) }], seqno).refs[0]

export async function gatherFacts(url: string): Promise<Facts> {
  const wallet = bornWallet(0)
  const address = `0:${Buffer.from(wallet.address.id).toString('hex').toUpperCase()}`
  const first = await seqnoOf(url, address)
  await post(url, 'sendBoc', {
    boc: base64(writeBoc(transferCell(wallet, [{ to: account(5), value: coins(1) }], first))),
  })
  await mine(url)
  interface Message {
    readonly source: string
    readonly destination: string
    readonly created_lt: string
  }
  const sent = new URLSearchParams({ source: address, exclude_externals: 'true', limit: '1', sort: 'asc' })
  await waitFor(async () => (await get<{ messages: Message[] }>(url, `/api/v3/messages?${sent}`)).messages.length > 0)
  const { messages } = await get<{ messages: Message[] }>(url, `/api/v3/messages?${sent}`)
  const { jetton_wallets: wallets } = await get<{ jetton_wallets: { jetton: string; owner: string }[] }>(
    url,
    '/api/v3/jetton/wallets?limit=1',
  )
  const { nft_collections: collections } = await get<{
    nft_collections: { address: string; next_item_index: string }[]
  }>(url, '/api/v3/nft/collections?limit=10')
  const { transactions } = await get<{ transactions: { now: number; block_ref: { seqno: number } }[] }>(
    url,
    `/api/v3/transactions?account=${address}&limit=1`,
  )
  const { blocks } = await get<{ blocks: { seqno: number; key_block: boolean }[] }>(
    url,
    '/api/v3/blocks?workchain=-1&limit=50&sort=asc',
  )
  const old = blocks.find(({ seqno, key_block: isKey }) => seqno > 5 && !isKey)
  const [message] = messages
  const [holder] = wallets
  const collection = collections.find(({ next_item_index: index }) => Number(index) > 0)
  const [transaction] = transactions
  if (!message || !holder || !collection || !transaction || !old) throw new Error('this is not the demo chain')
  const next = first + 1
  const boc = (seqno: number): string =>
    base64(writeBoc(transferCell(wallet, [{ to: account(seqno), value: coins(1) }], seqno)))
  const body = (seqno: number): string => {
    const cell = bodyOf(wallet, seqno)
    if (cell === undefined) throw new Error('a message with its body apart is expected')
    return base64(writeBoc(cell))
  }
  return {
    wallet: address,
    jetton: holder.jetton,
    owner: holder.owner,
    collection: collection.address,
    source: message.source.toLowerCase(),
    destination: message.destination.toLowerCase(),
    created: message.created_lt,
    old: old.seqno,
    block: transaction.block_ref.seqno,
    utime: transaction.now,
    messages: [0, 1, 2, 3].map((later) => boc(next + later)),
    bodies: [0, 1, 2, 3].map((later) => body(next + later)),
    stale: boc(0),
  }
}

/** For a chain that makes blocks by hand. */
async function mine(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev.mine', params: { blocks: 1 } })
  const { error } = (await (await fetch(`${url}/jsonRPC`, { method: 'POST', body })).json()) as { error?: object }
  if (error !== undefined) throw new Error(JSON.stringify(error))
}

async function waitFor(isThere: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if (await isThere()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not come')
}
