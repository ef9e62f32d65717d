// A message of a trace's graph: its line, and its value over the lines of all.

import { useMemo } from 'preact/hooks'
import { decimal } from '../parts/Amount.tsx'
import { BOX, type Box, lineOf } from './graphPlaces.ts'

interface EdgeProps {
  readonly from: Box | undefined
  readonly to: Box
}

function DrawnEdge({ from, to }: EdgeProps) {
  const [x1, y1] = from === undefined ? [14, to.y + BOX.height / 2] : [from.x + BOX.width, from.y + BOX.height / 2]
  const x2 = to.x
  const y2 = to.y + BOX.height / 2
  return (
    <g class={to.value.message?.bounced ? 'edge bounced' : 'edge'}>
      {from === undefined && <circle cx={x1} cy={y1} r="5" />}
      <path d={lineOf([x1, y1], [x2 - 5, y2])} />
      <path class="arrow" d={`M${x2 - 7} ${y2 - 4}L${x2} ${y2}L${x2 - 7} ${y2 + 4}Z`} />
    </g>
  )
}

export const Edge = (props: EdgeProps) => useMemo(() => <DrawnEdge {...props} />, [props.from, props.to])

/** Letters between two boxes: the first one would hide the begin of what is longer. */
const FITS = 14

/** Digits behind the point go first: the list and the panel have all. */
const fitted = (text: string): string =>
  text.length > FITS ? `${text.slice(0, Math.max(text.search(/\.|$/), FITS - 1))}…` : text

const DrawnValue = ({ x, y, value: { message } }: Box) =>
  typeof message?.value === 'string' ? (
    <g class="edge">
      <text x={x - 10} y={y + BOX.height / 2 - 6} text-anchor="end">
        {fitted(decimal(message.value, 9))}
      </text>
    </g>
  ) : null

export const EdgeValue = ({ to }: Pick<EdgeProps, 'to'>) => useMemo(() => <DrawnValue {...to} />, [to])
