// The calls that both services get: every method that the public v2 server has, on accounts and blocks of each kind.

import type { Facts } from '../lite/facts.ts'

export interface Question {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly verb: 'GET' | 'POST'
}

const SHARD = '-9223372036854775808'
const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'
const ABSENT = `0:${'fe'.repeat(32)}`

const get = (method: string, ...all: readonly Question['params'][]): Question[] =>
  all.map((params) => ({ method, params, verb: 'GET' }))
const post = (method: string, ...all: readonly Question['params'][]): Question[] =>
  all.map((params) => ({ method, params, verb: 'POST' }))

export interface More {
  /** Seqnos of the newest masterchain and shard block, and of a key block. */
  readonly newest: number
  readonly newestShard: number
  readonly key: number
  /** The block of `facts.block` by its hashes. */
  readonly rootHash: string
  readonly fileHash: string
  readonly jettonWallet: string
  readonly item: string
  /** Friendly forms of the wallet. */
  readonly friendly: string
  /** The wallet's newest transaction. */
  readonly lt: string
  readonly hash: string
  /** Numbers of the configuration. */
  readonly params: readonly number[]
}

export function questionsOf(facts: Facts, more: More): readonly Question[] {
  const { wallet, jetton, collection, owner } = facts
  const accounts = [wallet, jetton, collection, more.item, more.jettonWallet, ELECTOR, ABSENT]
  const each = accounts.map((address) => ({ address }))
  const found = { source: facts.source, destination: facts.destination, created_lt: facts.created }
  const master = { workchain: -1, shard: SHARD }
  const base = { workchain: 0, shard: SHARD }
  const block = { ...base, seqno: facts.block }
  const named = { ...block, root_hash: more.rootHash, file_hash: more.fileHash }
  return [
    ...['getAddressInformation', 'getExtendedAddressInformation', 'getWalletInformation'].flatMap((name) =>
      get(name, ...each),
    ),
    ...['getAddressBalance', 'getAddressState', 'detectAddress', 'unpackAddress'].flatMap((name) => get(name, ...each)),
    ...get('getAddressInformation', { address: more.friendly }, { address: 'nonsense' }),
    ...get('packAddress', ...each),
    ...get('detectAddress', { address: more.friendly }, { address: 'nonsense' }),
    ...get('unpackAddress', { address: more.friendly }),
    ...get(
      'getTokenData',
      ...[jetton, more.jettonWallet, collection, more.item, wallet].map((address) => ({ address })),
    ),
    ...get('getMasterchainInfo', {}),
    ...get(
      'getMasterchainBlockSignatures',
      ...[2, facts.old, more.key, more.newest - 1, more.newest].map((seqno) => ({ seqno })),
    ),
    ...get('getShardBlockProof', { ...block }, { ...block, from_seqno: more.newest }, { ...master, seqno: facts.old }),
    ...get('getConsensusBlock', {}),
    ...get(
      'lookupBlock',
      { ...master, seqno: facts.old },
      { ...base, lt: facts.created },
      { ...master, unixtime: facts.utime },
      { ...base, unixtime: facts.utime },
      { ...master, seqno: 999_999 },
      { workchain: 7, shard: SHARD, seqno: 1 },
    ),
    ...get('shards', { seqno: more.newest }, { seqno: facts.old }, { seqno: 999_999 }),
    ...get(
      'getBlockTransactions',
      block,
      named,
      { ...block, count: 1 },
      { ...master, seqno: more.newest },
      { ...base, seqno: 999_999 },
    ),
    ...get('getBlockTransactionsExt', block, named, { ...block, count: 1 }, { ...master, seqno: more.newest }),
    ...get('getBlockHeader', { ...master, seqno: more.newest }, { ...master, seqno: more.key }, block, named),
    ...get('getConfigParam', ...more.params.map((config_id) => ({ config_id })), { config_id: 8, seqno: facts.old }),
    ...get('getLibraries', { libraries: '11'.repeat(32) }),
    ...get(
      'getTransactions',
      ...[wallet, jetton, owner, ELECTOR, ABSENT].map((address) => ({ address, limit: 20 })),
      { address: wallet, limit: 3, lt: more.lt, hash: more.hash },
      { address: wallet, limit: 3, lt: more.lt, hash: more.hash, to_lt: Number(facts.created) },
      { address: wallet, limit: 3, lt: '7', hash: more.hash },
      { address: wallet, limit: 3, lt: '999999999999999', hash: more.hash },
    ),
    ...get('tryLocateTx', found, { ...found, created_lt: '1000000' }),
    ...get('tryLocateResultTx', found),
    ...get('tryLocateSourceTx', found),
    ...post(
      'runGetMethod',
      { address: wallet, method: 'seqno', stack: [] },
      { address: wallet, method: 'nothing', stack: [] },
      { address: ABSENT, method: 'seqno', stack: [] },
      { address: jetton, method: 'get_jetton_data', stack: [] },
      { address: more.item, method: 'get_nft_data', stack: [] },
      { address: collection, method: 'get_nft_address_by_index', stack: [['num', '0x0']] },
      { address: ELECTOR, method: 'active_election_id', stack: [] },
      { address: ELECTOR, method: 'past_elections', stack: [] },
      { address: ELECTOR, method: 'participant_list_extended', stack: [] },
    ),
    ...post('estimateFee', { address: wallet, body: facts.bodies[0], ignore_chksig: true }),
    ...post('sendBoc', { boc: facts.stale }, { boc: 'AAAA' }),
    ...post('sendBocReturnHash', { boc: facts.stale }),
  ]
}
