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
const BLOCKS = 3_000
/** A call that takes longer than ten seconds fails. */
const BLOCKS_AT_ONCE = 20
const AGAIN_MS = 20

const MASTER = 'workchain=-1&shard=-9223372036854775808'

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
  for (let made = 0; made < BLOCKS; made += BLOCKS_AT_ONCE) await mine(url, BLOCKS_AT_ONCE)
  await settled(pid, 2)
  const ofAccount = (method: string): Kind => ({
    ...{ isOfHead: true, count: ACCOUNTS },
    requestOf: (number) => ({ path: `${method}?address=${addressOf(number)}` }),
  })
  const ofBlock = (pathOf: (seqno: number) => string): Kind => ({
    ...{ isOfHead: false, count: BLOCKS },
    requestOf: (number) => ({ path: pathOf(number) }),
  })
  const unlimited = (requestOf: Kind['requestOf']): Kind => ({
    ...{ isOfHead: false, count: Number.POSITIVE_INFINITY },
    requestOf,
  })
  return {
    getAddressInformation: ofAccount('getAddressInformation'),
    getWalletInformation: ofAccount('getWalletInformation'),
    getExtendedAddressInformation: ofAccount('getExtendedAddressInformation'),
    getAddressBalance: ofAccount('getAddressBalance'),
    getAddressState: ofAccount('getAddressState'),
    getTransactions: unlimited((number) => ({
      path: `getTransactions?address=${facts.wallet}&limit=5&to_lt=${number}`,
    })),
    lookupBlock: unlimited((number) => ({
      path: `lookupBlock?workchain=0&shard=-9223372036854775808&lt=${10_000_000 + number * 100}`,
    })),
    // The method leaves what is below its own result on the stack.
    runGetMethod: unlimited((number) => ({
      path: 'runGetMethod',
      body: { address: facts.wallet, method: 'seqno', stack: [['num', `0x${number.toString(16)}`]] },
    })),
    getBlockHeader: ofBlock((seqno) => `getBlockHeader?${MASTER}&seqno=${seqno}`),
    getBlockTransactions: ofBlock((seqno) => `getBlockTransactions?${MASTER}&seqno=${seqno}&count=5`),
    shards: ofBlock((seqno) => `shards?seqno=${seqno}`),
    // The newest block, which all callers share: answered from what is known already.
    getMasterchainInfo: unlimited(() => ({ path: 'getMasterchainInfo' })),
  }
}
