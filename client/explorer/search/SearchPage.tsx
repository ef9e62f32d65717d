// What a text names: straight to the page of it when there is one, else what it could be.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { query } from '../../../shared/explorer/query.ts'
import { ask, wordsFor } from '../api.ts'
import { foreignText, learn, namedAccounts } from '../names.ts'
import { Address } from '../parts/Address.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { TransactionTable } from '../parts/TransactionTable.tsx'
import { go, href, place } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { classify, type Recognised } from './classify.ts'

interface Hit {
  readonly path: string
  readonly what: ComponentChildren
}

/** The pages of a hash: it can be of a transaction, a message, a trace, a block or a contract's code. */
async function hitsOfHash(hex: string): Promise<readonly Hit[]> {
  const [transactions, traces, byRoot, byFile, code] = await Promise.all([
    ask(query('v3.transactions', { hash: [hex], limit: 1 })),
    ask(query('v3.traces', { msg_hash: [hex], limit: 1 })),
    ask(query('v3.blocks', { root_hash: hex, limit: 1 })),
    ask(query('v3.blocks', { file_hash: hex, limit: 1 })),
    ask(query('v3.pendingTraces', { ext_msg_hash: [hex] })),
  ])
  const blocks = [...byRoot.blocks, ...byFile.blocks].map(({ workchain, shard, seqno }) => ({
    path: `/block/${workchain}:${shard}:${seqno}`,
    what: `Block ${workchain}:${shard}:${seqno}`,
  }))
  return [
    ...transactions.transactions.map(() => ({ path: `/tx/${hex}`, what: 'Transaction' })),
    ...[...traces.traces, ...code.traces].map(() => ({ path: `/trace/${hex}`, what: 'Trace of this message' })),
    ...blocks,
  ].slice(0, 8)
}

async function hitsOfDomain(name: string): Promise<readonly Hit[]> {
  const reply = await ask(query('v3.dns.records', { domain: name }))
  learn(reply)
  return reply.records.flatMap(({ dns_wallet: wallet, nft_item_address: item }) => [
    ...(wallet
      ? [
          {
            path: `/address/${wallet}`,
            what: (
              <>
                Wallet of {foreignText(name)}: <Address of={wallet} full />
              </>
            ),
          },
        ]
      : []),
    ...(item
      ? [
          {
            path: `/address/${item}`,
            what: (
              <>
                The domain as an NFT: <Address of={item} full />
              </>
            ),
          },
        ]
      : []),
  ])
}

async function hitsOf(found: Recognised): Promise<readonly Hit[]> {
  if (found.kind === 'account') return [{ path: `/address/${found.raw}`, what: found.words }]
  if (found.kind === 'block') {
    const { workchain, shard, seqno } = found.block
    return [{ path: `/block/${workchain}:${shard}:${seqno}`, what: found.words }]
  }
  if (found.kind === 'hash') return hitsOfHash(found.hex)
  return found.kind === 'domain' ? hitsOfDomain(found.name) : []
}

const FORMS = [
  ['An address', 'EQ…, UQ…, kQ…, 0Q… or 0:<64 hex digits>'],
  ['A hash of a transaction, message, trace or block', '64 hex digits or 44 characters of base64'],
  ['A block', '352, or 0:8000000000000000:352'],
  ['A domain', 'name.ton'],
  ['An opcode', '0x7e8764ef'],
  ['A name of this network', 'wallet4, faucet, elector'],
] as const

const Forms = () => (
  <ul class="plain">
    {FORMS.map(([what, example]) => (
      <li key={what}>
        {what}: <code>{example}</code>
      </li>
    ))}
  </ul>
)

function Opcode({ opcode }: { readonly opcode: string }) {
  const { data, error, reload } = useReplies([
    query('v3.decode', { opcodes: [opcode] }),
    query('v3.transactionsByMessage', { opcode, limit: 30 }),
  ])
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const name = data[0].opcodes?.[0]
  const { transactions } = data[1]
  return (
    <>
      <p>
        Opcode <code>{opcode}</code>
        {name && !name.startsWith('0x') && <strong> {name.replaceAll('_', ' ')}</strong>}
      </p>
      {transactions.length === 0 ? (
        <Empty title="No message with this opcode is in the index." />
      ) : (
        <TransactionTable transactions={transactions} withAccount />
      )}
    </>
  )
}

function Hits({ found }: { readonly found: Recognised }) {
  const [hits, setHits] = useState<readonly Hit[] | string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setHits(null)
    hitsOf(found).then(
      (all) => {
        const [first] = all
        if (!isCurrent) return
        if (first !== undefined && all.length === 1) go(first.path, { replace: true })
        else setHits(all)
      },
      (error: unknown) => isCurrent && setHits(wordsFor(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [found])
  if (hits === null) return <Waiting />
  if (typeof hits === 'string') return <Trouble error={hits} />
  if (hits.length > 0)
    return (
      <ul class="plain">
        {hits.map(({ path, what }) => (
          <li key={path}>
            <a href={href(path)}>{what}</a>
          </li>
        ))}
      </ul>
    )
  return (
    <Empty
      title={`${found.kind === 'hash' ? 'Nothing in the index has this hash.' : 'Nothing with this name is in the index.'}`}
    >
      <p>It may be of another network, or too new to be indexed. What can be searched:</p>
      <Forms />
    </Empty>
  )
}

export function SearchPage() {
  const text = place.value.query.get('q') ?? ''
  const [found, setFound] = useState<Recognised>(() => classify(text, { names: namedAccounts() }))
  useEffect(() => setFound(classify(text, { names: namedAccounts() })), [text])
  return (
    <>
      <h1>Search</h1>
      {found.kind === 'opcode' && <Opcode opcode={found.opcode} />}
      {(found.kind === 'account' || found.kind === 'block' || found.kind === 'hash' || found.kind === 'domain') && (
        <Hits found={found} />
      )}
      {(found.kind === 'wrong' || found.kind === 'text') && (
        <Empty title={found.kind === 'wrong' ? found.words : `Nothing is known under “${foreignText(text)}”.`}>
          <p>What can be searched:</p>
          <Forms />
        </Empty>
      )}
      {found.kind === 'empty' && <Forms />}
    </>
  )
}
