// npm ton-lite-client against the lite server of a configuration. Prints a line of JSON for each call: its name, and what
// came back or why not.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [configPath, factsText, packages] = process.argv.slice(2)
const require = createRequire(`${packages}/`)
const { Address } = require('@ton/core')
const { LiteClient, LiteSingleEngine } = require('ton-lite-client')
const facts = JSON.parse(factsText)
const [server] = JSON.parse(readFileSync(configPath, 'utf8')).liteservers
const host = [24, 16, 8, 0].map((shift) => (server.ip >>> shift) & 255).join('.')
const engine = new LiteSingleEngine({
  host: `tcp://${host}:${server.port}`,
  publicKey: Buffer.from(server.id.key, 'base64'),
})
const client = new LiteClient({ engine })
if (!engine.isReady()) await new Promise((resolve) => engine.once('ready', resolve))

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

async function call(name, work, pick = (answer) => answer) {
  try {
    print({ call: name, answer: pick(await work()) })
  } catch (error) {
    print({ call: name, error: error.message })
  }
}

const wallet = Address.parseRaw(facts.wallet)
const { last } = await client.getMasterchainInfo()
const SHARD = '-9223372036854775808'
await call(
  'getMasterchainInfo',
  () => client.getMasterchainInfo(),
  (a) => a.last.seqno >= last.seqno,
)
await call(
  'getMasterchainInfoExt',
  () => client.getMasterchainInfoExt(),
  (a) => a.version,
)
await call(
  'getCurrentTime',
  () => client.getCurrentTime(),
  (now) => now > 1_600_000_000,
)
await call(
  'getVersion',
  () => client.getVersion(),
  (a) => a.capabilities,
)
await call(
  'getConfig',
  () => client.getConfig(last),
  (a) => a.config !== undefined,
)
await call(
  'getAccountState',
  () => client.getAccountState(wallet, last),
  (a) => String(a.balance.coins),
)
await call(
  'getAccountStatePrunned',
  () => client.getAccountStatePrunned(wallet, last),
  (a) => a.stateHash !== null,
)
const state = await client.getAccountState(wallet, last)
const { hash, lt } = state.lastTx
const id = Buffer.from(hash.toString(16).padStart(64, '0'), 'hex')
await call(
  'getAccountTransactions',
  () => client.getAccountTransactions(wallet, String(lt), id, 10),
  (a) => a.ids.length,
)
const { ids } = await client.getAccountTransactions(wallet, String(lt), id, 1)
await call(
  'getAccountTransaction',
  () => client.getAccountTransaction(wallet, String(lt), ids[0]),
  (a) => a.transaction.length > 0,
)
await call(
  'runMethod',
  () => client.runMethod(wallet, 'seqno', Buffer.alloc(0), last),
  (a) => a.exitCode,
)
await call(
  'lookupBlockByID',
  () => client.lookupBlockByID({ workchain: -1, shard: SHARD, seqno: last.seqno }),
  (a) => a.id.rootHash.equals(last.rootHash),
)
await call(
  'lookupBlockByUtime',
  () => client.lookupBlockByUtime({ workchain: -1, shard: SHARD, utime: facts.utime }),
  (a) => a.id.seqno > 0,
)
await call(
  'lookupBlockByLt',
  () => client.lookupBlockByLt({ workchain: 0, shard: SHARD, lt: BigInt(facts.created) }),
  (a) => a.id.seqno > 0,
)
await call(
  'getBlockHeader',
  () => client.getBlockHeader(last),
  (a) => a.headerProof.length > 0,
)
await call(
  'getAllShardsInfo',
  () => client.getAllShardsInfo(last),
  (a) => Object.keys(a.shards).length,
)
await call(
  'listBlockTransactions',
  () => client.listBlockTransactions(last, { mode: 1 + 2 + 4, count: 20 }),
  (a) => a.ids.length > 0,
)
await call(
  'getFullBlock',
  () => client.getFullBlock(last.seqno),
  (a) => a.shards.length,
)
await call(
  'getLibraries',
  () => client.getLibraries([Buffer.alloc(32, 17)]),
  (a) => a.result.length,
)
await call(
  'sendMessage',
  () => client.sendMessage(Buffer.from(facts.messages[0], 'base64')),
  (a) => a.status,
)
await call('sendMessage: stale', () => client.sendMessage(Buffer.from(facts.stale, 'base64')))
engine.close()
process.exit(0)
