// `npm run bench` runs them all one after another, each in a process of its own; `npm run bench -- http cell` only these.

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
const LONG = ['reads', 'soak']

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => ![...ALL, ...LONG].includes(name))
if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}: ${[...ALL, ...LONG].join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : ALL) {
  console.log(`\n== ${name}\n`)
  const { status } = spawnSync(process.execPath, ['--expose-gc', ...NODE_OPTIONS, fileOf(name)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
