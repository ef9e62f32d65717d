// `npx tsx test/server/actions/made/write.ts traces <file>` writes the made traces for a reference classifier;
// `... answers <file>` stores what it made of them, `{ name: { state, actions } }`: state is `ok` where it had one answer.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readJsonFile } from '../../../../server/cli/classify/file.ts'
import { ANSWERS, madeFiles, packAnswers, type Stored } from './stored.ts'
import { digestOf, type Json } from './tree.ts'

const [command, path = ''] = process.argv.slice(2)
const made = [...madeFiles()]

if (command === 'traces') {
  writeFileSync(path, JSON.stringify(Object.fromEntries(made.map(({ name, file }) => [name, file]))))
} else if (command === 'answers') {
  // The cast: it was written so.
  const given = readJsonFile(resolve(path)) as Readonly<Record<string, { state: string; actions: Json[] }>>
  const stored: Record<string, Stored> = {}
  for (const { name, file } of made) {
    const answer = given[name]
    if (answer?.state === 'ok') stored[name] = { digest: digestOf(file), actions: answer.actions }
  }
  writeFileSync(ANSWERS, packAnswers(stored))
  process.stdout.write(`${Object.keys(stored).length} of ${made.length} traces stored\n`)
} else {
  process.stderr.write('usage: write.ts traces|answers <file>\n')
  process.exitCode = 2
}
