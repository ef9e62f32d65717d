// A block: what it is, what it holds, and on the masterchain which shard blocks it committed.

import { useEffect } from 'preact/hooks'
import { type BlockPlace, blockAt, shardsOfBlock, transactionsOfBlock } from '../../../shared/explorer/blockQueries.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { parseBlockPlace } from '../../../shared/explorer/views.ts'
import type { Block } from '../../index.ts'
import { foreignText } from '../accountNames.ts'
import type { PageProps } from '../lazyPage.tsx'
import { head } from '../live.ts'
import { known } from '../pageClient.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { TransactionPages } from '../parts/TransactionPages.tsx'
import { TimeAndAge } from '../parts/When.tsx'
import { go, href } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { BlockSignatures } from './BlockSignatures.tsx'
import { SaveProof } from './SaveProof.tsx'

/** Of every shard; what is before it is no block. */
const FIRST = 1

type Place = Pick<BlockPlace, 'workchain' | 'shard' | 'seqno'>

const pathOf = ({ workchain, shard, seqno }: Place): string => `/block/${workchain}:${shard}:${seqno}`

const BlockLink = ({ block }: { readonly block: Place }) => (
  <a href={href(pathOf(block))}>
    <code>
      {block.workchain}:{block.shard}:<wbr />
      {block.seqno}
    </code>
  </a>
)

/** `[` and `]` step to the block before and after, where there is a link to it. */
function useSteps(place: BlockPlace, isMissing: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = { '[': -1, ']': 1 }[event.key]
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
      // With it a browser goes back and forward.
      if (step === undefined || isTyping || event.metaKey) return
      const seqno = place.seqno + step
      if (seqno < FIRST || (isMissing && step > 0)) return
      // The list of keys would stay in front of the other block, and the row with the focus goes.
      document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
      go(pathOf({ ...place, seqno }))
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [place.workchain, place.shard, place.seqno, isMissing])
}

function Head({ block }: { readonly block: Block }) {
  const id = `(${block.workchain},${block.shard},${block.seqno})`
  const parents = (block.prev_blocks ?? []).filter(({ seqno }) => seqno >= FIRST)
  return (
    <section class="card" aria-label="Block">
      <Facts
        rows={[
          [
            'Id',
            <span key="id" class="with-copy">
              <code>
                ({block.workchain},<wbr />
                {block.shard},<wbr />
                {block.seqno})
              </code>
              <Copy text={id} what="block id" />
            </span>,
          ],
          [
            'Time',
            <span key="time">
              <TimeAndAge at={block.gen_utime} />
            </span>,
          ],
          ['Transactions', String(block.tx_count)],
          ['Logical times', `${block.start_lt} to ${block.end_lt}`],
          ['Root hash', <Hash key="root" of={block.root_hash} what="root hash" />],
          ['File hash', <Hash key="file" of={block.file_hash} what="file hash" />],
          ['Committed by', block.workchain !== -1 && <BlockLink block={block.masterchain_block_ref} />],
          [
            'Parents',
            parents.length > 0 &&
              parents.map((one) => (
                <div key={pathOf(one)}>
                  <BlockLink block={one} />
                </div>
              )),
          ],
          ['Key block', block.key_block && 'yes: the configuration may change here'],
          ['Made by', <Hash key="by" of={block.created_by} what="key of the validator that made it" />],
        ]}
      />
    </section>
  )
}

function Shards({ seqno }: { readonly seqno: number }) {
  const found = useReplies([shardsOfBlock(seqno)])
  if (found.data === null)
    return (
      <section>
        <NotYet of={found} />
      </section>
    )
  const others = found.data[0].blocks.filter(({ workchain }) => workchain !== -1)
  return (
    <section aria-labelledby="shards">
      <h2 id="shards">Shard blocks committed here</h2>
      {others.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <ul class="plain">
          {others.map((block) => (
            <li key={pathOf(block)}>
              <BlockLink block={block} /> <span class="quiet">{counted(block.tx_count, 'transaction')}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Who vouches for the block, and how to get the proof of it. */
function Proof({ block }: { readonly block: Block }) {
  const { workchain, shard, seqno } = block
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">{workchain === -1 ? 'Signatures' : 'Proof'}</h2>
      {workchain === -1 ? (
        <BlockSignatures block={block} />
      ) : (
        <p>
          Validators sign blocks of the masterchain: this one counts because{' '}
          <BlockLink block={block.masterchain_block_ref} /> has its hashes. A{' '}
          <a href={href(`/console/getShardBlockProof?workchain=${workchain}&shard=${shard}&seqno=${seqno}`)}>
            proof of that
          </a>{' '}
          leads from a masterchain block down to it.
        </p>
      )}
      <SaveProof key={pathOf(block)} workchain={workchain} shard={shard} seqno={seqno} />
    </section>
  )
}

function Missing({ place }: { readonly place: BlockPlace }) {
  const newest = head.value?.seqno
  const isAhead = place.workchain === -1 && newest !== undefined && place.seqno > newest
  return (
    <Empty title={isAhead ? 'This block is not made yet.' : 'This block is not in the index.'}>
      {newest !== undefined && (
        <p>
          The newest masterchain block is <a href={href(`/block/${newest}`)}>{newest}</a>.
        </p>
      )}
    </Empty>
  )
}

function Shown({ place }: { readonly place: BlockPlace }) {
  const isNewest = (head.value?.seqno ?? 0) <= place.seqno
  // Shards count by themselves: one that is missing may come.
  const live = isNewest || known(blockAt(place))?.blocks.length === 0
  const found = useReplies([blockAt(place)], { live })
  const { data } = found
  const block = data?.[0].blocks[0]
  const isMissing = data !== null && block === undefined
  useSteps(place, isMissing)
  return (
    <>
      {!isMissing && (
        <p class="steps">
          {place.seqno > FIRST && <a href={href(pathOf({ ...place, seqno: place.seqno - 1 }))}>← {place.seqno - 1}</a>}
          <a href={href(pathOf({ ...place, seqno: place.seqno + 1 }))}>{place.seqno + 1} →</a>
        </p>
      )}
      <NotYet of={found} />
      {isMissing && <Missing place={place} />}
      {block && (
        <>
          <Head block={block} />
          {place.workchain === -1 && <Shards seqno={place.seqno} />}
          <section>
            <h2>Transactions</h2>
            <TransactionPages
              key={pathOf(place)}
              query={(cursor) => transactionsOfBlock(place, cursor)}
              stamp={block.root_hash}
            />
          </section>
          <Proof block={block} />
        </>
      )}
    </>
  )
}

export function BlockPage({ subject }: PageProps) {
  const place = parseBlockPlace(subject)
  if (place === null)
    return (
      <>
        <h1>Block</h1>
        <Empty title={`“${foreignText(subject)}” names no block.`}>
          <p>
            A block is a number on the masterchain, such as <code>352</code>, or <code>workchain:shard:seqno</code>,
            such as <code>0:8000000000000000:352</code>.
          </p>
        </Empty>
      </>
    )
  return (
    <>
      <h1>
        Block {place.seqno}{' '}
        <span class="quiet">{place.workchain === -1 ? 'of the masterchain' : `of workchain ${place.workchain}`}</span>
      </h1>
      <Shown place={place} />
    </>
  )
}
