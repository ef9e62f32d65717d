// What `networkReads` asks for: reads of accounts and blocks that are made before the services start. Making them while they
// are read takes minutes, since every service follows the chain.

import { setTimeout as pause } from 'node:timers/promises'
import type { DemoChain } from '../foreign/demoChain.ts'
import { gatherFacts } from '../foreign/lite/facts.ts'
import { settled } from './timedLoad.ts'

const ACCOUNTS = 10_000
/** Of one batch of calls. */
const ACCOUNTS_AT_ONCE = 50
const BATCHES_OF_BLOCK = 5
/** A read of a block that a service has read before may be cached; 8,000 take half a minute to make. */
const BLOCKS = Number(process.env.BLOCKS ?? 8_000)
/** A call that takes longer than ten seconds fails; many at once take a third of the time. */
const BLOCKS_AT_ONCE = 200
/** Of one wallet; each begins pages of three lengths. */
const TRANSACTIONS = 4_000
const TRANSACTIONS_AT_ONCE = 50
const PAGES = [4, 5, 6]
/** Most of one page. */
const LONG_PAGE = 100
/** Between logical times that are looked up one after the other: blocks that are far from each other. */
const LT_STEP = 7_919_003
const AGAIN_MS = 20

const MASTER = 'workchain=-1&shard=-9223372036854775808'
const BASE = 'workchain=0&shard=-9223372036854775808'

/** A method, with a request of its own for each number. */
export interface Kind {
  /** Its answers change with each block, which makes all of them new. */
  readonly isOfHead: boolean
  /** Different requests; infinite where numbers are just different. */
  readonly count: number
  readonly requestOf: (number: number) => { readonly path: string; readonly body?: object }
}

const addressOf = (number: number): string => `0:${number.toString(16).padStart(64, '0')}`

async function dev(url: string, calls: readonly { readonly method: string; readonly params: object }[]): Promise<void> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const text = await (await fetch(`${url}/jsonRPC`, { method: 'POST', body })).text()
  if (text.includes('"error"')) throw new Error(text.slice(0, 400))
}

const mine = (url: string, blocks: number) => dev(url, [{ method: 'dev.mine', params: { blocks } }])

async function headOf(url: string): Promise<number> {
  const { result } = (await (await fetch(`${url}/getMasterchainInfo`)).json()) as {
    result: { last: { seqno: number } }
  }
  return result.last.seqno
}

/** Gives a wallet a long history, and returns its newest transactions as `lt` and `hash` in queries. */
async function makeHistory(url: string, wallet: string): Promise<readonly string[]> {
  const send = {
    method: 'dev.sendInternal',
    params: { from: addressOf(1), to: wallet, value: '1000000', bounce: false },
  }
  const block = { method: 'dev.mine', params: { blocks: 1 } }
  for (let sent = 0; sent < TRANSACTIONS; sent += TRANSACTIONS_AT_ONCE)
    await dev(url, [...new Array<typeof send>(TRANSACTIONS_AT_ONCE).fill(send), block])
  const found: string[] = []
  while (found.length < TRANSACTIONS) {
    const last = found.at(-1) ?? ''
    const page = await fetch(`${url}/api/v2/getTransactions?address=${wallet}&limit=${LONG_PAGE}${last}`)
    const { result } = (await page.json()) as {
      readonly result: readonly { readonly transaction_id: { readonly lt: string; readonly hash: string } }[]
    }
    const names = result.map(({ transaction_id: { lt, hash } }) => `&lt=${lt}&hash=${encodeURIComponent(hash)}`)
    // A page begins with the transaction that it is requested from.
    found.push(...(last === '' ? names : names.slice(1)))
    if (names.length < 2) throw new Error(`the history of ${wallet} ends after ${found.length} transactions`)
  }
  return found
}

