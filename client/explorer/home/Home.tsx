// The first page: how to connect, how the chain is, and what happened last.

import type { ComponentChildren } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { CHAIN_HEAD } from '../../../shared/explorer/chainHead.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { NEWEST_BLOCKS } from '../../../shared/explorer/explorerQueries.ts'
import { lazy } from '../lazyPage.tsx'
import { chainState, head } from '../live.ts'
import { boot, publicServiceUrl } from '../pageBoot.ts'
import { Copy } from '../parts/Copy.tsx'
import { NotYet } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { When } from '../parts/When.tsx'
import { WhenNear } from '../parts/WhenNear.tsx'
import { href } from '../router.ts'
import { serviceMinute } from '../serviceClock.ts'
import { useReplies } from '../useReplies.ts'
import { Activity } from './Activity.tsx'
import { CONNECTIONS } from './connectionLines.ts'
import { useHold } from './useHold.ts'

const Traffic = lazy(async () => (await import('../charts/Traffic.tsx')).Traffic)
const Faucet = lazy(async () => (await import('../lab/FaucetForm.tsx')).FaucetForm)
const Control = lazy(async () => (await import('./ChainControl.tsx')).ChainControl)
const TopAccounts = lazy(async () => (await import('./TopAccounts.tsx')).TopAccounts)

/** On a phone what happened comes first. */
const NARROW = 760

function Connect() {
  return (
    <details class="card" open={innerWidth >= NARROW}>
      <summary>
        <h2>Connect</h2>
      </summary>
      <dl class="lines">
        {CONNECTIONS.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{text(publicServiceUrl)}</code>
              <Copy text={text(publicServiceUrl)} what={`line for ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** So many blocks are made while one is indexed and requested. */
const USUAL_LAG = 2

/** How many blocks the index is behind, read once a minute: an index that is stuck reports no block. */
function useLag(): number {
  const last = head.value
  const { data } = useReplies([CHAIN_HEAD], { stamp: `${serviceMinute()}` })
  return useMemo(() => (data && last ? data[0].last.seqno - last.seqno : 0), [data, last === null])
}

function Chain() {
  const last = head.value
  const lag = useLag()
  const state = chainState.value
  return (
    <details class="card" open={innerWidth >= NARROW}>
      <summary>
        <h2>Chain</h2>
      </summary>
      <Facts
        rows={[
          ['Network', boot.network],
          ['Newest block', last && <a href={href(`/block/${last.seqno}`)}>{last.seqno}</a>],
          ['Index', lag > USUAL_LAG && `${lag} blocks behind`],
          ['Made', last && <When at={last.gen_utime} />],
          ['Mining', state?.mining],
          ['Pending messages', state === null ? null : String(state.pending)],
          [
            'Read on',
            <span key="more" class="links">
              <a href={href('/validators')}>Validators</a> <a href={href('/pools')}>Pools</a>{' '}
              <a href={href('/config')}>Configuration</a> <a href={href('/cell')}>Cells</a>
            </span>,
          ],
        ]}
      />
    </details>
  )
}

/** Its content is loaded when it is opened. */
function Later({ title, content }: { readonly title: string; readonly content: () => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {isOpen && content()}
    </details>
  )
}

const Further = () =>
  boot.control ? (
    <>
      <Later title="Faucet" content={() => <Faucet />} />
      <Later title="Blocks and clock" content={() => <Control />} />
    </>
  ) : (
    <Later title="Top accounts" content={() => <TopAccounts />} />
  )

function Blocks() {
  const found = useReplies([NEWEST_BLOCKS], { live: true })
  const newest = found.data
  const { isHeld, onList } = useHold()
  const shown = useRef(newest)
  if (!isHeld || shown.current === null) shown.current = newest
  const data = shown.current
  return (
    <section aria-labelledby="blocks">
      <h2 id="blocks">Newest blocks</h2>
      <NotYet of={found} />
      <ul class="blocks" {...onList}>
        {data?.[0].blocks.map(({ seqno, tx_count }) => (
          <li key={seqno}>
            <a href={href(`/block/${seqno}`)} title={counted(tx_count, 'transaction')}>
              {seqno}
            </a>
            {tx_count > 0 && <span class="quiet"> ({tx_count})</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a person who has just started the service can do. */
const Intro = () => (
  <p class="quiet intro">
    A chain of your own: take TON from the faucet, send a message from the <a href={href('/lab')}>lab</a>, open a line
    below to see what it did. <a href={href('/docs/contracts')}>Guide</a>
  </p>
)

export const Home = () => (
  <>
    <h1 class="for-readers">Explorer of {boot.network}</h1>
    {boot.control && <Intro />}
    <div class="cards">
      <Connect />
      <div>
        <Chain />
        <Further />
      </div>
    </div>
    <Activity />
    <Blocks />
    <WhenNear class="traffic-room">
      <Traffic />
    </WhenNear>
  </>
)
