// The files pages load: scripts and stylesheets, read once.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PageFiles } from './pages/shell.ts'
import { stylesheet } from './pages/styles.ts'

export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** Quoted, as the header requires. */
  readonly etag: string
  /** Its name changes with its content. */
  readonly immutable: boolean
}

/** Where the build writes those names. */
export const PAGE_FILES = 'files.json'

const PAGE_FOLDER = '.build/explorer'
/** The folder also has the names of these files, and licences. */
const SERVED = /\.(?:js|css)$/

const asset = (type: string, body: Buffer, immutable = false): Asset => ({
  type,
  body,
  immutable,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

const SCRIPT = 'text/javascript; charset=utf-8'

/** Where the build writes the script of the reference pages. */
export const REFERENCE_SCRIPT = '.build/reference/reference.js'

function referenceScript(root: string): Buffer {
  const path = join(root, REFERENCE_SCRIPT)
  try {
    return readFileSync(path)
  } catch (cause) {
    throw unbuilt(dirname(path), cause)
  }
}

const unbuilt = (folder: string, cause: unknown): Error =>
  new Error(`${folder} has no scripts: run \`npm run build\` first`, { cause })

function pageFiles(root: string): readonly (readonly [path: string, file: Asset])[] {
  const folder = join(root, PAGE_FOLDER)
  try {
    return readdirSync(folder)
      .filter((name) => SERVED.test(name))
      .map((name) => {
        const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : SCRIPT
        return [`/explorer/${name}`, asset(type, readFileSync(join(folder, name)), true)]
      })
  } catch (cause) {
    throw unbuilt(folder, cause)
  }
}

/** Assets by path, out of a package root. Throws when it was not built. */
export const readAssets = (root: string): ReadonlyMap<string, Asset> =>
  new Map([
    ['/assets/reference.js', asset(SCRIPT, referenceScript(root))],
    ...pageFiles(root),
    ['/assets/reference.css', asset('text/css; charset=utf-8', Buffer.from(stylesheet))],
  ])

const packageRoot = (): string => dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

let loaded: ReadonlyMap<string, Asset> | undefined

/** The same of this package, read once. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  loaded ??= readAssets(packageRoot())
  return loaded
}

/** Throws when the package was not built. */
export const loadPageFiles = (): PageFiles =>
  JSON.parse(readFileSync(join(packageRoot(), PAGE_FOLDER, PAGE_FILES), 'utf8'))