/** The logical times of a chain of so many blocks of the basechain. */
async function ltsOf(url: string, blocks: number): Promise<{ readonly from: number; readonly span: number }> {
  const lts = [1, blocks].map(async (seqno) => {
    const reply = await fetch(`${url}/getBlockHeader?${BASE}&seqno=${seqno}`)
    const { result } = (await reply.json()) as { readonly result: { readonly end_lt: string } }
    return Number(result.end_lt)
  })
  const [from = 0, to = 0] = await Promise.all(lts)
  return { from, span: to - from }
}

/** Makes a block, and waits until all services are at it: no answer of before is valid any more. */
export async function nextBlock(chain: DemoChain, services: readonly string[]): Promise<void> {
  await mine(chain.url, 1)
  const head = await headOf(`${chain.url}/api/v2`)
  for (const url of services) while ((await headOf(url)) < head) await pause(AGAIN_MS)
}

export async function makeKinds({ url, pid }: DemoChain): Promise<Readonly<Record<string, Kind>>> {
  const facts = await gatherFacts(url)
  let batches = 0
  for (let from = 1; from <= ACCOUNTS; from += ACCOUNTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ACCOUNTS_AT_ONCE, ACCOUNTS - from + 1) }, (_, i) => from + i)
    const paramsOf = (number: number) => ({ address: addressOf(number), balance: String(number) })
    const calls = numbers.map((number) => ({ method: 'dev.setAccount', params: paramsOf(number) }))
    await dev(url, calls)
    if (++batches % BATCHES_OF_BLOCK === 0) await mine(url, 1)
  }
  for (let made = 0; made < BLOCKS; made += BLOCKS_AT_ONCE) await mine(url, Math.min(BLOCKS_AT_ONCE, BLOCKS - made))
  const history = await makeHistory(url, facts.wallet)
  await settled(pid, 2)
  const lts = await ltsOf(`${url}/api/v2`, BLOCKS)
  const ofAccount = (method: string): Kind => ({
    isOfHead: true,
    count: ACCOUNTS,
    requestOf: (number) => ({ path: `${method}?address=${addressOf(number)}` }),
  })
  const ofBlock = (pathOf: (seqno: number) => string): Kind => ({
    isOfHead: false,
    count: BLOCKS,
    requestOf: (number) => ({ path: pathOf(number) }),
  })
  const unlimited = (requestOf: Kind['requestOf']): Kind => ({
    isOfHead: false,
    count: Number.POSITIVE_INFINITY,
    requestOf,
  })
  return {
    getAddressInformation: ofAccount('getAddressInformation'),
    getWalletInformation: ofAccount('getWalletInformation'),
    getExtendedAddressInformation: ofAccount('getExtendedAddressInformation'),
    getAddressBalance: ofAccount('getAddressBalance'),
    getAddressState: ofAccount('getAddressState'),
    getTransactions: {
      isOfHead: false,
      count: PAGES.length * history.length,
      requestOf: (number) => {
        const from = history[number % history.length] ?? ''
        const limit = PAGES[Math.floor(number / history.length) % PAGES.length]
        return { path: `getTransactions?address=${facts.wallet}&limit=${limit}${from}` }
      },
    },
    lookupBlock: unlimited((number) => ({
      path: `lookupBlock?${BASE}&lt=${lts.from + ((number * LT_STEP) % lts.span)}`,
    })),
    // The method leaves what is below its own result on the stack.
    runGetMethod: unlimited((number) => ({
      path: 'runGetMethod',
      body: { address: facts.wallet, method: 'seqno', stack: [['num', `0x${number.toString(16)}`]] },
    })),
    getBlockHeader: {
      isOfHead: false,
      count: 2 * BLOCKS,
      requestOf: (number) => ({
        path: `getBlockHeader?${number % 2 === 0 ? BASE : MASTER}&seqno=${Math.ceil(number / 2)}`,
      }),
    },
    getBlockTransactions: ofBlock((seqno) => `getBlockTransactions?${MASTER}&seqno=${seqno}&count=5`),
    shards: ofBlock((seqno) => `shards?seqno=${seqno}`),
    // The newest block, which all callers share: answered from what is known already.
    getMasterchainInfo: unlimited(() => ({ path: 'getMasterchainInfo' })),
  }
}
