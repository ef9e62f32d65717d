// The embedded chain as if it were a package: a bare process that imports its door and nothing else.

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from './devchains.ts'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const built = pathToFileURL(join(root, '.build')).href
const AMOUNT = 1_500_000_000n

/** What the chain stands on, and all it uses of the service's own words: forms of addresses and of amounts, and bounds of these and of mining. */
const BELOW = [
  ...['cell', 'devchain', 'fairness', 'node', 'process', 'tl', 'tlb', 'tvm'].map((room) => `server/${room}/`),
  ...['address', 'amountBits', 'base64', 'hex', 'inTon', 'mining'].map((name) => `shared/${name}.js`),
]

// Pays an account, and reads it again after the chain was closed; prints the scripts that were loaded.
const program = `
import { Session } from 'node:inspector'
const session = new Session()
session.connect()
const loaded = []
session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url))
session.post('Debugger.enable')
const { createEmbeddedChain, createFaucet, openDevchain } = await import('${built}/server/devchain/index.js')
const { writeBoc } = await import('${built}/server/cell/index.js')
const folder = process.argv[1]
const to = { workchain: 0, hash: new Uint8Array(32).fill(0x42) }
const chain = await openDevchain({ folder })
await chain.send(writeBoc(createFaucet().request([{ to, amount: ${AMOUNT}n, comment: 'hello' }])))
await chain.close()
const again = await openDevchain({ folder, mining: 'manual' })
const reads = createEmbeddedChain(again)
const { id } = await reads.head()
const { account: state, shardAccount } = await reads.account(id, to)
const { lastTransLt: lt, lastTransHash: hash } = shardAccount
const found = await reads.transactions({ account: to, lt, hash, count: 16 })
await again.close()
const lts = found.map(({ transaction }) => String(transaction.lt))
console.log(JSON.stringify({ balance: String(state.storage.balance.grams), newest: String(lt), lts, loaded }))
`

interface ChainReport {
  readonly balance: string
  readonly newest: string
  readonly lts: readonly string[]
  readonly loaded: readonly string[]
}

test('a bare process pays and reads it back, and loads nothing of the service or of the demo', async () => {
  const folder = await temporaryFolder()
  const args = ['--input-type=module', '-e', program, '--', folder]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 })
  const { balance, newest, lts, loaded }: ChainReport = JSON.parse(stdout)
  expect(balance).toBe(String(AMOUNT))
  expect(lts).toEqual([newest])
  const own = loaded.filter((url) => url.startsWith(built)).map((url) => url.slice(built.length + 1))
  expect(own).toContain('server/devchain/openDevchain.js')
  expect(own.filter((path) => !BELOW.some((room) => path.startsWith(room)))).toEqual([])
})
