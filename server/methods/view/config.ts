// The configuration and public libraries as they go over the wire.

import { toBase64 } from '../../../shared/base64.ts'
import type { Result } from '../../../shared/registry.ts'
import type { configurationV2 } from '../../../shared/v2/configuration.ts'
import type { Cell } from '../../cell/index.ts'
import type { VerifiedLibraries } from '../../node/index.ts'
import { toCellText } from './account.ts'

export const toConfigInfo = (cell: Cell | null): Result<typeof configurationV2.getConfigParam> => ({
  '@type': 'configInfo',
  config: { '@type': 'tvm.cell', bytes: toCellText(cell) },
})

/** In the order of their hashes. */
export const toLibraries = (found: VerifiedLibraries): Result<typeof configurationV2.getLibraries> => ({
  '@type': 'smc.libraryResult',
  result: [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, cell]) => ({
      '@type': 'smc.libraryEntry',
      hash: toBase64(cell.hashBytes()),
      data: toCellText(cell),
    })),
})
