// Where the TON of a trace went, by account.

import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Table } from '../parts/Table.tsx'
import { useFirst } from '../parts/useFirst.tsx'
import { type Trace, valueFlow } from './model.ts'

const FIRST_ACCOUNTS = 100

export function FlowTable({ trace }: { readonly trace: Trace }) {
  const { flows, fees, entered, inFlight, rest } = valueFlow(trace)
  const { shown, more } = useFirst(flows, FIRST_ACCOUNTS)
  return (
    <>
      <Table label="Value flow" columns={['Account', { number: 'TON' }, { number: 'Fees' }]}>
        {shown.map(({ account, ton, fees: own }) => (
          <tr key={account}>
            <td>
              <Address of={account} />
            </td>
            <td class="number">{ton === null ? <span class="quiet">unknown</span> : <Amount of={ton} signed />}</td>
            <td class="number">
              <Amount of={own} />
            </td>
          </tr>
        ))}
      </Table>
      {more}
      <p class="total">
        Fees of all: <Amount of={fees} />
        {entered > 0n && (
          <>
            {' '}
            · paid out by the chain: <Amount of={entered} />
          </>
        )}
        {inFlight > 0n && (
          <>
            {' '}
            · not delivered yet: <Amount of={inFlight} />
          </>
        )}
        {rest === 0n && ' · what accounts gained and lost, and the fees, add up to zero'}
        {rest !== null && rest !== 0n && (
          <>
            {' '}
            · changed by other traces in between: <Amount of={rest} signed />
          </>
        )}
      </p>
    </>
  )
}
