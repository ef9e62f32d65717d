// The configuration and public libraries as they go over the wire.

import { toBase64 } from '../../../shared/base64.ts'
import type { Result } from '../../../shared/registry.ts'
import type { configurationV2 } from '../../../shared/v2/configuration.ts'
import type { Cell } from '../../cell/index.ts'
import { inSlices, type Slicing } from '../../fairness/index.ts'
import type { VerifiedLibraries } from '../../node/index.ts'
import { toCellText } from './account.ts'

export const toConfigInfo = (cell: Cell | null): Result<typeof configurationV2.getConfigParam> => ({
  '@type': 'configInfo',
  config: { '@type': 'tvm.cell', bytes: toCellText(cell) },
})

/** In the order of their hashes, written in slices. */
export async function toLibraries(
  found: VerifiedLibraries,
  slicing: Slicing,
): Promise<Result<typeof configurationV2.getLibraries>> {
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  const entries = await inSlices(
    sorted,
    ([, cell]) => ({
      '@type': 'smc.libraryEntry' as const,
      hash: toBase64(cell.hashBytes()),
      data: toCellText(cell),
    }),
    slicing,
  )
  return { '@type': 'smc.libraryResult', result: entries }
}
