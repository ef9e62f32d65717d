// A build step after the TypeScript compiler: writes compiled contracts where the service reads them.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type ContractSources, compileContracts, fingerprintOf, walletCodes } from './compile.ts'
import { compiledPath, sourceFolder, tolkContracts } from './compiled.ts'

const chainContracts: ContractSources = { folder: sourceFolder, names: tolkContracts, further: walletCodes }

/** Whether a file of compiled contracts is of these sources and tools. */
export function isFresh(path: string, folder: string): boolean {
  try {
    const file: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return (
      typeof file === 'object' && file !== null && 'fingerprint' in file && file.fingerprint === fingerprintOf(folder)
    )
  } catch {
    return false
  }
}

/** Compiles the contracts of a room into its file. Does nothing when sources and tools are those of last time. */
export async function writeCompiled(sources: ContractSources, path: string): Promise<void> {
  if (isFresh(path, sources.folder)) return
  const compiled = await compileContracts(sources)
  mkdirSync(dirname(path), { recursive: true })
  // Whole or not at all, also when two builds run at once.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(compiled, null, 2)}\n`)
  renameSync(draft, path)
}

export const areContractsFresh = (): boolean => isFresh(compiledPath, sourceFolder)

/** Those of the embedded chain. */
export const buildContracts = (): Promise<void> => writeCompiled(chainContracts, compiledPath)
