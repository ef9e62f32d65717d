// An account: who it is, what it has, and what it did.

import type { FunctionComponent } from 'preact'
import { useState } from 'preact/hooks'
import { parseAddress } from '../../../shared/address.ts'
import { accountState } from '../../../shared/explorer/explorerQueries.ts'
import { hexOf, rawOf } from '../../../shared/explorer/views.ts'
import type { AccountStateFull } from '../../index.ts'
import { foreignText, friendlyForm, pageNameOf, tokenOf } from '../accountNames.ts'
import { lazy, type PageProps } from '../lazyPage.tsx'
import { tick } from '../live.ts'
import { boot } from '../pageBoot.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Copy } from '../parts/Copy.tsx'
import { currencyWords } from '../parts/currencyWords.ts'
import { Empty, Trouble, Waiting, WhyNone } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Folded } from '../parts/Folded.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { TimeAndAge } from '../parts/When.tsx'
import { href, place } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { HeadButtons } from './HeadButtons.tsx'
import { useLastTime } from './lastTime.ts'
import type { PartProps } from './partProps.ts'
import { StorageSize } from './StorageSize.tsx'
import { hasPicture, TokenPicture } from './TokenPicture.tsx'
import { type TokenFacts, useTokenFacts } from './tokenFacts.tsx'
import { AttributeTable, descriptionOf } from './tokenWords.tsx'
import { useDroppedAbi } from './useDroppedAbi.ts'

const AccountHistory = lazy(async () => (await import('./AccountHistory.tsx')).AccountHistory)
const AddressForms = lazy(async () => (await import('./AddressForms.tsx')).AddressForms)
const BalanceChart = lazy(async () => (await import('../charts/BalanceChart.tsx')).BalanceChart)
const Contract = lazy(async () => (await import('./Contract.tsx')).Contract)
const Nfts = lazy(async () => (await import('./Nfts.tsx')).Nfts)
const NoAccount = lazy(async () => (await import('./NoAccount.tsx')).NoAccount)
const AllMetadata = lazy(async () => (await import('./AllMetadata.tsx')).AllMetadata)
const Methods = lazy(async () => (await import('./Methods.tsx')).Methods)
const Tokens = lazy(async () => (await import('./Tokens.tsx')).Tokens)
const Transactions = lazy(async () => (await import('./Transactions.tsx')).Transactions)

interface KindPartProps extends PartProps {
  /** Of a jetton. */
  readonly supply: string | null
}

/** Parts of accounts of some kinds. */
const OF_KINDS: readonly (readonly [
  kinds: RegExp,
  id: string,
  title: string,
  Part: FunctionComponent<KindPartProps>,
])[] = [
  [/^jetton_master$/, 'holders', 'Holders', lazy(async () => (await import('./Holders.tsx')).Holders)],
  [/^nft_collection$/, 'items', 'Items', lazy(async () => (await import('./Nfts.tsx')).ItemsOfCollection)],
  [
    /^(?:nft_(?:sale|auction)|teleitem)/,
    'sale',
    'Sale',
    lazy(async () => (await import('./SalePart.tsx')).NftSalePart),
  ],
  [/^multisig_v2$/, 'orders', 'Orders', lazy(async () => (await import('./Multisig.tsx')).MultisigPart)],
  [/^multisig_order_v2$/, 'order', 'Order', lazy(async () => (await import('./Multisig.tsx')).MultisigOrderPart)],
  [/^wallet_vesting$/, 'vesting', 'Vesting', lazy(async () => (await import('./VestingPart.tsx')).VestingPart)],
]

/** Kinds that a contract could be of, by name. */
const MOST_KINDS = 3

/** Their methods are among those of wallets that do more. */
const PLAIN_WALLET = /^wallet_(?:v\d|highload_v2)/

