// A trace from left to right: a box for each transaction, a line for each message. An image of the list next to it, which
// screen readers use; arrow keys select in both.

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { friendlyForm, nameOf } from '../accountNames.ts'
import { useWidth } from '../charts/useWidth.ts'
import { callWords } from '../operations.ts'
import { groupDigits } from '../parts/groupDigits.ts'
import { kindOfStep, lettersOf } from './accountKind.ts'
import { Edge, EdgeValue } from './GraphEdge.tsx'
import { BOX, type Box, placesOf } from './graphPlaces.ts'
import { ignoredActions, type Step } from './model.ts'
import { codeHashOf } from './transactionCost.ts'
import { type LayoutTree, wayTo } from './treeLayout.ts'

export interface GraphProps {
  readonly root: LayoutTree<Step>
  readonly size: number
  /** Hash of the selected transaction. */
  readonly selected: string | null
  readonly onSelect: (hash: string) => void
  /** Hashes of the transactions of the action under the pointer. */
  readonly marked?: readonly string[]
}

/** Above this, what is deeper than some levels is closed at first. */
const SMALL = 60
const OPEN_DEPTH = 6
/** Above this the list is quicker to read. */
export const MOST_IN_GRAPH = 400

/** One step of the zoom, and its bounds. */
const STEP = 1.3
const SMALLEST = 0.35
const LARGEST = 2
/** Smaller letters are not read: a wider trace is scrolled instead of fitted. */
const SMALLEST_FIT = 0.6
/** Borders of the frame, and the bar of one that scrolls. */
const BORDERS = 18
/** Letters that fit into a box. */
const FITS = 22

const cut = (text: string): string => (text.length > FITS ? `${text.slice(0, FITS - 1)}…` : text)

const short = (friendly: string): string =>
  friendly.length > 12 ? `${friendly.slice(0, 4)}…${friendly.slice(-4)}` : friendly

const accountOf = ({ transaction }: Step): string =>
  transaction === null ? 'pending' : (nameOf(transaction.account) ?? short(friendlyForm(transaction.account)))

/** What the message requested. */
export const callOf = ({ transaction }: Step): string =>
  transaction === null ? '' : callWords(transaction, codeHashOf(transaction))

/** The outcome in a few letters; empty for the usual one. */
export function outcomeText({ transaction, outcome }: Step): string {
  const compute = transaction?.description.compute_ph
  if (compute?.skipped === false && !compute.success) return `exit ${compute.exit_code}`
  if (outcome === 'failed')
    return compute?.skipped
      ? compute.reason.replace('_', ' ')
      : `action ${transaction?.description.action?.result_code ?? ''}`
  const ignored = transaction === null ? 0 : ignoredActions(transaction)
  return ignored === 0 ? '' : `${ignored} ignored`
}

interface NodeProps {
  readonly box: Box
  readonly isSelected: boolean
  readonly isMarked: boolean
}

function DrawnNode({ box, isSelected, isMarked }: NodeProps) {
  const { value: step, x, y, hidden } = box
  const gas = step.transaction?.description.compute_ph
  const kind = kindOfStep(step)
  const state = outcomeText(step) || (gas?.skipped === false ? `${groupDigits(gas.gas_used)} gas` : '')
  const classes = [
    'node',
    step.outcome,
    isSelected && 'selected',
    isMarked && 'marked',
    step.transaction?.emulated && 'pending',
  ]
  return (
    <g class={classes.filter(Boolean).join(' ')} transform={`translate(${x} ${y})`} data-select={step.hash}>
      <title>{`${accountOf(step)}${kind && ` (${kind})`}: ${callOf(step)}${state === '' ? '' : `, ${state}`}`}</title>
      <rect width={BOX.width} height={BOX.height} rx="8" />
      <text class="node-account" x="10" y="18">
        {cut(accountOf(step))}
      </text>
      <text x="10" y="33">
        {cut(callOf(step))}
      </text>
      <text class="node-state" x="10" y="47">
        {cut(state)}
      </text>
      <text class="node-kind" x={BOX.width - 10} y="47" text-anchor="end">
        {step.logs > 0 && `${counted(step.logs, 'log')} `}
        {lettersOf(kind)}
      </text>
      {hidden > 0 && (
        <g class="more" transform={`translate(${BOX.width + 8} ${BOX.height / 2 - 11})`} data-open={step.at}>
          <rect width="48" height="22" rx="11" />
          <text x="24" y="15" text-anchor="middle">
            +{hidden}
          </text>
        </g>
      )}
    </g>
  )
}

/** Of hundreds, a step to another one draws two. */
const Node = (props: NodeProps) => useMemo(() => <DrawnNode {...props} />, Object.values(props))

/** Where an arrow key leads: to what was caused, back to the cause, or along the boxes of one depth. */
function boxAt(key: string, boxes: readonly Box[], from: Box | undefined): Box | undefined {
  if (from === undefined) return key.startsWith('Arrow') ? boxes[0] : undefined
  const column = boxes.filter(({ depth }) => depth === from.depth)
  const at = column.indexOf(from)
  switch (key) {
    case 'ArrowLeft':
      return boxes[from.parent]
    case 'ArrowRight':
      return boxes.find(({ parent }) => boxes[parent] === from)
    case 'ArrowUp':
      return column[at - 1]
    case 'ArrowDown':
      return column[at + 1]
    default:
      return undefined
  }
}

