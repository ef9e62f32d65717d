// Traces in files: transactions with their messages and what was known of their accounts, as JSON, packed by gzip or not.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { AccountFacts, SaleFacts, TraceMessage, TraceTransaction } from '../../actions/index.ts'
import type { KnownTrace } from './knownTrace.ts'
import { type Json, read, traceBounds, transactionHead } from './traceJson.ts'

interface MessageJson extends Json {
  readonly message_content: { readonly body: string } | null
  readonly init_state?: { readonly body: string } | null
}

/** What a file holds. */
export interface TraceFile {
  readonly trace: Json
  readonly transactions: readonly (Json & { readonly messages: readonly MessageJson[] })[]
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, Json>>>> | null
}

function messageOf(json: MessageJson): TraceMessage {
  const source = read.text(json.source)
  const destination = read.text(json.destination)
  return {
    hash: String(json.msg_hash),
    kind: source === null ? 'externalIn' : destination === null ? 'externalOut' : 'internal',
    source,
    destination,
    value: read.bigint(json.value),
    extraCurrencies: read.currencies(json.value_extra_currencies),
    createdLt: read.bigint(json.created_lt),
    createdAt: read.number(json.created_at),
    opcode: typeof json.opcode === 'number' ? json.opcode >>> 0 : null,
    bounce: json.bounce === true,
    bounced: json.bounced === true,
    body: read.bytes(json.message_content?.body),
    init: json.init_state?.body === undefined ? null : read.bytes(json.init_state.body),
  }
}

function transactionOf(json: TraceFile['transactions'][number]): TraceTransaction {
  const received = json.messages.find(({ direction }) => direction === 'in')
  return {
    ...transactionHead(json),
    aborted: json.aborted === true,
    lackedGas: json.compute_mode === null && json.compute_exit_code === null,
    exitCode: read.number(json.compute_exit_code),
    isTickTock: json.descr !== 'ord',
    inMessage: received === undefined ? null : messageOf(received),
    outMessages: json.messages.filter(({ direction }) => direction === 'out').map(messageOf),
  }
}

const seller = (json: Json, price: string): SaleFacts => ({
  nft: String(json.nft_addr ?? json.nft_address),
  nftOwner: read.text(json.nft_owner ?? json.nft_owner_address),
  marketplace: read.text(json.mp_addr ?? json.marketplace_address),
  price: read.bigint(json[price]),
})

/** The content of a name says which one it is; the interfaces of other contracts are not in a file. */
const interfacesOf = (content: Json | null): readonly string[] =>
  content?.domain === undefined ? [] : ['dns', 'nft_item']

function factsOf(found: Readonly<Record<string, Json>>): AccountFacts {
  const { JettonWallet, NftItem, NftSale, NftAuction, DedustPool, MultisigOrder, data_boc: data } = found
  const index = read.bigint(NftItem?.index)
  return {
    interfaces: interfacesOf(read.object(NftItem?.content)),
    codeHash: null,
    ...(JettonWallet && {
      jettonWallet: { owner: String(JettonWallet.owner), jetton: String(JettonWallet.jetton) },
    }),
    ...(NftItem &&
      index !== null && {
        nftItem: {
          index,
          collection: read.text(NftItem.collection_address),
          owner: read.text(NftItem.owner_address),
          content: read.object(NftItem.content),
        },
      }),
    ...(NftSale && { sale: seller(NftSale, 'full_price') }),
    ...(NftAuction && { auction: seller(NftAuction, 'last_bid') }),
    ...(MultisigOrder && { multisigOrder: { signers: read.texts(MultisigOrder.signers) } }),
    ...(DedustPool && {
      dedustPool: { assets: read.list(DedustPool.assets).map(({ address }) => read.text(address)) },
    }),
    ...(data && { data: read.bytes(read.text(data.data_boc) ?? undefined) }),
  }
}

/** Whole numbers past what a number holds as texts. */
const exact = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (token) =>
    /^-?\d{16,}(?:\.0)?$/.test(token) ? `"${token.replace('.0', '')}"` : token,
  )

const GZIP = [0x1f, 0x8b]

/** The JSON of a file, unknown fields included. Integers beyond the safe range are strings. */
export function readJsonFile(path: string | URL): TraceFile & Json {
  const file = readFileSync(path)
  const isPacked = GZIP.every((byte, i) => file[i] === byte)
  // The cast: a file with other content fails later, and is useless anyway.
  return JSON.parse(exact((isPacked ? gunzipSync(file) : file).toString())) as TraceFile & Json
}

/** The trace in the JSON of a file. */
export function traceOfFile({ trace, transactions, interfaces }: TraceFile): KnownTrace {
  return {
    trace: {
      ...traceBounds(trace),
      transactions: transactions.map(transactionOf),
    },
    facts: new Map(Object.entries(interfaces ?? {}).map(([account, found]) => [account, factsOf(found)])),
  }
}
