// Traces of a running service, over its v3 interface: the trace, and the facts about the accounts in it.

import { parseHash } from '../../../shared/parseHash.ts'
import {
  type AccountFacts,
  gatherFacts,
  type SaleFacts,
  type TraceInput,
  type TraceMessage,
  type TraceTransaction,
} from '../../actions/index.ts'
import { printable, timeLimit } from '../../process/index.ts'
import { CommandError, noService, otherProgram } from '../commandErrors.ts'
import type { KnownTrace } from './knownTrace.ts'
import { type Json, read, traceBounds, transactionHead } from './traceJson.ts'

interface MessageJson extends Json {
  readonly hash: string
  readonly source: string | null
  readonly destination: string | null
  readonly message_content: { readonly body: string } | null
  readonly init_state: { readonly body: string } | null
}

interface TransactionJson extends Json {
  readonly description: Json & { readonly compute_ph?: Json }
  readonly in_msg: MessageJson | null
  readonly out_msgs: readonly MessageJson[]
}

interface TraceJson extends Json {
  readonly transactions?: Readonly<Record<string, TransactionJson>>
  readonly transactions_order?: readonly string[]
}

const toMessage = (json: MessageJson): TraceMessage => ({
  hash: json.hash,
  kind: json.source === null ? 'externalIn' : json.destination === null ? 'externalOut' : 'internal',
  source: json.source,
  destination: json.destination,
  value: read.bigint(json.value),
  extraCurrencies: read.currencies(json.value_extra_currencies),
  createdLt: read.bigint(json.created_lt),
  createdAt: json.created_at === null ? null : Number(json.created_at),
  opcode: typeof json.opcode === 'string' ? Number(json.opcode) : null,
  bounce: json.bounce === true,
  bounced: json.bounced === true,
  body: read.bytes(json.message_content?.body),
  init: json.init_state === null ? null : read.bytes(json.init_state.body),
})

const toTransaction = (json: TransactionJson): TraceTransaction => ({
  ...transactionHead(json),
  aborted: json.description.aborted === true,
  lackedGas: json.description.compute_ph?.reason === 'no_gas',
  exitCode: read.number(json.description.compute_ph?.exit_code),
  isTickTock: json.description.type === 'tick_tock',
  inMessage: json.in_msg && toMessage(json.in_msg),
  outMessages: json.out_msgs.map(toMessage),
})

function toInput(json: TraceJson): TraceInput {
  const { transactions = {}, transactions_order: order = [] } = json
  return {
    ...traceBounds(json),
    transactions: order.flatMap((hash) =>
      transactions[hash] === undefined ? [] : [toTransaction(transactions[hash])],
    ),
  }
}

/** Node alone would wait for five minutes. */
const CALL_MS = 30_000

async function ask(
  url: string,
  path: string,
  query: readonly (readonly [name: string, value: string])[],
): Promise<Json> {
  const address = `${url.replace(/\/+$/, '')}/api/v3/${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`
  const response = await fetch(address, { signal: timeLimit(CALL_MS) }).catch((cause: unknown) => {
    throw noService(url, cause)
  })
  const body = read.object(await response.json().catch(() => null))
  if (body === null) throw otherProgram(url)
  if (!response.ok) throw new CommandError(`${path}: ${printable(String(body.error ?? response.status))}`)
  return body
}

/** Accounts of one question: an address is long, and an address line is not. */
const MOST_ACCOUNTS = 50

const sellerOf = ({ nft_address, nft_owner_address, marketplace_address, ...rest }: Json): SaleFacts => {
  const details = read.object(rest.details) ?? {}
  return {
    nft: String(nft_address),
    nftOwner: read.text(nft_owner_address),
    marketplace: read.text(marketplace_address),
    price: read.bigint(details.full_price ?? details.last_bid),
  }
}

/** The domain of an item, from its content. */
function domainIn(content: Json | null): { readonly domain?: string } {
  const domain = read.text(content?.domain)
  return domain === null ? {} : { domain }
}

type Role = Partial<Omit<AccountFacts, 'interfaces' | 'codeHash'>>

/** Which list has which fact about an account. */
const LISTS: readonly (readonly [path: string, rows: string, role: (row: Json) => Role])[] = [
  [
    'jetton/wallets',
    'jetton_wallets',
    ({ owner, jetton }) => ({ jettonWallet: { owner: String(owner), jetton: String(jetton) } }),
  ],
  [
    'nft/items',
    'nft_items',
    (row) => ({
      nftItem: {
        index: BigInt(String(row.index)),
        collection: read.text(row.collection_address),
        owner: read.text(row.owner_address),
        content: read.object(row.content),
      },
      ...domainIn(read.object(row.content)),
    }),
  ],
  [
    'nft/sales',
    'nft_sales',
    (row) =>
      row.type === 'getgems_auction'
        ? { auction: sellerOf(row) }
        : row.type === 'getgems_sale'
          ? { sale: sellerOf(row) }
          : {},
  ],
  ['multisig/orders', 'orders', ({ signers }) => ({ multisigOrder: { signers: read.texts(signers) } })],
]

async function factsOf(url: string, accounts: readonly string[]): Promise<Map<string, AccountFacts>> {
  const facts = new Map<string, AccountFacts>()
  for (let at = 0; at < accounts.length; at += MOST_ACCOUNTS) {
    const some = accounts.slice(at, at + MOST_ACCOUNTS)
    const query = some.map((account) => ['address', account] as const)
    const { accounts: states } = await ask(url, 'accountStates', [...query, ['include_boc', 'false']])
    for (const { address, code_hash, interfaces } of read.list(states))
      facts.set(String(address), { codeHash: read.text(code_hash), interfaces: read.texts(interfaces) })
    for (const [path, rows, role] of LISTS) {
      const found = await ask(url, path, [...query, ['limit', String(MOST_ACCOUNTS)]])
      for (const row of read.list(found[rows])) {
        const account = String(row.address)
        facts.set(account, { interfaces: [], codeHash: null, ...facts.get(account), ...role(row) })
      }
    }
  }
  return facts
}

async function dataOf(url: string, accounts: readonly string[]): Promise<[string, Uint8Array][]> {
  const found: [string, Uint8Array][] = []
  for (let at = 0; at < accounts.length; at += MOST_ACCOUNTS) {
    const query = accounts.slice(at, at + MOST_ACCOUNTS).map((account) => ['address', account] as const)
    const { accounts: states } = await ask(url, 'accountStates', query)
    for (const { address, data_boc } of read.list(states)) {
      const data = read.text(data_boc)
      if (data !== null) found.push([String(address), read.bytes(data)])
    }
  }
  return found
}

/** A complete trace by its id or the hash of one of its transactions. Throws CommandError. */
export async function traceOfService(url: string, name: string): Promise<KnownTrace> {
  if (parseHash(name) === null)
    throw new CommandError(`there is no file ${name}, and a hash has 64 hex digits or is base64`)
  const { traces } = await ask(url, 'traces', [['tx_hash', name]])
  // The cast: it is what v3 answers with.
  const [found] = read.list(traces) as readonly TraceJson[]
  if (found === undefined) throw new CommandError(`${url} has no complete trace ${name}`)
  const trace = toInput(found)
  const facts = await gatherFacts([trace], {
    facts: (addresses) => factsOf(url, [...addresses]),
    data: (addresses) => dataOf(url, [...addresses]),
  })
  return { trace, facts }
}
