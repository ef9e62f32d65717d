import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Access, createAccess, createFileKeyStore } from '../../../server/access/index.ts'

/** Budgets by a clock of the test; their folder is removed after it. */
export async function accessFor(now: () => number): Promise<Access> {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-access-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  return createAccess({ network: 'devnet', limits: 'on', store: createFileKeyStore(data), now })
}