/** Interfaces found by code hash come alone; a set of get-methods fits several kinds. */
function Kind({ interfaces }: { readonly interfaces: readonly string[] }) {
  const special = interfaces.filter((name) => !PLAIN_WALLET.test(name))
  const kinds = special.length > 0 ? special : interfaces
  const [first, ...others] = kinds
  if (first === undefined) return null
  if (others.length === 0)
    return (
      <>
        <span class="badge">{first.replaceAll('_', ' ')}</span>
        {interfaces.length > 1 && <span class="quiet"> by its methods</span>}
      </>
    )
  const named = kinds.slice(0, MOST_KINDS)
  const more = kinds.length - named.length
  return (
    <span title={interfaces.join(', ')}>
      <span class="quiet">has the methods of</span> {named.join(', ').replaceAll('_', ' ')}
      {more > 0 && <span class="quiet"> and {more} more</span>}
    </span>
  )
}

const STATUS: Readonly<Record<string, string>> = {
  active: 'active',
  uninit: 'not deployed: holds TON, has no code',
  nonexist: 'nothing is here now',
  frozen: 'frozen: its rent was not paid',
}

/** As long as other times are when they are written out. */
const EARLY = 1

interface HeadProps {
  readonly raw: string
  readonly state: AccountStateFull | undefined
  readonly token: TokenFacts
  /** What the tab of the contract has read. */
  readonly bags: unknown
}

function Head({ raw, state, token: { rows: tokenFacts, found }, bags }: HeadProps) {
  const token = tokenOf(raw)
  const tokenName = foreignText(token?.name ?? '')
  const symbol = foreignText(token?.symbol ?? '', 16)
  const friendly = friendlyForm(raw)
  const { at: lastTime, found: lastFound } = useLastTime(raw, state)
  return (
    <section class="card" aria-label="Account">
      {hasPicture(raw) && (
        <TokenPicture account={raw} name={tokenName} alt={`Picture of ${tokenName || 'this token'}`} />
      )}
      <p class="identity">
        <code class="whole">{friendly}</code>
        <Copy text={friendly} what="address" />
      </p>
      <Facts
        rows={[
          ['Balance', state ? <Amount of={state.balance} /> : <span class="quiet">none</span>],
          ['Extra currencies', currencyWords(state?.extra_currencies)],
          ['Status', state ? (STATUS[state.status] ?? state.status) : 'nothing was ever sent here'],
          ['Kind', state && state.interfaces.length > 0 && <Kind interfaces={state.interfaces} />],
          [
            'Token',
            tokenName !== '' && (
              <>
                {tokenName}
                {symbol !== '' && ` (${symbol})`}{' '}
                <span class="badge" title="Any token can have any name.">
                  unverified
                </span>
              </>
            ),
          ],
          ['Description', descriptionOf(token) || null],
          ...tokenFacts,
          [
            'Code',
            state?.code_hash && (
              <>
                <Hash of={state.code_hash} what="code hash" />{' '}
                <a href={href(`/search?q=${hexOf(state.code_hash) ?? ''}`)}>Other contracts with this code</a>
              </>
            ),
          ],
          [
            'Storage',
            state?.code_hash && (
              <StorageSize key={state.account_state_hash} raw={raw} hash={state.account_state_hash} bags={bags} />
            ),
          ],
          [
            'Newest transaction',
            state && /[1-9]/.test(state.last_transaction_lt) && (
              <Hash of={state.last_transaction_hash} to="/tx/" what="hash of the newest transaction" />
            ),
          ],
          [
            'Last activity',
            lastTime !== null && (
              <span class={lastTime === undefined ? 'unseen' : undefined}>
                <TimeAndAge at={lastTime ?? EARLY} />
              </span>
            ),
          ],
        ]}
      />
      <AttributeTable of={token} />
      {found.map((one, at) => (
        <WhyNone key={at} of={one} what="As a token" />
      ))}
      <WhyNone of={lastFound} what="Last activity" />
      <HeadButtons raw={raw} friendly={friendly} />
      {token?.type !== 'jetton_wallets' && token !== undefined && (
        <Folded title="All of the metadata">
          <AllMetadata raw={raw} />
        </Folded>
      )}
      <Folded title="Other forms of the address">
        <AddressForms raw={raw} />
      </Folded>
    </section>
  )
}

