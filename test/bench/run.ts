// `npm run bench` builds the project and runs them all one after another, each in a process of its own; `npm run bench --
// http cell` only these, `npm run bench -- --help` lists them. Flags behind names go to the benchmarks: `-- network --parts block`.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NODE_OPTIONS } from './nodeOptions.ts'

const ALL: Readonly<Record<string, string>> = {
  http: 'B1 to B3: single calls, batches and REST compared with a bare server that answers the same bytes',
  getMethods: 'B4: get-methods with new arguments, compared with the executor of @ton/sandbox',
  cell: 'cells compared with those of @ton/core',
  tlb: 'blocks and states compared with @ton/core',
  tvm: 'the TVM compared with the package it comes from',
  chainLog: 'the log of the embedded chain compared with the bare disk',
  devchain: 'transactions mined and written, compared with the bare TVM',
  lite: 'the lite server of the embedded chain: answers with proofs, and checking them',
  adnl: 'connections to a lite server over loopback',
  network:
    'B14 and B19: reads, blocks and catching up over the port of lite servers (KINDS=getBlockHeader,shards WORKERS=2)',
  store: 'the store compared with bare drivers',
  pages: 'B8 and B9: v3 pages compared with the same statements in a bare loop',
  assets: 'what detecting contracts costs the index',
  ingest: 'B7: blocks read, parsed and indexed, compared with writing the same rows',
  endToEnd: 'B5 and B6: messages sent, mined, indexed and seen in v3',
  actions: 'actions of recorded and made traces compared with the public reference classifier, by protocol',
  clients: 'B12: a thousand concurrent reads, compared with TonClient of @ton/ton',
  fairness: 'B16: the cheap reads of one caller while another attacks',
  explorer: "the explorer's pages in a browser: first paint, data, requests and bytes (ROUNDS=5)",
  footprint: 'B10 and B11: time to the first answer, and idle memory',
}

/** Run only when they are named: they take minutes. */
const LONG: Readonly<Record<string, string>> = {
  reads: 'plans and times of every v3 read over a million transactions (READS=100000)',
  turns:
    'turns of the event loop above 10 ms, and what they are spent on (TURNS=long, hostile, many, flood or all; DATABASE=postgres://..., WORKERS=4, LITE=1)',
  soak: 'B17: memory over five minutes of mixed calls (MINUTES=1)',
  mixed:
    'B15: 200 connections of everything at once, cheap reads next to heavy ones (WORKERS=4, DATABASE=postgres://...)',
  peer: 'B13: eighteen kinds of v3 reads compared with another v3 server (PEER_URL=..., PEER_INDEX=postgres://... or a folder)',
  history: 'v2 over a chain of 120,000 transactions (LONG_CHAIN=folder keeps the chain)',
  explorerInput:
    "the explorer's pages: from a key or click to the next paint, with busy accounts and large traces (PAGES=trace,console)",
  explorerMemory: "what the explorer's pages hold after half an hour of live blocks (BLOCKS=720)",
  stream: 'B18: a thousand sockets of 200 addresses at 500 transactions per second, block to frame (SECONDS=60)',
  workers: 'one process that answers callers compared with several (WORKERS=4, DATABASE=postgres://...)',
  capacity: 'bytes and processor of a transaction in a PostgreSQL (DATABASE=postgres://..., TRANSACTIONS=50000)',
  indexBytes: 'bytes of a transaction with actions, tokens and texts, by table and index (DATABASE=postgres://...)',
  operate: 'requests of two processes while the leader of two others is killed each minute (MINUTES=10)',
  catchUp:
    'an empty index catches up with such a chain: transactions a second, processor by thread (DATABASE=postgres://..., BUILD=folder of another build)',
  restart: 'starts of a service with such a chain, after a stop and after a kill',
}

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

const listOf = (benches: Readonly<Record<string, string>>): string =>
  Object.entries(benches)
    .map(([name, line]) => `  ${name.padEnd(16)}${line}`)
    .join('\n')

const words = process.argv.slice(2)
if (words.includes('--help')) {
  console.log('usage: npm run bench -- [name ...] [flags of the benchmarks]\n')
  console.log(`without a name, one after another:\n${listOf(ALL)}\n\nonly by name:\n${listOf(LONG)}`)
  process.exit(0)
}
const firstFlag = words.findIndex((word) => word.startsWith('--'))
const wanted = firstFlag < 0 ? words : words.slice(0, firstFlag)
const flags = firstFlag < 0 ? [] : words.slice(firstFlag)
const unknown = wanted.find((name) => !Object.hasOwn({ ...ALL, ...LONG }, name))
if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}: npm run bench -- --help lists them`)
  process.exit(2)
}
const { status: built } = spawnSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' })
if (built !== 0) process.exit(1)
for (const name of wanted.length > 0 ? wanted : Object.keys(ALL)) {
  console.log(`\n== ${name}\n`)
  const args = ['--expose-gc', ...NODE_OPTIONS, fileOf(name), ...flags]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
