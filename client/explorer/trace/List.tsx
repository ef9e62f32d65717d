// A trace as an indented list: what keyboards, screen readers and small screens use.

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { useStepState } from '../parts/useStepState.ts'
import { kindOfStep } from './accountKind.ts'
import { callOf, type GraphProps, outcomeText } from './Graph.tsx'
import type { Step } from './model.ts'
import { listed } from './treeLayout.ts'

/** Rows that are shown at first; a page of thousands is slow on a phone. */
const FIRST = 100
/** Rows that are drawn in one frame, and none of them again for what another part of the list shows. */
const PART = 50
const DEEPEST = 8
/** More rows than about a screen scroll in a frame of their own: what the selected one says is below the list. */
const SCREEN = 24

const SIGNS = { ok: '●', failed: '✕', bounce: '↩', skipped: '○' } as const
const WORDS = { ok: 'succeeded', failed: 'failed', bounce: 'bounced', skipped: 'ran no code' } as const

interface RowProps {
  readonly step: Step
  readonly depth: number
  readonly isSelected: boolean
  readonly isFirst: boolean
  readonly onSelect: GraphProps['onSelect']
}

function DrawnRow({ step, depth, isSelected, isFirst, onSelect }: RowProps) {
  const state = outcomeText(step)
  const select = (): void => onSelect(step.hash)
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      tabIndex={isSelected || isFirst ? 0 : -1}
      class={`tree-row ${step.outcome}`}
      style={{ '--depth': Math.min(depth, DEEPEST) }}
      data-hash={step.hash}
      onClick={select}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        select()
      }}
    >
      <span class="sign" title={WORDS[step.outcome]}>
        <span aria-hidden="true">{SIGNS[step.outcome]}</span>
        <span class="for-readers">{WORDS[step.outcome]}</span>
      </span>
      <span class="tree-account">
        {step.transaction === null ? 'pending' : <Address of={step.transaction.account} />}
        <span class="for-readers">{kindOfStep(step)}</span>
      </span>
      <span class="tree-call">{callOf(step)}</span>
      {step.transaction?.emulated && <span class="badge">preview</span>}
      {state !== '' && <span class="badge bad">{state}</span>}
      <span class="how-much">{step.message?.value ? <Amount of={step.message.value} /> : null}</span>
    </div>
  )
}

/** Of a thousand rows a step to another one draws two. */
const Row = (props: RowProps) => useMemo(() => <DrawnRow {...props} />, Object.values(props))

interface PartProps extends Pick<RowProps, 'onSelect'> {
  readonly rows: ReturnType<typeof listed<Step>>
  /** Null when it is in another part. */
  readonly selected: string | null
  /** The row that the keyboard enters the list by, when none is selected; else null. */
  readonly first: string | null
  /** Out of sight at first, and of the height that the style says. */
  readonly isFar: boolean
}

const Part = ({ rows, selected, first, isFar, onSelect }: PartProps) =>
  useMemo(
    () => (
      <div role="none" class={isFar ? 'tree-far' : ''}>
        {rows.map(({ value, depth }) => {
          const { at, hash } = value
          const marks = { isSelected: hash === selected, isFirst: hash === first }
          return <Row key={at} step={value} depth={depth} {...marks} onSelect={onSelect} />
        })}
      </div>
    ),
    [rows, selected, first, isFar, onSelect],
  )

/** Within the frame of the list, when another row is selected or the selected one is drawn. */
function useSelectedInView(tree: RefObject<HTMLDivElement>, cause: string): void {
  useLayoutEffect(() => {
    const frame = tree.current
    const row = frame?.querySelector('[aria-selected="true"]')
    if (!frame || !row) return
    const seen = frame.getBoundingClientRect()
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom <= seen.top || top >= seen.bottom) frame.scrollTop += top - seen.top - frame.clientHeight / 3
  }, [cause])
}

export function List({ root, selected, onSelect }: GraphProps) {
  const [most, setMost] = useStepState('tree', FIRST)
  const [drawn, setDrawn] = useState(FIRST)
  const tree = useRef<HTMLDivElement>(null)
  const all = useMemo(() => listed(root), [root])
  const chosen = all.findIndex(({ value }) => value.hash === selected)
  const wanted = Math.max(most, Math.ceil((chosen + 1) / PART) * PART)
  const parts = useMemo(
    () => Array.from({ length: Math.ceil(all.length / PART) }, (_, at) => all.slice(at * PART, (at + 1) * PART)),
    [all],
  )
  // What comes at once is drawn over several frames.
  const count = Math.min(wanted, drawn)
  const rows = all.slice(0, count)
  const hasMore = drawn < Math.min(wanted, all.length)
  useEffect(() => {
    if (!hasMore) return
    const timer = setTimeout(() => setDrawn(drawn + PART))
    return () => clearTimeout(timer)
  }, [drawn, hasMore])
  const selectedPart = Math.floor(chosen / PART)
  useSelectedInView(tree, `${selected} ${chosen < count}`)
  const look = all.length > SCREEN ? 'tree long' : 'tree'
  const showMore = (): void => {
    setMost(wanted + FIRST)
    setDrawn(count + PART)
  }
  const move = (to: number): void => {
    const items = tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')
    items?.[Math.min(items.length - 1, Math.max(0, to))]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // With it a browser goes back and forward.
    if (event.altKey || event.metaKey) return
    const items = [...(tree.current?.querySelectorAll('[role="treeitem"]') ?? [])]
    const { activeElement } = document
    const at = activeElement === null ? -1 : items.indexOf(activeElement)
    if (at < 0) return
    const here = rows[at]
    const steps: Readonly<Record<string, number | undefined>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
      ArrowLeft: here?.parent,
      ArrowRight: rows.findIndex(({ parent }) => parent === at),
    }
    const to = steps[event.key]
    if (to === undefined || to < 0) return
    event.preventDefault()
    move(to)
  }
  return (
    <>
      <div class={look} role="tree" aria-label="Transactions of the trace" ref={tree} onKeyDown={onKeyDown}>
        {parts.slice(0, count / PART).map((part, at) => (
          <Part
            key={at}
            rows={part}
            selected={at === selectedPart ? selected : null}
            first={at === 0 && (chosen < 0 || chosen >= rows.length) ? (part[0]?.value.hash ?? null) : null}
            isFar={at > 0 && part.length === PART && at !== selectedPart}
            onSelect={onSelect}
          />
        ))}
      </div>
      {wanted < all.length && (
        <button type="button" class="second" onClick={showMore}>
          Show {Math.min(FIRST, all.length - wanted)} more of {all.length}
        </button>
      )}
    </>
  )
}
