// The network configuration: parameters by number with their names, as fields where they are plain, and as cells.

import { useMemo } from 'preact/hooks'
import { fromBase64 } from '../../../shared/base64.ts'
import { HEAD } from '../../../shared/explorer/explorerQueries.ts'
import { CONFIGURATION } from '../../../shared/explorer/toolQueries.ts'
import { CellTreeView } from '../cell/CellTreeView.tsx'
import { dictionary } from '../cell/cellReader.ts'
import type { BagCell } from '../cell/readBag.ts'
import { readBag } from '../cell/readBag.ts'
import { head } from '../live.ts'
import { known } from '../pageClient.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Trouble, Waiting } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { useFolded } from '../parts/useFolded.ts'
import { useReplies } from '../useReplies.ts'
import { type ParamField, paramFields, paramName } from './paramFields.ts'

const KEY_BITS = 32

interface Param {
  readonly number: number
  readonly cell: BagCell
}

function paramsOf(boc: string): readonly Param[] {
  const [root] = readBag(fromBase64(boc) ?? new Uint8Array()).roots
  if (root === undefined) return []
  return dictionary(root, KEY_BITS)
    .map(({ key, value }) => ({ number: Number(BigInt.asIntN(KEY_BITS, key)), cell: value.ref() }))
    .sort((a, b) => a.number - b.number)
}

const shown = ([name, value]: ParamField) => {
  if (typeof value === 'string') return [name, value] as const
  return [
    name,
    'account' in value ? <Address key={name} of={value.account} copy /> : <Amount key={name} of={value.nanotons} />,
  ] as const
}

function ParamRow({ number, cell }: Param) {
  const [, fold] = useFolded(`parameter ${number}`)
  const fields = paramFields(number, cell)
  return (
    <details class="param" id={`param-${number}`} {...fold}>
      <summary>
        <span class="param-number">{number}</span> <span class="param-name">{paramName(number)}</span>
      </summary>
      {fields !== null && <Facts rows={fields.map(shown)} />}
      <CellTreeView root={cell} of={` of parameter ${number}`} />
    </details>
  )
}

export function ConfigPage() {
  const newest = head.value ?? known(HEAD)?.last
  // No other block changes it.
  const keyBlock = newest?.key_block ? newest.seqno : newest?.prev_key_block_seqno
  const { data, error, reload } = useReplies([CONFIGURATION], { stamp: `${keyBlock}` })
  const boc = data?.[0].config.bytes
  // Not again with each block.
  const rows = useMemo(() => boc && paramsOf(boc).map((param) => <ParamRow key={param.number} {...param} />), [boc])
  return (
    <>
      <h1>Configuration</h1>
      <p class="quiet">The parameters every validator follows, as of the newest masterchain block.</p>
      {error !== null && <Trouble error={error} reload={reload} />}
      {rows ?? (error === null && <Waiting />)}
    </>
  )
}
