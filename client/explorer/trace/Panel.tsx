// The selected transaction: what it is, its message, its phases, what it changed, and all of it as JSON.

import type { Transaction } from '../../index.ts'
import { lazy } from '../lazyPage.tsx'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useFirst } from '../parts/useFirst.tsx'
import { TimeAndAge } from '../parts/When.tsx'
import { href } from '../router.ts'
import { PhaseList } from './PhaseList.tsx'
import { changeOf, codeHashOf, feesOf } from './transactionCost.ts'

const MessageView = lazy(async () => (await import('./MessageView.tsx')).MessageView)
const Raw = lazy(async () => (await import('./Raw.tsx')).Raw)
const StateChange = lazy(async () => (await import('./StateChange.tsx')).StateChange)
const Replay = lazy(async () => (await import('./TransactionReplay.tsx')).TransactionReplay)

function Overview({ transaction }: { readonly transaction: Transaction }) {
  const { block_ref: block } = transaction
  return (
    <>
      <Facts
        rows={[
          ['Account', <Address key="account" of={transaction.account} copy />],
          ['Hash', !transaction.emulated && <Hash of={transaction.hash} what="hash of the selected transaction" />],
          [
            'Time',
            <span key="time">
              <TimeAndAge at={transaction.now} />
            </span>,
          ],
          ['Logical time', transaction.lt],
          [
            'Block',
            transaction.emulated ? (
              'none: this is a preview, and its hash comes with a block'
            ) : (
              <a key="block" href={href(`/block/${block.workchain}:${block.shard}:${block.seqno}`)}>
                {block.workchain}:{block.shard}:{block.seqno}
              </a>
            ),
          ],
          ['Balance change', <Amount key="balance" of={changeOf([transaction])} signed />],
          ['Fees', <Amount key="fees" of={feesOf(transaction)} />],
          ['Kind', transaction.description.type === 'ord' ? null : transaction.description.type.replace('_', '-')],
          [
            'Previous',
            /[1-9]/.test(transaction.prev_trans_lt) && (
              <Hash of={transaction.prev_trans_hash} to="/tx/" what="hash of the previous transaction" />
            ),
          ],
        ]}
      />
      <h3>Phases</h3>
      <PhaseList transaction={transaction} />
    </>
  )
}

/** A contract may send 255 in one transaction. */
const FIRST_MESSAGES = 20

function Messages({ transaction }: { readonly transaction: Transaction }) {
  const { account, in_msg: received, out_msgs: sent } = transaction
  const owner = { account, code: codeHashOf(transaction) }
  const { shown, more } = useFirst(sent, FIRST_MESSAGES, transaction.hash)
  return (
    <>
      {received && (
        <section aria-label="Received message">
          <h3>Received</h3>
          <MessageView message={received} name="received message" isSent={false} {...owner} />
        </section>
      )}
      {shown.map((message, at) => (
        <section key={message.hash} aria-label={`Sent message ${at + 1}`}>
          <h3>
            Sent {at + 1} of {sent.length}
          </h3>
          <MessageView message={message} name={`sent message ${at + 1}`} isSent {...owner} />
        </section>
      ))}
      {more}
      {!received && sent.length === 0 && (
        <p class="quiet">The chain ran this transaction by itself, without a message.</p>
      )}
    </>
  )
}

export function Panel({ transaction }: { readonly transaction: Transaction }) {
  return (
    <section class="card panel" aria-label="Selected transaction">
      <h2>
        Transaction of <Address of={transaction.account} />
      </h2>
      <Tabs
        label="Selected transaction"
        param="view"
        tabs={[
          { id: 'overview', title: 'Overview', content: () => <Overview transaction={transaction} /> },
          {
            id: 'messages',
            title: `Messages (${transaction.out_msgs.length + (transaction.in_msg ? 1 : 0)})`,
            content: () => <Messages transaction={transaction} />,
          },
          { id: 'state', title: 'State', content: () => <StateChange transaction={transaction} /> },
          // The service repeats what a message caused in a block.
          ...(transaction.in_msg === null || transaction.emulated
            ? []
            : [{ id: 'again', title: 'Run again', content: () => <Replay transaction={transaction} /> }]),
          { id: 'raw', title: 'Raw', content: () => <Raw transaction={transaction} /> },
        ]}
      />
    </section>
  )
}
