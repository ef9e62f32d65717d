// Actions of messages on the embedded chain, from the block to the row.

import { actions } from '../../../server/store/tables/actions.ts'
import type { AssetScene } from '../indexer/assets/assetScene.ts'
import { expectShapes } from './shapes.ts'

const SYSTEM = `-1:${'0'.repeat(64)}`

export interface ShownAction {
  readonly type: string
  readonly success: boolean
  readonly details: Readonly<Record<string, unknown>>
  readonly within: string
}

/** Actions since so many, in the order they began; a part behind what it is a part of. */
async function actionsSince(scene: AssetScene, count: number): Promise<ShownAction[]> {
  const rows = await scene.storedRows('actions', 'trace_end_lt, start_lt, cardinality(ancestor_types), type')
  const shown = rows.map((row) => {
    const { type, success, details, ancestorTypes } = actions.decode(row)
    // The cast: details are an object.
    return { type, success, details: JSON.parse(details) as ShownAction['details'], within: ancestorTypes.join() }
  })
  expectShapes(shown)
  // What the chain pays itself, block after block.
  return shown.filter(({ details }) => details.source !== SYSTEM).slice(count)
}

/** Actions of a message and of all that follows from it. */
export async function actionsOf(scene: AssetScene, work: () => Promise<unknown>): Promise<ShownAction[]> {
  const before = (await actionsSince(scene, 0)).length
  await work()
  return actionsSince(scene, before)
}

export const typesOf = (shown: readonly ShownAction[]) =>
  shown.map(({ type, success, within }) => `${within === '' ? '' : `${within}/`}${type}${success ? '' : ' failed'}`)
