// `npm run bench` runs them all one after another, each in a process of its own; `npm run bench -- http cell` only these.
// Flags are passed to the benchmarks: `npm run bench -- network --parts block`.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NODE_OPTIONS } from './nodeOptions.ts'

const ALL = [
  'http',
  'getMethods',
  'cell',
  'tlb',
  'tvm',
  'chainLog',
  'devchain',
  'lite',
  'adnl',
  'network',
  'store',
  'pages',
  'assets',
  'ingest',
  'endToEnd',
  'clients',
  'fairness',
  'footprint',
]

/** Run only when they are named: a million rows, or five minutes, take their time. */
const LONG = ['peer', 'reads', 'soak']

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

const words = process.argv.slice(2)
const firstFlag = words.findIndex((word) => word.startsWith('--'))
const wanted = firstFlag < 0 ? words : words.slice(0, firstFlag)
const flags = firstFlag < 0 ? [] : words.slice(firstFlag)
const unknown = wanted.find((name) => ![...ALL, ...LONG].includes(name))
if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}: ${[...ALL, ...LONG].join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : ALL) {
  console.log(`\n== ${name}\n`)
  const args = ['--expose-gc', ...NODE_OPTIONS, fileOf(name), ...flags]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
