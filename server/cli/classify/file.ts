// Traces in files: transactions with their messages and what was known of their accounts, as JSON, packed by gzip or not.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { AccountFacts, SaleFacts, TraceMessage, TraceTransaction } from '../../actions/index.ts'
import type { KnownTrace } from './knownTrace.ts'

type Json = Readonly<Record<string, unknown>>

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

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const big = (value: unknown): bigint | null => (value === null || value === undefined ? null : BigInt(value as string))
const bytes = (base64: string | undefined): Uint8Array => Buffer.from(base64 ?? '', 'base64')

function messageOf(json: MessageJson): TraceMessage {
  const [source, destination] = [text(json.source), text(json.destination)]
  return {
    hash: String(json.msg_hash),
    kind: source === null ? 'externalIn' : destination === null ? 'externalOut' : 'internal',
    source,
    destination,
    value: big(json.value),
    extraCurrencies: (json.value_extra_currencies ?? {}) as Record<string, string>,
    createdLt: big(json.created_lt),
    createdAt: json.created_at as number | null,
    opcode: typeof json.opcode === 'number' ? json.opcode >>> 0 : null,
    bounce: json.bounce === true,
    body: bytes(json.message_content?.body),
    init: json.init_state?.body === undefined ? null : bytes(json.init_state.body),
  }
}

function transactionOf(json: TraceFile['transactions'][number]): TraceTransaction {
  const received = json.messages.find(({ direction }) => direction === 'in')
  return {
    hash: String(json.hash),
    account: String(json.account),
    lt: BigInt(json.lt as string),
    now: Number(json.now),
    origStatus: String(json.orig_status),
    endStatus: String(json.end_status),
    aborted: json.aborted === true,
    lackedGas: json.compute_mode === null && json.compute_exit_code === null,
    exitCode: json.compute_exit_code as number | null,
    isTickTock: json.descr !== 'ord',
    inMessage: received === undefined ? null : messageOf(received),
    outMessages: json.messages.filter(({ direction }) => direction === 'out').map(messageOf),
  }
}

const seller = (json: Json, price: string): SaleFacts => ({
  nft: String(json.nft_addr ?? json.nft_address),
  nftOwner: text(json.nft_owner ?? json.nft_owner_address),
  marketplace: text(json.mp_addr ?? json.marketplace_address),
  price: json[price] === undefined ? null : BigInt(json[price] as string),
})

/** The content of a name says which one it is; the interfaces of other contracts are not in a file. */
const interfacesOf = (content: Json | null | undefined): readonly string[] =>
  content?.domain === undefined ? [] : ['dns', 'nft_item']

function factsOf(found: Readonly<Record<string, Json>>): AccountFacts {
  const { JettonWallet, NftItem, NftSale, NftAuction, DedustPool, MultisigOrder, data_boc: data } = found
  return {
    interfaces: interfacesOf(NftItem?.content as Json | null | undefined),
    codeHash: null,
    ...(JettonWallet && {
      jettonWallet: { owner: String(JettonWallet.owner), jetton: String(JettonWallet.jetton) },
    }),
    ...(NftItem && {
      nftItem: {
        index: BigInt(NftItem.index as string),
        collection: text(NftItem.collection_address),
        owner: text(NftItem.owner_address),
        content: NftItem.content as Json | null,
      },
    }),
    ...(NftSale && { sale: seller(NftSale, 'full_price') }),
    ...(NftAuction && { auction: seller(NftAuction, 'last_bid') }),
    ...(MultisigOrder && { multisigOrder: { signers: MultisigOrder.signers as string[] } }),
    ...(DedustPool && {
      dedustPool: { assets: (DedustPool.assets as Json[]).map(({ address }) => text(address)) },
    }),
    ...(data && { data: bytes(text(data.data_boc) ?? undefined) }),
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
      traceId: String(trace.trace_id),
      externalHash: text(trace.external_hash),
      externalHashNorm: null,
      mcSeqnoEnd: Number(trace.mc_seqno_end),
      startLt: BigInt(trace.start_lt as string),
      endLt: BigInt(trace.end_lt as string),
      startUtime: Number(trace.start_utime),
      endUtime: Number(trace.end_utime),
      transactions: transactions.map(transactionOf),
    },
    facts: new Map(Object.entries(interfaces ?? {}).map(([account, found]) => [account, factsOf(found)])),
  }
}
