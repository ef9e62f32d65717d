// The files pages load: the compiled script and the stylesheet, read once.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { stylesheet } from './pages/styles.ts'

export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** Quoted, as the header wants it. */
  readonly etag: string
}

const asset = (type: string, body: Buffer): Asset => ({
  type,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

function compiledScript(root: string): Buffer {
  const path = join(root, '.build/server/docs/browser/reference.js')
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new Error(`${path} is missing: run \`npm run build\` first`, { cause })
  }
}

/** Assets by path, out of a package root. Throws when it was not built. */
export const readAssets = (root: string): ReadonlyMap<string, Asset> =>
  new Map([
    ['/assets/reference.js', asset('text/javascript; charset=utf-8', compiledScript(root))],
    ['/assets/reference.css', asset('text/css; charset=utf-8', Buffer.from(stylesheet))],
  ])

let loaded: ReadonlyMap<string, Asset> | undefined

/** The same of this package, read once. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  loaded ??= readAssets(dirname(createRequire(import.meta.url).resolve('tonrpc/package.json')))
  return loaded
}