interface KnownProps {
  readonly raw: string
  /** The address in the path is in a friendly form without the flag of test networks. */
  readonly isUnmarked: boolean
}

function Known({ raw, isUnmarked }: KnownProps) {
  const { data, error, reload } = useReplies([accountState(raw)], { live: true })
  const state = data?.[0].accounts.find(({ address }) => address === raw)
  const token = useTokenFacts(raw, state)
  const [bags, setBags] = useState<unknown>(null)
  useDroppedAbi(state?.code_hash ?? null)
  if (error !== null && data === null) return <Trouble error={error} reload={reload} />
  const interfaces = state?.interfaces ?? []
  const part = { raw, stamp: state?.last_transaction_lt ?? '', supply: token.supply }
  /** What belongs to the account is kept by other contracts: it changes without a transaction of the account. */
  const ofBlock = { ...part, stamp: `${tick.value}` }
  /** On a devnet a state can be set, without a transaction. */
  const ofState = { ...part, stamp: `${part.stamp} ${state?.account_state_hash}` }
  const chosen = place.value.query.get('tab')
  // The stylesheet keeps what is below out of sight until then: it would jump.
  const isShown = data !== null && token.isWhole
  if (data === null && OF_KINDS.some(([, id]) => id === chosen)) return <Waiting />
  return (
    <>
      {!isShown && <Waiting />}
      <div>
        <Head raw={raw} state={state} token={token} bags={bags} />
        {data !== null && state === undefined && (
          <Empty title="Nothing was deployed here yet.">
            <p>
              This address of {boot.network} has no transactions. A message with TON that does not bounce creates the
              account; code comes with a message that carries a state init.
              {isUnmarked && ' In this form it is mostly meant for mainnet: look there, too.'}
            </p>
          </Empty>
        )}
        <Tabs
          label="Account"
          tabs={[
            { id: 'history', title: 'History', content: () => <AccountHistory {...part} /> },
            { id: 'transactions', title: 'Transactions', content: () => <Transactions {...part} /> },
            { id: 'balance', title: 'Balance', content: () => <BalanceChart subject={raw} /> },
            { id: 'tokens', title: 'Tokens', content: () => <Tokens {...ofBlock} /> },
            { id: 'nfts', title: 'NFTs', content: () => <Nfts {...ofBlock} /> },
            ...OF_KINDS.flatMap(([kinds, id, title, Part]) =>
              interfaces.some((name) => kinds.test(name)) ? [{ id, title, content: () => <Part {...ofBlock} /> }] : [],
            ),
            { id: 'contract', title: 'Contract', content: () => <Contract {...ofState} onRead={setBags} /> },
            {
              id: 'methods',
              title: 'Methods',
              content: () => <Methods {...ofState} ids={state?.contract_methods ?? []} code={state?.code_hash ?? ''} />,
            },
          ]}
        />
      </div>
    </>
  )
}

const TEST_NETWORKS: readonly string[] = ['devnet', 'testnet']

export function AccountPage({ subject }: PageProps) {
  const raw = rawOf(subject)
  const name = raw === null ? null : pageNameOf(raw)
  const { form, testOnly } = parseAddress(subject) ?? {}
  const isOfTests = form === 'friendly' ? testOnly : undefined
  if (raw === null)
    return (
      <>
        <h1>Account</h1>
        <NoAccount subject={subject} />
      </>
    )
  return (
    <>
      <h1>
        {name === null ? (
          <>
            Account <Address of={raw} />
          </>
        ) : (
          <>Account {name}</>
        )}
      </h1>
      {isOfTests && boot.network === 'mainnet' && (
        <p class="pending">
          The form of this address is for test networks. Below is the account of mainnet with the same hash.
        </p>
      )}
      <Known key={raw} raw={raw} isUnmarked={isOfTests === false && TEST_NETWORKS.includes(boot.network)} />
    </>
  )
}
