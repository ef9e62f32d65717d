// B4: a get-method that never ran before, over HTTP, compared with the executor of @ton/sandbox in process. Every call has
// arguments of its own, so that no answer is a cached one.

import { randomBytes } from 'node:crypto'
import { type Address, Cell, getMethodId, type TupleItem } from '@ton/core'
import { defaultConfig, Executor } from '@ton/sandbox'
import { createClient } from '../../client/index.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { compare, type Row, table } from './compare.ts'
import { load } from './load.ts'
import { post, type Started, startOurs } from './started.ts'

const METHOD = 'is_plugin_installed'
const METHOD_ID = getMethodId(METHOD)
const ROUND_MS = 2000
const CONNECTIONS = 32

let requested = 0n
const salt = BigInt(`0x${randomBytes(30).toString('hex')}`) << 16n
/** An address that was not requested. */
const nextHash = (): bigint => salt + requested++

interface Account {
  readonly address: Address
  readonly code: Cell
  readonly data: Cell
  readonly balance: bigint
}

/** A v4r2 wallet of the embedded chain, as it stands there. */
async function readWallet(url: string): Promise<Account> {
  const client = createClient({ url })
  const { address } = (await fundedWallet(client)).wallet
  const { code, data, balance } = await client.getAddressInformation({ address: address.toRawString() })
  return { address, code: Cell.fromBase64(code), data: Cell.fromBase64(data), balance: BigInt(balance) }
}

function createOurs({ port, key }: Started & { readonly key: string }, { address }: Account): () => Promise<number> {
  const request = (): string => {
    const params = {
      address: address.toRawString(),
      method: METHOD,
      stack: [
        ['num', '0'],
        ['num', String(nextHash())],
      ],
    }
    return post('/jsonRPC', { jsonrpc: '2.0', id: 1, method: 'runGetMethod', params }, key)
  }
  // The threads of the service need the core that a wakeful generator would keep.
  return () => load({ port, request, connections: CONNECTIONS, ms: ROUND_MS, restful: true })
}

async function createTheirs({ address, code, data, balance }: Account): Promise<() => Promise<number>> {
  const executor = await Executor.create()
  const run = async () => {
    const stack: TupleItem[] = [0n, nextHash()].map((value) => ({ type: 'int', value }))
    const { output } = await executor.runGetMethod({
      code,
      data,
      address,
      balance,
      stack,
      methodId: METHOD_ID,
      config: defaultConfig,
      verbosity: 'short',
      unixTime: Math.floor(Date.now() / 1000),
      randomSeed: Buffer.alloc(32),
      gasLimit: 1_000_000n,
      debugEnabled: false,
    })
    if (!output.success || output.vm_exit_code !== 0) throw new Error(JSON.stringify(output))
  }
  return async () => {
    const start = performance.now()
    let runs = 0
    for (; performance.now() - start < ROUND_MS; runs++) await run()
    return (runs * 1000) / (performance.now() - start)
  }
}

async function benchGetMethods(): Promise<Row[]> {
  const service = await startOurs()
  const url = `http://127.0.0.1:${service.port}`
  const wallet = await readWallet(url)
  const params = {
    address: wallet.address.toRawString(),
    method: METHOD,
    stack: [
      ['num', '0'],
      ['num', '1'],
    ],
  }
  const one = await createClient({ url }).runGetMethod(params)
  if (one.exit_code !== 0 || JSON.stringify(one.stack) !== '[["num","0x0"]]') throw new Error(JSON.stringify(one))
  const row = await compare({
    name: `B4 ${METHOD} of a wallet, never run before`,
    unit: 'calls/s',
    target: 8,
    ours: createOurs(service, wallet),
    theirs: await createTheirs(wallet),
  })
  await service.close()
  return [row]
}

console.log('Ours over HTTP, one call per request; the reference in process, with its default configuration.\n')
console.log(table(await benchGetMethods()))
