// Where the TON of a trace went, by account.

import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Scroll } from '../parts/Scroll.tsx'
import { type Trace, valueFlow } from './model.ts'

export function FlowTable({ trace }: { readonly trace: Trace }) {
  const { flows, fees, entered, inFlight, rest } = valueFlow(trace)
  return (
    <>
      <Scroll label="Value flow">
        <table>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="number">
                TON
              </th>
              <th scope="col" class="number">
                Fees
              </th>
            </tr>
          </thead>
          <tbody>
            {flows.map(({ account, ton, fees: own }) => (
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
          </tbody>
        </table>
      </Scroll>
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
