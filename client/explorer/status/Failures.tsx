// What failed since the start, by method and kind, with the request to look for in the log.

import { useState } from 'preact/hooks'
import { tick } from '../live.ts'
import { wordsFor } from '../pageClient.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty } from '../parts/Empty.tsx'
import { groupDigits } from '../parts/groupDigits.ts'
import { Table } from '../parts/Table.tsx'
import { exactTime } from '../parts/When.tsx'
import { isOperatorRow, type OperatorRow, operatorRows } from './operators.ts'
import { badgeOf } from './readMetrics.ts'
import { useReadings } from './useReadings.ts'

const MOST_ROWS = 100

function FailureRow({ method, kind, count, newest }: OperatorRow) {
  const { time, request_id: id, ms } = isOperatorRow(newest) ? newest : {}
  return (
    <tr>
      <td>
        <span class={badgeOf(String(kind))}>{String(kind)}</span>
      </td>
      <th scope="row">
        <code>{String(method)}</code>
      </th>
      <td class="number">{groupDigits(String(count))}</td>
      <td class="nowrap">{exactTime(Date.parse(String(time)) / 1000)}</td>
      <td>
        <code>{String(id)}</code> <Copy text={String(id)} what={`id of request ${String(id)}`} />
      </td>
      <td class="number">{String(ms)} ms</td>
    </tr>
  )
}

export function Failures({ token }: { readonly token: string }) {
  const [rows, setRows] = useState<readonly OperatorRow[] | null>(null)
  const [refusal, setRefusal] = useState('')
  useReadings(`${tick.value} ${token}`, () =>
    operatorRows('failures', 'failures', token).then(
      (found) => {
        setRows(found)
        setRefusal('')
      },
      (error: unknown) => setRefusal(wordsFor(error)),
    ),
  )
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Recent errors by kind</h2>
      {refusal === '' && rows === null && <div class="soon" />}
      {refusal !== '' && <p class="quiet">{refusal}</p>}
      {refusal === '' && rows?.length === 0 && <Empty title="No call has failed since the start." />}
      {refusal === '' && rows !== null && rows.length > 0 && (
        <Table
          label="Table of errors"
          columns={['Kind', 'Method', { number: 'Count' }, 'Newest', 'Its request', { number: 'Took' }]}
        >
          {rows.slice(0, MOST_ROWS).map((row) => (
            <FailureRow key={`${row.kind} ${row.method}`} {...row} />
          ))}
        </Table>
      )}
    </section>
  )
}
