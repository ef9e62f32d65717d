// A step of the build, after the compiler of TypeScript: leaves the compiled contracts where the service looks for them.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { compileContracts, fingerprintOf } from './compile.ts'
import { compiledPath, sourceFolder } from './compiled.ts'

function isFresh(): boolean {
  try {
    const file: unknown = JSON.parse(readFileSync(compiledPath, 'utf8'))
    return (
      typeof file === 'object' &&
      file !== null &&
      'fingerprint' in file &&
      file.fingerprint === fingerprintOf(sourceFolder)
    )
  } catch {
    return false
  }
}

/** Does nothing when sources and tools are those of last time. */
export async function buildContracts(): Promise<void> {
  if (isFresh()) return
  const compiled = await compileContracts(sourceFolder)
  mkdirSync(dirname(compiledPath), { recursive: true })
  // Whole or not at all, also when two builds run at once.
  const draft = `${compiledPath}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(compiled, null, 2)}\n`)
  renameSync(draft, compiledPath)
}
