// A build step after the TypeScript compiler: `tonrpc/testing`, as an ES module and as CommonJS for Jest, which cannot compile where
// a module is. The client is not in them: it is imported as users import it.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { flatten } from '../docs/index.ts'
import { built, isOutdated, NODE_BUNDLE } from './output.ts'

const out = join(built, 'testing')

const CLIENT = 'tonrpc/client'

const clientStays: Plugin = {
  name: 'client',
  setup(build) {
    build.onResolve({ filter: /\/client\/index\.js$/ }, () => ({ path: CLIENT, external: true }))
  },
}

/** What `import.meta.url` is in CommonJS. */
const HERE = "const here = require('node:url').pathToFileURL(__filename).href;"

async function writeTesting(): Promise<void> {
  const { build } = await import('esbuild')
  const testing = join(built, 'server/testing/index.js')
  const common = { ...NODE_BUNDLE, outdir: out, plugins: [clientStays] }
  const ends = join(built, 'server/testing/endWithParent.js')
  await build({ ...common, entryPoints: { testing, endWithParent: ends } })
  await build({
    ...common,
    entryPoints: { testing },
    splitting: false,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'here' },
    banner: { js: HERE },
  })
  const declared = ['index', 'startTestService'].map((name): [string, string] => [
    `server/testing/${name}.ts`,
    readFileSync(join(built, `server/testing/${name}.d.ts`), 'utf8'),
  ])
  const external = new Map([['client/index.ts', CLIENT]])
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'testing.d.ts'), flatten('server/testing/index.ts', new Map(declared), external))
}

/** Does nothing when no source was compiled since. */
export async function packTesting(): Promise<void> {
  if (isOutdated(join(out, 'testing.d.ts'), ['client', 'server'])) await writeTesting()
}