interface ZoomButtonProps {
  readonly name: string
  readonly sign: string
  readonly isOff: boolean
  readonly zoom: () => void
}

const ZoomButton = ({ name, sign, isOff, zoom }: ZoomButtonProps) => (
  <button type="button" class="second small" onClick={zoom} disabled={isOff} aria-label={name}>
    {sign}
  </button>
)

interface ToolsProps {
  readonly factor: number
  readonly isFitted: boolean
  readonly change: (by: number) => void
  readonly fit: () => void
}

const GraphTools = ({ factor, isFitted, change, fit }: ToolsProps) => (
  <div class="graph-tools">
    <ZoomButton name="Zoom out" sign="−" isOff={factor <= SMALLEST} zoom={() => change(1 / STEP)} />
    <ZoomButton name="Zoom in" sign="+" isOff={factor >= LARGEST} zoom={() => change(STEP)} />
    <button type="button" class="second small" disabled={isFitted} onClick={fit}>
      Fit
    </button>
  </div>
)

/** Scrolls a chosen box into view when another one is chosen, or the zoom changes. */
function useChosenInView(frame: RefObject<HTMLDivElement>, chosen: Box | undefined, factor: number): void {
  useLayoutEffect(() => {
    const view = frame.current
    if (view === null || chosen === undefined) return
    const x = chosen.x * factor
    const y = chosen.y * factor
    const isSeen =
      x >= view.scrollLeft &&
      x + BOX.width <= view.scrollLeft + view.clientWidth &&
      y >= view.scrollTop &&
      y + BOX.height <= view.scrollTop + view.clientHeight
    if (!isSeen) view.scrollTo({ left: x - view.clientWidth / 3, top: y - view.clientHeight / 3 })
  }, [chosen?.value.hash, factor])
}

/** The list has these for screen readers; the boxes of the image are no elements of their own. */
function useClicks(
  frame: RefObject<HTMLDivElement>,
  open: (at: number) => void,
  onSelect: GraphProps['onSelect'],
): void {
  useEffect(() => {
    const view = frame.current
    const onClick = ({ target }: MouseEvent) => {
      const drawn = target instanceof Element ? target : null
      const more = drawn?.closest('[data-open]')?.getAttribute('data-open')
      const node = drawn?.closest('[data-select]')?.getAttribute('data-select')
      if (more) open(Number(more))
      else if (node) onSelect(node)
    }
    view?.setAttribute('tabindex', '0')
    view?.addEventListener('click', onClick)
    return () => view?.removeEventListener('click', onClick)
  }, [onSelect])
}

export function Graph({ root, size, selected, onSelect, marked = [] }: GraphProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  /** Null for as large as fits. */
  const [zoom, setZoom] = useState<number | null>(null)
  const open = (at: number): void => setOpened((before) => new Set([...before, at]))
  const frame = useRef<HTMLDivElement>(null)
  const [whole, space] = useWidth<HTMLDivElement>(1000)
  const boxes = useMemo(() => {
    const isClosed = (step: Step, depth: number) => size > SMALL && depth >= OPEN_DEPTH && !opened.has(step.at)
    return placesOf(root, isClosed)
  }, [root, size, opened])
  const width = boxes.reduce((most, { x }) => Math.max(most, x), 0) + BOX.width + 64
  const height = boxes.reduce((most, { y }) => Math.max(most, y), 0) + BOX.height + 12
  const factor = zoom ?? Math.max(SMALLEST_FIT, Math.min(1, (space - BORDERS) / width))
  const chosen = boxes.find(({ value }) => value.hash === selected)
  const isClosed = chosen === undefined
  useLayoutEffect(() => {
    const way = isClosed ? wayTo(root, ({ hash }) => hash === selected) : []
    if (way.length > 0) setOpened((before) => new Set([...before, ...way.map(({ at }) => at)]))
  }, [isClosed, root, selected])
  useChosenInView(frame, chosen, factor)
  useClicks(frame, open, onSelect)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = boxAt(event.key, boxes, chosen)
    if (event.key === 'ArrowRight' && chosen !== undefined && chosen.hidden > 0) open(chosen.value.at)
    else if (next !== undefined) onSelect(next.value.hash)
    else return
    event.preventDefault()
  }
  const change = (by: number): void => setZoom(Math.min(LARGEST, Math.max(SMALLEST, factor * by)))
  return (
    <div class="graph" ref={whole}>
      <GraphTools factor={factor} isFitted={zoom === null} change={change} fit={() => setZoom(null)} />
      <section
        class="graph-frame"
        aria-label="Graph of the trace"
        ref={frame}
        onKeyDown={onKeyDown}
        onWheel={(event) => {
          if (!event.ctrlKey) return
          event.preventDefault()
          change(event.deltaY < 0 ? STEP : 1 / STEP)
        }}
      >
        <svg width={width * factor} height={height * factor} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {boxes.map((box) => (
            <Edge key={box.value.at} from={boxes[box.parent]} to={box} />
          ))}
          {boxes.map((box) => (
            <EdgeValue key={box.value.at} to={box} />
          ))}
          {boxes.map((box) => (
            <Node key={box.value.at} box={box} isSelected={box === chosen} isMarked={marked.includes(box.value.hash)} />
          ))}
        </svg>
      </section>
    </div>
  )
}
