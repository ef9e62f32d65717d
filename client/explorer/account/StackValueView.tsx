// A value a get-method returned, with what it probably means.

import { useMemo, useState } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { foreignText } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Copy } from '../parts/Copy.tsx'
import { groupDigits } from '../parts/groupDigits.ts'
import { useFirst } from '../parts/useFirst.tsx'
import { exactTime } from '../parts/When.tsx'
import { addressOfSlice, type StackEntry, textIn, wordsIn } from './stackValues.ts'

const LONGEST = 200
/** Tuples in tuples that are open at first; values that are shown of the stack, and of a tuple. */
const OPEN_DEPTH = 2
const FIRST_VALUES = 20
const FIRST_ITEMS = 10
/** Numbers in these bounds may be times: 2015 to 2100. */
const TIMES = [1_420_070_400n, 4_102_444_800n] as const
/** Of a longer number, such as a key, no one reads the groups; lines would break within them. */
const LONGEST_GROUPED = 24
const SMALLEST_TON = 1_000_000n

function Numeric({ value, name }: { readonly value: string; readonly name: string }) {
  const number = value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value)
  const words = wordsIn(number)
  const isTime = number > TIMES[0] && number < TIMES[1]
  return (
    <span class="with-copy">
      <code>{value.length > LONGEST_GROUPED ? String(number) : groupDigits(String(number))}</code>
      <span class="quiet">
        {value}
        {isTime && ` · ${exactTime(Number(number))}`}
        {!isTime && number >= SMALLEST_TON && number < 10n ** 19n && (
          <>
            {' '}
            · <Amount of={number} />
          </>
        )}
        {words !== null && (
          <>
            {' '}
            · <q>{words}</q>
          </>
        )}
        {number === -1n && ' · true'}
        {number === 0n && ' · false'}
      </span>
      <Copy text={String(number)} what={`number ${name}`} />
    </span>
  )
}

function CellValue({ boc, name }: { readonly boc: string; readonly name: string }) {
  // A bag may have a megabyte: it is not read again for each key that is pressed in the form beside it.
  const address = useMemo(() => addressOfSlice(boc), [boc])
  const text = useMemo(() => (address === null ? textIn(boc) : null), [boc, address])
  return (
    <span class="with-copy">
      {address !== null && <Address of={address} />}
      {text !== null && <q>{foreignText(text, LONGEST)}</q>}
      <code class="quiet">{boc.length > LONGEST ? `${boc.slice(0, LONGEST)}…` : boc}</code>
      <Copy text={boc} what={`cell ${name} as base64`} />
    </span>
  )
}

interface StackValueProps {
  readonly entry: StackEntry
  /** Its position and its method, for screen readers: `1.2 of get_data`. */
  readonly name: string
  /** How many tuples it is in. */
  readonly depth?: number
}

export function StackValueView({ entry, name, depth = 0 }: StackValueProps) {
  if (entry.type === 'num') return <Numeric value={entry.value} name={name} />
  if (typeof entry.value === 'string') return <CellValue boc={entry.value} name={name} />
  // A list without elements is null.
  if (entry.type === 'list' && entry.value.length === 0) return <span class="quiet">null</span>
  if (depth >= OPEN_DEPTH && entry.value.length > 0) return <FoldedItems entries={entry.value} name={name} />
  return <StackItems entries={entry.value} name={name} depth={depth + 1} />
}

interface StackItemsProps {
  readonly entries: readonly StackEntry[]
  /** Name of the method, or of the tuple by its position. */
  readonly name: string
  readonly depth?: number
}

/** A tuple deep in others, drawn when it is opened: they may have thousands of values, a hundred levels deep. */
function FoldedItems({ entries, name }: StackItemsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{counted(entries.length, 'value')}</summary>
      {isOpen && <StackItems entries={entries} name={name} depth={1} />}
    </details>
  )
}

/** `2 of get_data`, and in the tuple there `2.1 of get_data`. */
const itemName = (at: number, name: string): string =>
  /^[\d.]+ of /.test(name) ? name.replace(' ', `.${at + 1} `) : `${at + 1} of ${name}`

export function StackItems({ entries, name, depth = 0 }: StackItemsProps) {
  const { shown, more } = useFirst(entries, depth === 0 ? FIRST_VALUES : FIRST_ITEMS, name)
  return (
    <>
      <ol class="stack-items">
        {shown.map((one, at) => (
          <li key={at}>
            <StackValueView entry={one} name={itemName(at, name)} depth={depth} />
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}
