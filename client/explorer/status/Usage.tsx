// Calls of the last day by key and method, for those who administer keys.

import { useRef, useState } from 'preact/hooks'
import { foreignText } from '../accountNames.ts'
import { wordsFor } from '../pageClient.ts'
import { Empty, Trouble } from '../parts/Empty.tsx'
import { groupDigits } from '../parts/groupDigits.ts'
import { Table } from '../parts/Table.tsx'
import { serviceNow } from '../serviceClock.ts'
import { Failures } from './Failures.tsx'
import { type OperatorRow, operatorRows } from './operators.ts'

const usageOf = (token: string): Promise<readonly OperatorRow[]> => {
  const from = new Date((serviceNow() - 86_400) * 1000).toISOString().slice(0, 10)
  return operatorRows(`usage?from=${from}`, 'usage', token)
}

const shown = (value: unknown): string =>
  typeof value === 'number'
    ? groupDigits(String(value))
    : value === null || value === undefined
      ? 'none'
      : foreignText(String(value))

function UsageTable({ rows }: { readonly rows: readonly OperatorRow[] }) {
  const columns = Object.keys(rows[0] ?? {})
  if (rows.length === 0) return <Empty title="No call with a key was counted since yesterday." />
  return (
    <Table label="Usage" columns={columns.map((name) => name.replaceAll('_', ' '))}>
      {rows.slice(0, 200).map((row, at) => (
        <tr key={at}>
          {columns.map((name) => (
            <td key={name}>{shown(row[name])}</td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

export function Usage() {
  const [token, setToken] = useState('')
  const [given, setGiven] = useState('')
  const [rows, setRows] = useState<readonly OperatorRow[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const newest = useRef(0)
  const load = () => {
    setGiven(token)
    newest.current++
    const mine = newest.current
    const settle = (found: readonly OperatorRow[] | null, failure: string | null) => {
      if (mine !== newest.current) return
      setRows(found)
      setError(failure)
    }
    usageOf(token).then(
      (found) => settle(found, null),
      (failure: unknown) => settle(null, wordsFor(failure)),
    )
  }
  return (
    <>
      <Failures token={given} />
      <section aria-labelledby="usage">
        <h2 id="usage">Calls by key and method since yesterday</h2>
        <form
          class="buttons"
          onSubmit={(event) => {
            event.preventDefault()
            load()
          }}
        >
          <label class="for-readers" for="admin-token">
            Admin token
          </label>
          <input
            id="admin-token"
            type="password"
            autocomplete="off"
            placeholder="Of --admin-token-file; not kept"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
          <button type="submit" class="second">
            Show
          </button>
        </form>
        {error !== null && <Trouble error={error} />}
        {rows !== null && <UsageTable rows={rows} />}
      </section>
    </>
  )
}
