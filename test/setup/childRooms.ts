// Rooms as scripts for processes that tests start, kill and start again: each room bundled, since a child that finds, reads and links
// a thousand single modules takes half a second of processor time for that.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { built, isOutdated, NODE_BUNDLE } from '../../server/build/output.ts'

const out = join(built, 'rooms')

const compiled = (path: string): string => join(built, 'server', `${path}.js`)

const ENTRIES = {
  demo: compiled('demo/index'),
  devchain: compiled('devchain/index'),
  indexer: compiled('indexer/index'),
  store: compiled('store/index'),
  tvm: compiled('tvm/index'),
  // Their threads, where they are looked for.
  thread: compiled('store/pglite/thread'),
  worker: compiled('tvm/worker'),
}

/** The address that a script imports a room by. */
export const childRoom = (name: keyof typeof ENTRIES): string => pathToFileURL(join(out, `${name}.js`)).href

/** Does nothing when no source was compiled since. */
export async function bundleRooms(): Promise<void> {
  if (!isOutdated(join(out, 'devchain.js'), ['shared', 'client', 'server'])) return
  const { build } = await import('esbuild')
  await build({ ...NODE_BUNDLE, entryPoints: ENTRIES, outdir: out })
}
