// A chart over time, as an image with its values as text and a table below.

import { counted } from '../../../shared/explorer/counted.ts'
import { axisLabels } from '../format/number.ts'
import { exactTime, zoneShift } from '../parts/When.tsx'
import {
  type ChartPoint,
  type ChartRange,
  linePath,
  type Scale,
  scale,
  stepPath,
  ticks,
  timeLabel,
  timeTicks,
  valueRange,
} from './scale.ts'
import { useWidth } from './useWidth.ts'

export interface ChartProps {
  /** What is shown, such as `Transactions per hour`. */
  readonly title: string
  /** By time, each later than the one before. */
  readonly points: readonly ChartPoint[]
  /** A value in full, for the table and tooltips; the axis has short numbers. */
  readonly write: (value: number) => string
  /** `steps` holds each value until the next. */
  readonly shape: 'bars' | 'line' | 'steps'
  readonly height?: number
  /** The axis of time; default: from the first to the last point. */
  readonly range?: ChartRange
  /** Replaces an axis of time: labels of points. */
  readonly label?: (at: number) => string
}

const MARGIN = { right: 8, top: 8, bottom: 22 }
/** Of the letters of an axis, about. */
const LETTER = 6.5
const PER_LABEL = 90
/** Labels closer to the right end are cut off. */
const EDGE = 14

interface Plane {
  /** Where the chart begins, right of its labels. */
  readonly left: number
  readonly x: Scale
  readonly y: Scale
  readonly width: number
  readonly height: number
  readonly range: ChartRange
}

interface ValueMarks {
  readonly values: readonly number[]
  readonly labels: readonly string[]
}

function Bars({
  points,
  plane,
  write,
  name,
}: {
  points: readonly ChartPoint[]
  plane: Plane
  write: ChartProps['write']
  name: (at: number) => string
}) {
  const step =
    points.length > 1
      ? plane.x(points[1]?.at ?? 0) - plane.x(points[0]?.at ?? 0)
      : plane.width - plane.left - MARGIN.right
  const width = Math.max(1, Math.min(48, step * 0.8))
  const zero = plane.y(0)
  return (
    <>
      {points.map(({ at, value }) => (
        <rect
          key={at}
          class="bar-mark"
          x={plane.x(at) + Math.max(0, step - width) / 2}
          y={Math.min(zero, plane.y(value))}
          width={width}
          height={Math.max(value === 0 ? 0 : 1, Math.abs(zero - plane.y(value)))}
        >
          <title>{`${name(at)}: ${write(value)}`}</title>
        </rect>
      ))}
    </>
  )
}

function Curve({
  points: all,
  plane,
  shape,
}: {
  points: readonly ChartPoint[]
  plane: Plane
  shape: ChartProps['shape']
}) {
  // A value from before the axis begins at its edge.
  const points = all.map(({ at, value }) => ({ at: Math.max(at, plane.range.from), value }))
  const path =
    shape === 'steps' ? stepPath(points, plane.x, plane.y, plane.range.to) : linePath(points, plane.x, plane.y)
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return null
  const end = shape === 'steps' ? plane.range.to : last.at
  const bottom = plane.height - MARGIN.bottom
  return (
    <>
      <path class="area-mark" d={`${path}L${plane.x(end)} ${bottom}L${plane.x(first.at)} ${bottom}Z`} />
      <path class="line-mark" d={path} />
      {points.length <= 60 &&
        points.map(({ at, value }) => (
          <circle key={at} class="dot-mark" cx={plane.x(at)} cy={plane.y(value)} r="2.5" />
        ))}
    </>
  )
}

const summary = (title: string, points: readonly ChartPoint[], write: ChartProps['write']): string => {
  const last = points.at(-1)
  if (last === undefined) return `${title}: no values`
  const most = points.reduce((a, b) => (b.value > a.value ? b : a))
  return `${title}: ${counted(points.length, 'value')}, the last ${write(last.value)}, the largest ${write(most.value)}`
}

