// Makes the runs of packed text: `npx tsx test/bench/trainRuns.ts before.txt ...`, of recordings by `recordV3.ts` or of files with a
// transaction in each line. Rows of every index refer to runs by their
// numbers: a list made so serves next to the old one, never instead of it.

import { createReadStream, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../../server/store/packed/generated/runs.ts', import.meta.url))
const MOST = 2000
/** Transactions a run has to be in. */
const LEAST_SEEN = 3
const SHORTEST = 4
const LONGEST = 600
/** A piece of a run serves only where the whole run does not occur. */
const PIECE_WEIGHT = 0.15

/** Words of enumerations, zeros and empty hashes are part of runs; other values are between them. */
const CONSTANT = /^(?:[A-Za-z_ ]{0,28}|0|A{43}=)$/

/** The text between the values of a JSON text. */
function runsOf(json: string): string[] {
  const runs: string[] = []
  let run = ''
  const value = (next: string) => {
    runs.push(run)
    run = next
  }
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*":?|-?[0-9][0-9.eE+-]*|./gs)) {
    const text = /^"(.*)"$/s.exec(token)?.[1]
    if (text !== undefined && !CONSTANT.test(text)) {
      run += '"'
      value(text.length === 44 && text.endsWith('=') ? '="' : '"')
    } else if (/^-?[0-9]/.test(token) && token !== '0') value('')
    else run += token
  }
  return [...runs, run]
}

const piecesOf = (run: string): string[] => run.split(/(?<=[,{[])(?=")/)

interface Written {
  readonly hash: string
  readonly finality?: string
}

/** All transactions of a file, each once. */
async function* transactionsIn(file: string): AsyncGenerator<string> {
  const seen = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const json = line.startsWith('200 {') ? line.slice(4) : line
    if (!json.startsWith('{')) continue
    const value = JSON.parse(json) as Written & { readonly transactions?: unknown }
    const list = Array.isArray(value.transactions) ? (value.transactions as Written[]) : [value]
    for (const one of list.filter(({ hash, finality }) => finality !== undefined && !seen.has(hash))) {
      seen.add(one.hash)
      yield JSON.stringify(one)
    }
  }
}

const uses = new Map<string, number>()
const seenIn = new Map<string, number>()
for (const file of process.argv.slice(2))
  for await (const json of transactionsIn(file)) {
    const own = new Set<string>()
    for (const run of runsOf(json))
      for (const piece of new Set([run, ...piecesOf(run)])) {
        uses.set(piece, (uses.get(piece) ?? 0) + (piece === run ? 1 : PIECE_WEIGHT))
        own.add(piece)
      }
    for (const piece of own) seenIn.set(piece, (seenIn.get(piece) ?? 0) + 1)
  }

const gainOf = (run: string): number => (uses.get(run) ?? 0) * (run.length - 2)
const runs = [...uses.keys()]
  .filter((run) => run.length >= SHORTEST && run.length <= LONGEST && (seenIn.get(run) ?? 0) >= LEAST_SEEN)
  .filter((run) => /^[ -~]*$/.test(run) && !/[\\`]/.test(run))
  .sort((a, b) => gainOf(b) - gainOf(a) || (a < b ? -1 : 1))
  .slice(0, MOST)
const head =
  '// Pieces of text that finished transactions have in common, the most useful first: `test/bench/trainRuns.ts` makes them.'
const quoted = runs.map((run) => (run.includes("'") ? JSON.stringify(run) : `'${run}'`))
writeFileSync(
  FILE,
  `${head}\n\nexport const RUNS: readonly string[] = [\n${quoted.map((run) => `  ${run},\n`).join('')}]\n`,
)
console.log(`${runs.length} runs, ${runs.join('').length} characters`)
