// Tests import sources, and what the build made of them is what runs: in this process, in threads and in children. It is
// what ships, and nothing is compiled again. In the runner's own modules a name from another module costs a call of a getter:
// of the processor time of tests that run much of ours, that was a fifth.

import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = /^((?:server|client|shared)\/.*)\.ts$/

/** What the runner leaves to Node. */
export const isBuilt = /\/\.build\/(?:server|client|shared)\//

export const builtSources: Plugin = {
  name: 'built-sources',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null
    const path = relative(root, resolve(dirname(importer), source)).replaceAll(sep, '/')
    const [, name] = SOURCE.exec(path) ?? []
    if (name === undefined) return null
    // Of what a bundler makes a page of there are only declarations: that is read as it is.
    const built = join(root, '.build', `${name}.js`)
    return existsSync(built) ? built : null
  },
}
