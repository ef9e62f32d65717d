// A multisig wallet: who decides, and what was put before them. An order by itself is a list of one.

import { multisigAt, orderAt, ordersOf } from '../../../shared/explorer/accountPartQueries.ts'
import type { Api } from '../../index.ts'
import { foreignText } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { AddressList } from '../parts/AddressList.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Table } from '../parts/Table.tsx'
import { chainNow, exactTime } from '../parts/When.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { OneRow } from './OneRow.tsx'
import type { PartProps } from './partProps.ts'

type Order = Api['v3.multisig.orders']['result']['orders'][number]
type OrderAction = NonNullable<Order['actions']>[number]

const LONGEST_COMMENT = 120

/** Signers by the bits of a mask. */
const approvedBy = ({ signers, approvals_mask: mask }: Order): readonly string[] =>
  signers.filter((_, at) => (BigInt(mask ?? 0) >> BigInt(at)) % 2n === 1n)

function State({ order }: { readonly order: Order }) {
  const { sent_for_execution: isSent, expiration_date: until, approvals_num: count, threshold } = order
  if (isSent === null) return <span class="quiet">unreadable</span>
  if (isSent) return <span class="badge good">executed</span>
  if (until !== null && until < chainNow()) return <span class="badge bad">expired</span>
  return (
    <span class="badge warn">
      {count ?? 0} of {threshold ?? '?'} approvals
    </span>
  )
}

function ActionText({ action }: { readonly action: OrderAction }) {
  const { destination, value, parsed_body: body, parsed_body_type: type } = action
  if (destination === null) return <>{type === '' ? 'An action of another kind' : type.replaceAll('_', ' ')}</>
  const comment = typeof body?.comment === 'string' ? body.comment : ''
  return (
    <>
      {value !== null && <Amount of={value} />} to <Address of={destination} />
      {comment !== '' && (
        <>
          {' '}
          <q>{foreignText(comment, LONGEST_COMMENT)}</q>
        </>
      )}
      {comment === '' && type !== '' && type !== 'ton_transfer' && `: ${type.replaceAll('_', ' ')}`}
    </>
  )
}

const OrderTable = ({ orders }: { readonly orders: readonly Order[] }) => (
  <Table label="Orders" columns={['Order', 'State', 'Sends', 'Approved by', 'Valid until']}>
    {orders.map((order) => (
      <tr key={order.address}>
        <td>
          {order.order_seqno !== null && `#${order.order_seqno} `}
          <Address of={order.address} full />
        </td>
        <td>
          <State order={order} />
        </td>
        <td class="wide">
          <ul>
            {order.actions?.map((action, at) => (
              <li key={at}>
                <ActionText action={action} />
              </li>
            )) ?? <li class="quiet">unreadable</li>}
          </ul>
        </td>
        <td>
          <AddressList of={approvedBy(order)} what={`who approved #${order.order_seqno ?? '?'}`} />
        </td>
        <td class="nowrap">{order.expiration_date !== null && exactTime(order.expiration_date)}</td>
      </tr>
    ))}
  </Table>
)

const consolePath = (raw: string): string =>
  `/console/v3.multisig.orders?multisig_address=${encodeURIComponent(raw)}&parse_actions=true`

export function MultisigPart({ raw, stamp }: PartProps) {
  const found = useReplies([multisigAt(raw), ordersOf(raw)], { stamp })
  if (found.data === null) return <NotYet of={found} />
  const [
    {
      multisigs: [wallet],
    },
    { orders, cursor },
  ] = found.data
  return (
    <>
      {wallet && (
        <Facts
          rows={[
            ['Approvals needed', `${wallet.threshold ?? '?'} of ${wallet.signers.length}`],
            ['Signers', <AddressList key="signers" of={wallet.signers} what="signers" />],
            ['May only propose', wallet.proposers.length > 0 && <AddressList of={wallet.proposers} what="proposers" />],
          ]}
        />
      )}
      <h2>Orders</h2>
      {orders.length === 0 ? <Empty title="No orders yet." /> : <OrderTable orders={orders} />}
      {cursor !== null && (
        <p class="quiet">
          The last active {orders.length} are shown; <a href={href(consolePath(raw))}>the console</a> lists all.
        </p>
      )}
    </>
  )
}

export const MultisigOrderPart = ({ raw, stamp }: PartProps) => (
  <OneRow
    query={orderAt(raw)}
    stamp={stamp}
    rows={({ orders }) => orders}
    none="The index has no order at this address."
    show={(order) => (
      <>
        <p>
          An order of the multisig wallet <Address of={order.multisig_address} />
        </p>
        <OrderTable orders={[order]} />
      </>
    )}
  />
)
