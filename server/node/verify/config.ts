// The configuration, from a masterchain state or from the key block that set it.

import type { Cell } from '../../cell/index.ts'
import { blockExtraOf, type ConfigParams, masterExtraOf } from '../../tlb/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { ConfigAnswer } from '../liteAnswers.ts'
import { configParts } from '../liteServer.ts'
import { type ProvenBlock, provenBlock } from './header.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, refusing } from './readProof.ts'
import { masterchainOfState, provenState } from './state.ts'

export interface VerifiedConfig {
  /** As far as it was shown; reading further throws CellError `pruned`. */
  readonly config: ConfigParams
  /** The requested parameters that exist. */
  readonly params: ReadonlyMap<number, Cell>
  /** Nanotons of all accounts; null from a key block, which does not contain the sum. */
  readonly globalBalance: bigint | null
}

/** The configuration a key block sets. */
export function configOfKeyBlock({ block, info }: ProvenBlock): ConfigParams {
  const config = masterExtraOf(blockExtraOf(block))?.config ?? null
  demand(info.keyBlock && config !== null, 'config', 'not a key block')
  return config
}

/** A parameter must be shown completely, or a caller would meet a pruned cell later. */
function isWhole(cell: Cell): boolean {
  return !cell.isVirtual && cell.mask === 0
}

function shownConfig(id: BlockIdExt, answer: ConfigAnswer): Pick<VerifiedConfig, 'config' | 'globalBalance'> {
  if ((answer.mode & configParts.fromKeyBlock) === 0) {
    const state = provenState(id, answer.stateProof, answer.configProof)
    const { config, globalBalance } = masterchainOfState(id, state).extra
    return { config, globalBalance: globalBalance.grams }
  }
  return { config: configOfKeyBlock(provenBlock(id, answer.configProof)), globalBalance: null }
}

/** Checks parameters as of a masterchain block; those that do not exist are proven to be absent. */
export function verifyConfig(id: BlockIdExt, wanted: readonly number[] | 'all', answer: ConfigAnswer): VerifiedConfig {
  return refusing('configuration', () => {
    demandSameBlock(answer.id, id)
    const { config, globalBalance } = shownConfig(id, answer)
    const params = new Map<number, Cell>()
    const take = (number: number, cell: Cell): void => {
      demand(isWhole(cell), 'missing', `parameter ${number} is not shown in full`)
      params.set(number, cell)
    }
    if (wanted === 'all') for (const [number, cell] of config.params) take(number, cell)
    else
      for (const number of new Set(wanted)) {
        const cell = config.params.get(number)
        if (cell !== undefined) take(number, cell)
      }
    return { config, params, globalBalance }
  })
}
