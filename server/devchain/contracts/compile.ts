// From Tolk sources to code. Needs the compiler and @ton/ton, which are installed at build time only: no code of the
// service imports this file.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type CompiledContract, type CompiledFile, walletContracts } from './compiled.ts'

type CoreCell = import('@ton/core').Cell

const require = createRequire(import.meta.url)
const tools = ['@ton/tolk-js', '@ton/ton'] as const
// Part of the fingerprint: raise it when what is written changes though sources and tools do not.
const format = 1

function versionOf(tool: (typeof tools)[number]): string {
  const manifest: unknown = JSON.parse(readFileSync(require.resolve(`${tool}/package.json`), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
  throw new Error(`${tool} says no version`)
}

/** All Tolk files, in an order that does not depend on the file system; slashes on every platform. */
function tolkFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.tolk'))
    .sort()
}

/** Changes when a source, a tool or the form of the result does. */
export function fingerprintOf(folder: string): string {
  const hash = createHash('sha256')
  const add = (text: string) => hash.update(`${Buffer.byteLength(text)}:${text}`)
  add(String(format))
  for (const tool of tools) add(`${tool} ${versionOf(tool)}`)
  for (const path of tolkFiles(folder)) add(path) && add(readFileSync(join(folder, path), 'utf8'))
  return hash.digest('hex')
}

async function compileTolk(folder: string, name: string): Promise<CompiledContract> {
  const { runTolkCompiler } = await import('@ton/tolk-js')
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(join(folder, path), 'utf8'),
    withStackComments: false,
    withSrcLineComments: false,
  })
  if (result.status === 'error') throw new Error(`${name}.tolk does not compile:\n${result.message}`)
  return { boc: result.codeBoc64, hash: result.codeHashHex.toLowerCase(), origin: `Tolk ${result.tolkVersion}` }
}

/** Codes of wallets, out of @ton/ton. */
export async function walletCodes(): Promise<[string, CompiledContract][]> {
  const ton = await import('@ton/ton')
  const key = { workchain: 0, publicKey: Buffer.alloc(32) }
  const wrappers: Readonly<Record<(typeof walletContracts)[number], { readonly init: { readonly code: CoreCell } }>> = {
    walletV1R1: ton.WalletContractV1R1.create(key),
    walletV1R2: ton.WalletContractV1R2.create(key),
    walletV1R3: ton.WalletContractV1R3.create(key),
    walletV2R1: ton.WalletContractV2R1.create(key),
    walletV2R2: ton.WalletContractV2R2.create(key),
    walletV3R1: ton.WalletContractV3R1.create(key),
    walletV3R2: ton.WalletContractV3R2.create(key),
    walletV4R2: ton.WalletContractV4.create(key),
    walletV5R1: ton.WalletContractV5R1.create(key),
  }
  const origin = `@ton/ton ${versionOf('@ton/ton')}`
  return walletContracts.map((name) => {
    const { code } = wrappers[name].init
    return [name, { boc: code.toBoc().toString('base64'), hash: code.hash().toString('hex'), origin }]
  })
}

/** What is compiled: a room's own contracts. */
export interface ContractSources {
  /** Of the sources: `.tolk` files that are not named are parts of the others. */
  readonly folder: string
  /** Paths in it, without `.tolk`. */
  readonly names: readonly string[]
  /** Contracts that come with a tool instead of a source. */
  readonly further?: () => Promise<[string, CompiledContract][]>
}

/** Compiles the contracts of a folder. Rejects with an Error that names the source and the reason. */
export async function compileContracts({ folder, names, further }: ContractSources): Promise<CompiledFile> {
  const contracts: Record<string, CompiledContract> = {}
  for (const name of names) contracts[name] = await compileTolk(folder, name)
  for (const [name, code] of (await further?.()) ?? []) contracts[name] = code
  return { fingerprint: fingerprintOf(folder), contracts }
}
