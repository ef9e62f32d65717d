// Chains for tests: opened with their warnings collected, closed at the end of the test.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  createDevchainLiteServer,
  type Devchain,
  type DevchainOptions,
  openDevchain,
} from '../../../server/devchain/index.ts'
import { configParam } from '../../../server/tlb/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'

/** A folder that does not exist yet, inside one that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'tonrpc-devchain-'))
  onTestFinished(() => rm(outer, { recursive: true, force: true }))
  return join(outer, 'chain')
}

/** A chain that makes no block by itself; in memory unless there is a folder. */
export async function openChain(options: DevchainOptions = {}): Promise<{ chain: Devchain; warnings: string[] }> {
  const warnings: string[] = []
  const chain = await openDevchain({ idleBlockMs: 3_600_000, log: (line) => warnings.push(line), ...options })
  onTestFinished(() => chain.close())
  return { chain, warnings }
}

/** The lite server of a chain. */
export async function liteOf(chain: Devchain): Promise<ReturnType<typeof createDevchainLiteServer>> {
  const pool = await createTvmPool({ workers: 1 })
  const lite = createDevchainLiteServer(chain, { pool })
  onTestFinished(async () => {
    lite.close()
    await pool.close()
  })
  return lite
}

/** A clock that moves only when it is set. */
export function stillClock(seconds = 1_900_000_000): { now: () => number; move: (by: number) => void } {
  let ms = seconds * 1000
  const move = (by: number): void => {
    ms += by * 1000
  }
  return { now: () => ms, move }
}

/** Public keys of the current validators. */
export function validatorKeysOf({ reader }: Devchain): Uint8Array[] {
  const set = configParam(reader.moment().master.extra.config, 34)
  return [...(set?.list.values() ?? [])].map(({ publicKey }) => publicKey)
}

export const seedOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
export const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
