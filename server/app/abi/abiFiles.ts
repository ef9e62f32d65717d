// Descriptions of contracts in a file or folder of this machine, as compilers write them. They are read again when a call needs
// them and files have changed: no watchers, which behave differently on every file system.

import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AbiError } from '../../../shared/abi/abi.ts'
import { MOST_ABI_LENGTH } from '../../../shared/abi/parseAbi.ts'
import { toHex } from '../../../shared/hex.ts'
import { isObject } from '../../../shared/isObject.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { clip } from '../../../shared/primitives.ts'
import { BocError, hashToHex, readBoc } from '../../cell/index.ts'
import { type AbiEntry, abiEntryOf, codeHashInAbi } from '../../methods/index.ts'
import type { Log } from '../../observe/index.ts'
import { StartRefused } from '../startRefused.ts'

const DEEPEST = 5
const MOST_FILES = 2_000
const AGAIN_MS = 2_000

interface Found {
  readonly path: string
  readonly stamp: string
  /** Why it cannot be looked at, such as a link that leads nowhere; null when it can. */
  readonly fault: string | null
}

const IS_READ = /\.(?:abi|pkg|json|tlb|boc)$/

/** Files that can be descriptions, in the order of their paths. */
async function filesIn(path: string, depth = 0): Promise<readonly Found[]> {
  const info = await stat(path)
  if (info.isFile()) return [{ path, stamp: `${info.mtimeMs} ${info.size}`, fault: null }]
  if (!info.isDirectory() || depth > DEEPEST) return []
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries.filter(
    (one) => !/^(?:\.|node_modules$)/.test(one.name) && (!one.isFile() || IS_READ.test(one.name)),
  )
  const found: Found[] = []
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    found.push(...(await filesInside(join(path, name), depth + 1)))
    if (found.length >= MOST_FILES) break
  }
  return found.slice(0, MOST_FILES)
}

/** The same inside a folder: what cannot be looked at is noted, and the rest is read. */
const filesInside = (path: string, depth: number): Promise<readonly Found[]> =>
  filesIn(path, depth).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
    return [{ path, stamp: error.code ?? '', fault: error.message }]
  })

type Parts = Omit<AbiEntry, 'codeHash'>

const nameOf = (path: string): string => basename(path).replace(/\.(?:compiled\.json|abi\.json|code\.boc|\w+)$/, '')

const hashOfBoc = (bytes: Uint8Array): string => hashToHex(readBoc(bytes).hash())

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch (cause) {
    throw new AbiError('it is not JSON', { cause })
  }
}

/** A description that would not be found by any code. */
class NoHash extends AbiError {}

/** As the book has it: hex in small letters. A compiler writes hex of any case, or base64, whose case counts. */
function hashIn(text: string): string {
  const hash = parseHash(text)
  if (hash === null) throw new NoHash(`${clip(JSON.stringify(text))} is no hash of a code`)
  return toHex(hash)
}

const bareName = (name: string): Parts => ({ name, text: null, errors: {} })

/** What one file says; `byName` has the hashes of codes of files next to it. */
async function entriesOf(path: string, byName: ReadonlyMap<string, string>): Promise<readonly AbiEntry[]> {
  if ((await stat(path)).size > MOST_ABI_LENGTH) throw new AbiError('it is longer than 1 MB')
  if (path.endsWith('.boc')) return []
  const text = await readFile(path, 'utf8')
  const name = nameOf(path)
  if (path.endsWith('.tlb')) return described(text, [byName.get(name)], name)
  const value = objectIn(text)
  if (path.endsWith('.compiled.json'))
    return typeof value.hash === 'string' ? [{ codeHash: hashIn(value.hash), ...bareName(name) }] : []
  if (path.endsWith('.pkg')) {
    const own = typeof value.name === 'string' ? value.name : name
    const hash = typeof value.code === 'string' ? hashOfBoc(Buffer.from(value.code, 'base64')) : undefined
    return typeof value.abi === 'string' ? described(value.abi, [hash], own) : []
  }
  if ('compiler_abi' in value) {
    const listed = Array.isArray(value.code_hashes) ? value.code_hashes.map(String) : []
    return described(text, listed.length > 0 ? listed.map(hashIn) : [codeHashInAbi(JSON.stringify(value.compiler_abi))])
  }
  if ('unique_types' in value) return described(text, [codeHashInAbi(text) ?? byName.get(name)])
  if (!('types' in value)) return []
  return described(text, [byName.get(name) ?? byName.get(String(value.name))])
}

const described = (
  text: string,
  hashes: readonly (string | null | undefined)[],
  name?: string,
): readonly AbiEntry[] => {
  const entry = abiEntryOf(text, name)
  return hashes.flatMap((hash) => (hash ? [{ codeHash: hash, ...entry }] : []))
}

/** The hash of the code that a file has, null for a file without. */
async function codeIn(path: string): Promise<string | null> {
  if (path.endsWith('.code.boc')) return hashOfBoc(await readFile(path))
  if (!path.endsWith('.compiled.json')) return null
  const { hash } = objectIn(await readFile(path, 'utf8'))
  return typeof hash === 'string' ? hashIn(hash) : null
}

/** Reads all files; one that cannot be read is left out and logged. */
async function readFiles(found: readonly Found[], log: Log): Promise<readonly AbiEntry[]> {
  const files = found.filter(({ fault }) => fault === null)
  const entries = new Map<string, AbiEntry>()
  const skipped = new Map(found.flatMap(({ path, fault }) => (fault === null ? [] : [[path, fault] as const])))
  const attempt = async <T>(path: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AbiError || error instanceof BocError || isSystemError(error))) throw error
      // Other JSON lies in the folders of projects too.
      if (error instanceof NoHash || !/(?<!abi)\.json$/.test(path)) skipped.set(path, error.message)
      return null
    }
  }
  /** By the folder and name of their files: a description next to a code is of that code. */
  const codes = new Map<string, Map<string, string>>()
  for (const { path } of files) {
    const code = await attempt(path, () => codeIn(path))
    const folder = codes.get(dirname(path)) ?? new Map()
    codes.set(dirname(path), code === null ? folder : folder.set(nameOf(path), code))
  }
  for (const { path } of files) {
    const byName = codes.get(dirname(path)) ?? new Map()
    // A description is worth more than a name.
    for (const entry of (await attempt(path, () => entriesOf(path, byName))) ?? [])
      if (entry.text !== null || !entries.has(entry.codeHash)) entries.set(entry.codeHash, entry)
  }
  for (const [path, why] of skipped) log.warn({ path, why }, 'abi file skipped')
  return [...entries.values()]
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error

/** Reads a path when it is called, at most every two seconds. Throws StartRefused when nothing is there. */
export function openAbiFiles(path: string, log: Log): () => Promise<readonly AbiEntry[]> {
  if (!existsSync(path)) throw new StartRefused(`--abi: there is no file or folder ${path}`)
  let stamp = ''
  let entries: readonly AbiEntry[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let running: Promise<readonly AbiEntry[]> | null = null
  const read = async (): Promise<readonly AbiEntry[]> => {
    try {
      const files = await filesIn(path)
      const now = files.map((one) => `${one.path} ${one.stamp}`).join('\n')
      if (now !== stamp) entries = await readFiles(files, log)
      stamp = now
    } catch (error) {
      if (!isSystemError(error)) throw error
      log.warn({ path, why: error.message }, 'abi folder cannot be read')
    } finally {
      readAt = performance.now()
      running = null
    }
    return entries
  }
  return () => {
    if (performance.now() - readAt < AGAIN_MS) return Promise.resolve(entries)
    running ??= read()
    return running
  }
}
