// The operator's script with decoders for the explorer, read at the start.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PluginScript } from '../http/index.ts'
import { codeOf } from '../process/index.ts'
import { StartRefused } from './startRefused.ts'

const MOST_BYTES = 1 << 20

/** Null for no path. Throws StartRefused when there is no such script. */
export function readPlugin(path: string): PluginScript | null {
  if (path === '') return null
  let body: Buffer
  try {
    body = readFileSync(path)
  } catch (error) {
    throw new StartRefused(`--explorer-plugin: ${path} cannot be read: ${codeOf(error)}`)
  }
  if (body.length > MOST_BYTES) throw new StartRefused(`--explorer-plugin: ${path} is longer than ${MOST_BYTES} bytes`)
  const hash = createHash('sha256').update(body).digest('hex')
  return { path: `explorer/plugin/${hash}.js`, body }
}
