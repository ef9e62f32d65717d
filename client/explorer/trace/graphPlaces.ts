// Where the boxes of a trace's graph stand, in its own units.

import type { Step } from './model.ts'
import { type LayoutTree, layout, type Placed } from './treeLayout.ts'

export const BOX = { width: 172, height: 54 }
/** Between two boxes, and in front of the first one: room for a value, beside the line that steep ones share. */
const GAP = 118
const COLUMN = BOX.width + GAP
const ROW = BOX.height + 22

export interface Box extends Placed<Step> {
  readonly x: number
  readonly y: number
}

export const placesOf = (root: LayoutTree<Step>, isClosed: (step: Step, depth: number) => boolean): readonly Box[] =>
  layout(root, { isClosed }).map((one) => ({ ...one, x: GAP + one.depth * COLUMN, y: 12 + one.row * ROW }))

/** Steeper curves of many messages would merge into a bar. */
const STEEP = 3 * ROW
/** Of the line that steep ones share, to the right of the box they leave. */
const SHARED = 12
const BEND = 10

/** The line of a message between two points: a curve, or along the line that all of this box share. */
export function lineOf([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): string {
  const middle = (x1 + x2) / 2
  const down = y2 - y1
  if (Math.abs(down) <= STEEP) return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
  const shared = x1 + SHARED
  return `M${x1} ${y1}H${shared}V${y2 - Math.sign(down) * BEND}Q${shared} ${y2} ${shared + BEND} ${y2}H${x2}`
}
