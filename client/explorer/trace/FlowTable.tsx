// Where the TON and the tokens of a trace went, by account.

import { useMemo } from 'preact/hooks'
import { movesOf } from '../../../shared/explorer/traceQueries.ts'
import type { Api, Trace } from '../../index.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { WhyNone } from '../parts/Empty.tsx'
import { Table } from '../parts/Table.tsx'
import { useFirst } from '../parts/useFirst.tsx'
import { useReplies } from '../useReplies.ts'
import { type Flow, valueFlow } from './model.ts'

const FIRST_ACCOUNTS = 100

type Changes = NonNullable<Trace['balance_changes']>
type Moves = Pick<Changes[string], 'jettons' | 'nfts'>

/** Tokens by their owner. */
function movesIn({ jettons, nfts }: Api['v3.balanceChanges']['result']): Readonly<Record<string, Moves>> {
  const owners = new Set([...Object.keys(jettons), ...Object.keys(nfts)])
  return Object.fromEntries(
    [...owners].map((owner) => [owner, { jettons: jettons[owner] ?? {}, nfts: nfts[owner] ?? [] }]),
  )
}

/** Owners of tokens that moved need no transaction of their own. */
function withOwners(flows: readonly Flow[], moves: Readonly<Record<string, Moves>>): readonly Flow[] {
  const have = new Set(flows.map(({ account }) => account))
  const others = Object.keys(moves).filter((account) => !have.has(account))
  return [...flows, ...others.map((account) => ({ account, ton: 0n, fees: 0n }))]
}

const Tokens = ({ jettons, nfts }: Moves) => (
  <ul>
    {Object.entries(jettons).map(([master, amount]) => (
      <li key={master}>
        <Amount of={amount} jetton={master} signed />
      </li>
    ))}
    {nfts.map(({ address, gained }) => (
      <li key={address}>
        {gained ? '+' : '−'} NFT <Address of={address} />
      </li>
    ))}
  </ul>
)

export function FlowTable({ trace }: { readonly trace: Trace }) {
  const { flows, fees, entered, inFlight, rest } = useMemo(() => valueFlow(trace), [trace])
  const found = useReplies(trace.trace_id === null ? [] : [movesOf(trace.trace_id)], { stamp: trace.end_lt ?? '' })
  const moved = found.data?.[0]
  const moves: Readonly<Record<string, Moves>> = moved ? movesIn(moved) : (trace.balance_changes ?? {})
  const { shown, more } = useFirst(withOwners(flows, moves), FIRST_ACCOUNTS, 'flow')
  return (
    <>
      <Table label="Value flow" columns={['Account', { number: 'TON' }, { number: 'Fees' }, { number: 'Tokens' }]}>
        {shown.map(({ account, ton, fees: own }) => (
          <tr key={account}>
            <td>
              <Address of={account} />
            </td>
            <td class="number">
              <Amount of={ton} signed />
            </td>
            <td class="number">
              <Amount of={own} />
            </td>
            <td class="number">{moves[account] && <Tokens {...moves[account]} />}</td>
          </tr>
        ))}
      </Table>
      {more}
      <WhyNone of={found} what="Tokens" />
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
        {rest === 0n ? (
          ' · gains, losses and fees add up to zero'
        ) : (
          <>
            {' '}
            · without a message or a fee: <Amount of={rest} signed />
          </>
        )}
      </p>
    </>
  )
}