/** Rows of the table: more would be a page of their own. */
const MOST_ROWS = 200

function Values({
  title,
  points,
  write,
  name,
}: Pick<ChartProps, 'title' | 'points' | 'write'> & { readonly name: (at: number) => string }) {
  return (
    <details class="chart-values">
      <summary>
        Values<span class="for-readers"> of {title}</span>
      </summary>
      <div class="scroll">
        <table>
          <tbody>
            {points.slice(-MOST_ROWS).map(({ at, value }) => (
              <tr key={at}>
                <th scope="row">{name(at)}</th>
                <td>{write(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** Lines of the grid with the values they stand for. */
const ValueAxis = ({ marks, plane }: { readonly marks: ValueMarks; readonly plane: Plane }) => (
  <>
    {marks.values.map((value, at) => (
      <g key={value}>
        <line
          class="grid-line"
          x1={plane.left}
          x2={plane.width - MARGIN.right}
          y1={plane.y(value)}
          y2={plane.y(value)}
        />
        <text class="axis" x={plane.left - 6} y={plane.y(value) + 4} text-anchor="end">
          {marks.labels[at]}
        </text>
      </g>
    ))}
  </>
)

interface TimeAxisProps extends Pick<ChartProps, 'points'> {
  readonly label: ChartProps['label'] | undefined
  readonly plane: Plane
  /** Pixels from a mark to its label. */
  readonly shift: number
}

/** Labels of the axis of time, in the reader's zone; or those of points. */
function TimeAxis({ points, label, plane, shift }: TimeAxisProps) {
  const { range, width } = plane
  const wanted = Math.max(2, Math.floor((width - plane.left) / PER_LABEL))
  const zone = zoneShift(points.at(-1)?.at ?? 0)
  const zoned: ChartRange = { from: range.from + zone, to: range.to + zone }
  const marks =
    label === undefined
      ? timeTicks(zoned, wanted).map((at) => at - zone)
      : ticks(range, wanted).filter((at) => points.some((one) => one.at === at))
  return (
    <>
      {marks
        .filter((at) => plane.x(at) < width - MARGIN.right - EDGE)
        .map((at) => (
          <text key={at} class="axis" x={plane.x(at) + shift} y={plane.height - 6} text-anchor="middle">
            {label === undefined ? timeLabel(at + zone, zoned) : label(at)}
          </text>
        ))}
    </>
  )
}

export function Chart({ title, points, write, shape, height = 180, range, label }: ChartProps) {
  const [box, width] = useWidth<HTMLDivElement>(640)
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return <p class="quiet">{title}: nothing yet.</p>
  const step = shape === 'bars' ? (points[1]?.at ?? first.at + 1) - first.at : 0
  const time = range ?? { from: first.at, to: last.at + step }
  const values = valueRange(
    points.map(({ value }) => value),
    shape !== 'steps',
  )
  const marks: ValueMarks = { values: ticks(values), labels: axisLabels(ticks(values)) }
  const left = 12 + LETTER * marks.labels.reduce((most, text) => Math.max(most, text.length), 0)
  const plane: Plane = {
    left,
    x: scale(time, { from: left, to: width - MARGIN.right }),
    y: scale(values, { from: height - MARGIN.bottom, to: MARGIN.top }),
    width,
    height,
    range: time,
  }
  const name = label ?? exactTime
  const middle = shape === 'bars' ? (plane.x(first.at + step) - plane.x(first.at)) / 2 : 0
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={box}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={summary(title, points, write)}
        >
          <ValueAxis marks={marks} plane={plane} />
          <TimeAxis points={points} label={label} plane={plane} shift={middle} />
          {shape === 'bars' ? (
            <Bars points={points} plane={plane} write={write} name={name} />
          ) : (
            <Curve points={points} plane={plane} shape={shape} />
          )}
        </svg>
      </div>
      <Values points={points} write={write} name={name} title={title} />
    </figure>
  )
}
