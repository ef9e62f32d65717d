// The test accounts of the embedded chain: what they hold, and the keys to use them.

import { stateOfWallets } from '../../../shared/explorer/toolQueries.ts'
import { blueprintLine } from '../home/connectionLines.ts'
import { chainState, type DevState } from '../live.ts'
import { boot, publicServiceUrl } from '../pageBoot.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Copy } from '../parts/Copy.tsx'
import { Empty, NotYet, Waiting } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Table } from '../parts/Table.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { SecretKey } from './SecretKey.tsx'

type TestAccount = DevState['accounts'][number]

interface Now {
  readonly balance: string | null
  readonly seqno: number | null
}

function Keys({ account }: { readonly account: TestAccount }) {
  const line = blueprintLine(account, publicServiceUrl)
  return (
    <details>
      <summary>Keys of {account.name}</summary>
      <Facts
        rows={[
          [
            'Mnemonic',
            <span key="m" class="secret">
              <code>{account.mnemonic}</code> <Copy text={account.mnemonic} what={`mnemonic of ${account.name}`} />
            </span>,
          ],
          [
            'Public key',
            <span key="p" class="secret">
              <code>{account.publicKey}</code> <Copy text={account.publicKey} what={`public key of ${account.name}`} />
            </span>,
          ],
          ['Secret key', <SecretKey key="s" account={account} />],
          ['Wallet id', account.walletId],
          ['Bounceable form', <code key="b">{account.bounceable}</code>],
          [
            'Blueprint',
            line && (
              <Copy
                key="c"
                text={line}
                what={`Blueprint command for ${account.name}`}
                label={
                  <>
                    Copy the command<span class="for-readers"> for {account.name}</span>
                  </>
                }
              />
            ),
          ],
        ]}
      />
    </details>
  )
}

const Row = ({ account, now }: { readonly account: TestAccount; readonly now: Now | undefined }) => (
  <tr>
    <th scope="row">{account.name}</th>
    <td>
      <span class="badge">{account.kind}</span>
    </td>
    <td>
      <Address of={account.address.toUpperCase()} full copy />
    </td>
    <td class="number">{now?.balance ? <Amount of={now.balance} /> : <span class="quiet">…</span>}</td>
    <td class="number">{now?.seqno ?? '–'}</td>
    <td>
      <a href={href(`/lab?to=${account.friendly}`)}>In the lab</a>
    </td>
    <td class="wide-cell">
      <Keys account={account} />
    </td>
  </tr>
)

export function Wallets() {
  const state = chainState.value
  const addresses = state?.accounts.map(({ address }) => address) ?? []
  const found = useReplies(addresses.length === 0 ? [] : stateOfWallets(addresses), { live: true })
  if (state === null)
    return (
      <>
        <h1>Wallets</h1>
        {boot.control ? (
          <Waiting />
        ) : (
          <Empty title="The test accounts are shown on the machine of the service.">
            <p>
              Open this page there under a loopback name, such as http://localhost, or call dev.state with the control
              token.
            </p>
          </Empty>
        )}
      </>
    )
  const [states, wallets] = found.data ?? []
  const now = (address: string): Now | undefined => {
    const known = states?.accounts.find((one) => one.address === address.toUpperCase())
    const wallet = wallets?.wallets.find((one) => one.address === address.toUpperCase())
    return known && { balance: known.balance, seqno: wallet?.seqno ?? null }
  }
  return (
    <>
      <h1>Wallets</h1>
      <p class="danger">These keys are published. Never use them on another network.</p>
      <NotYet of={found} />
      <Table
        label="Wallets"
        columns={['Name', 'Kind', 'Address', { number: 'Balance' }, { number: 'Seqno' }, 'Send to it', 'Keys']}
        class="wallets"
      >
        {state.accounts.map((account) => (
          <Row key={account.name} account={account} now={now(account.address)} />
        ))}
      </Table>
    </>
  )
}
