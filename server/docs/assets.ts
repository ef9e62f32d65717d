// The files pages load: the compiled scripts and the stylesheet, read once.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
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

/** The script and its imports, in the same folder. */
function compiledScripts(root: string): readonly (readonly [path: string, body: Buffer])[] {
  const folder = join(root, '.build/server/docs/browser')
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
    if (!names.includes('reference.js')) throw new Error(`no reference.js in ${folder}`)
    return names.map((name) => [`/assets/${name}`, readFileSync(join(folder, name))])
  } catch (cause) {
    throw new Error(`${folder} has no scripts: run \`npm run build\` first`, { cause })
  }
}

/** Assets by path, out of a package root. Throws when it was not built. */
export const readAssets = (root: string): ReadonlyMap<string, Asset> =>
  new Map([
    ...compiledScripts(root).map(([path, body]) => [path, asset('text/javascript; charset=utf-8', body)] as const),
    ['/assets/reference.css', asset('text/css; charset=utf-8', Buffer.from(stylesheet))],
  ])

let loaded: ReadonlyMap<string, Asset> | undefined

/** The same of this package, read once. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  loaded ??= readAssets(dirname(createRequire(import.meta.url).resolve('tonrpc/package.json')))
  return loaded
}
