// The configuration at a block, or the parameters of it that a caller names.

import { ApiError } from '../../../shared/errors.ts'
import {
  type Cell,
  Dict,
  dictKind,
  intKey,
  MAX_DEPTH,
  openCell,
  readBoc,
  refValue,
  writeBocText,
} from '../../cell/index.ts'
import { bounceableText } from '../view/texts.ts'
import { type AskV2, MASTERCHAIN_OF_V2 } from './askV2.ts'

const MOST_IDS = 256
const configKind = dictKind(intKey(32), refValue)

function readIds(text: string): number[] {
  const ids = text.split(',')
  const bad = ids.find((id) => !/^-?\d{1,10}$/.test(id) || Number(id) !== (Number(id) | 0))
  if (bad !== undefined)
    throw new ApiError('invalidParams', `"${bad.slice(0, 32)}" is not the number of a parameter`, { param: 'ids' })
  if (ids.length > MOST_IDS)
    throw new ApiError('invalidParams', `at most ${MOST_IDS} parameters: without a list all are returned`, {
      param: 'ids',
    })
  return ids.map(Number)
}

/** A dictionary of those that exist. */
function only(all: Dict<number, Cell>, ids: readonly number[]): Cell {
  let some = new Dict(configKind, null)
  for (const id of ids) {
    const value = all.get(id)
    if (value !== undefined) some = some.set(id, value)
  }
  if (some.root === null) throw new ApiError('notFound', 'none of these parameters is set', { param: 'ids' })
  return some.root
}

/** `ids` as in the path, between commas; null for all. */
export async function configAt(seqno: number, ids: string | null, ask: AskV2) {
  const wanted = ids === null ? null : readIds(ids)
  const { config } = await ask('getConfigAll', { seqno })
  const root = readBoc(Buffer.from(config.bytes, 'base64'), { maxDepth: MAX_DEPTH })
  const all = new Dict(configKind, root)
  const contract = all.get(0)
  if (contract === undefined) throw new ApiError('upstream', 'the configuration does not name its contract')
  const { coins } = await ask('getGlobalBalance', { seqno })
  return {
    exist: true,
    config: {
      cell: writeBocText(wanted === null ? root : only(all, wanted)),
      address: bounceableText(MASTERCHAIN_OF_V2.workchain, openCell(contract).loadBytes(32)),
      globalBalance: { coins },
    },
  }
}
