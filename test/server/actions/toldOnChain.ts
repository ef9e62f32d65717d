// What is told of messages on the embedded chain, from the block to the row.

import type { AssetScene } from '../indexer/assets/assetScene.ts'
import { expectShapes } from './shapes.ts'

const SYSTEM = `-1:${'0'.repeat(64)}`

export interface Told {
  readonly type: string
  readonly success: boolean
  readonly details: Readonly<Record<string, unknown>>
  readonly within: string
}

/** Actions since so many, in the order they began; a part behind what it is a part of. */
async function toldSince(scene: AssetScene, count: number): Promise<Told[]> {
  const rows = await scene.rows('actions', 'trace_end_lt, start_lt, cardinality(ancestor_types), type')
  const told = rows.map((row) => ({
    type: row.type as string,
    success: row.success as boolean,
    details: JSON.parse(row.details as string) as Told['details'],
    within: (row.ancestor_types as string[]).join(),
  }))
  expectShapes(told)
  // What the chain pays itself, block after block.
  return told.filter(({ details }) => details.source !== SYSTEM).slice(count)
}

/** What a message and all that follows from it are told as. */
export async function told(scene: AssetScene, work: () => Promise<unknown>): Promise<Told[]> {
  const before = (await toldSince(scene, 0)).length
  await work()
  return toldSince(scene, before)
}

export const typesOf = (actions: readonly Told[]) =>
  actions.map(({ type, success, within }) => `${within === '' ? '' : `${within}/`}${type}${success ? '' : ' failed'}`)
