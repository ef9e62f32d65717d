import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A data folder that does not exist yet, inside one that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'tonrpc-access-'))
  onTestFinished(() => rm(outer, { recursive: true, force: true }))
  return join(outer, 'data')
}
