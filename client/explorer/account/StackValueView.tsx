// A value a get-method returned, with what it probably means.

import { foreignText } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount, groupDigits } from '../parts/Amount.tsx'
import { Copy } from '../parts/Copy.tsx'
import { exactTime } from '../parts/When.tsx'
import { addressIn, type StackEntry, textIn, wordsIn } from './stackValues.ts'

const LONGEST = 200
/** Numbers in these bounds may be times: 2015 to 2100. */
const TIMES = [1_420_070_400n, 4_102_444_800n] as const
/** Of a longer number, such as a key, no one reads the groups; lines would break within them. */
const LONGEST_GROUPED = 24
const SMALLEST_TON = 1_000_000n

function Numeric({ value }: { readonly value: string }) {
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
      <Copy text={String(number)} what="number" />
    </span>
  )
}

function CellValue({ boc }: { readonly boc: string }) {
  const address = addressIn(boc)
  const text = address === null ? textIn(boc) : null
  return (
    <span class="with-copy">
      {address !== null && <Address of={address} />}
      {text !== null && <q>{foreignText(text, LONGEST)}</q>}
      <code class="quiet">{boc.length > LONGEST ? `${boc.slice(0, LONGEST)}…` : boc}</code>
      <Copy text={boc} what="cell as base64" />
    </span>
  )
}

export function StackValueView({ entry }: { readonly entry: StackEntry }) {
  if (entry.type === 'num') return <Numeric value={entry.value} />
  if (entry.type === 'null') return <span class="quiet">null</span>
  if (typeof entry.value === 'string') return <CellValue boc={entry.value} />
  return <StackItems entries={entry.value} />
}

export const StackItems = ({ entries }: { readonly entries: readonly StackEntry[] }) => (
  <ol class="stack-items">
    {entries.map((one, at) => (
      <li key={at}>
        <StackValueView entry={one} />
      </li>
    ))}
  </ol>
)
