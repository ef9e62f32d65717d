// The lite port: `npm run bench -- network`, or some of it: `-- network --parts catchUp,block --blocks 20000`.
// reads: v2 next to the public server in Python; block: a block of mainnet; catchUp: an existing chain; memory: blocks made
// while they are followed, after the catch-up: as many, or with `--blocks 1000+20000` another number.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { NODE_OPTIONS } from './nodeOptions.ts'

const PARTS: Readonly<Record<string, readonly [file: string, ...args: readonly string[]]>> = {
  reads: ['networkReads.ts'],
  block: ['networkBlock.ts'],
  catchUp: ['networkFollow.ts', 'catchUp'],
  memory: ['networkFollow.ts', 'memory'],
}

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: Object.keys(PARTS).join() },
    blocks: { type: 'string', default: '2000' },
  },
})
const wanted = values.parts.split(',')
const files = new Map<string, string[]>()
for (const part of wanted) {
  const found = PARTS[part]
  if (found === undefined) throw new Error(`there is no part ${part}: ${Object.keys(PARTS).join(', ')}`)
  const [file, ...args] = found
  files.set(file, [...(files.get(file) ?? [values.blocks]), ...args])
}
for (const [file, args] of files) {
  const path = fileURLToPath(new URL(`./${file}`, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--expose-gc', ...NODE_OPTIONS, path, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
