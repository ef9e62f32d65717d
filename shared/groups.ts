// What each group of methods is for. A group of the registry without a text does not compile.

import type { MethodName, registry } from './registry.ts'

type GroupOf<Name extends MethodName> = (typeof registry)[Name]['group']
type V3Name = Extract<MethodName, `${'v3' | 'emulate'}.${string}`>

const v2: Readonly<Record<GroupOf<Exclude<MethodName, V3Name>>, string>> = {
  accounts: 'State of one account, now or at a masterchain block. For history and for many accounts at once use v3.',
  tokens: 'Jettons and NFTs read from their contracts. For lists by owner or collection use v3.',
  dns: 'Names of the TON DNS, resolved by running its contracts.',
  blocks: 'Ids, headers, shards and proofs of blocks: to walk over the chain block by block.',
  transactions: 'Transactions of an account or of a block, and the transactions of a message. For filters use v3.',
  messages: 'Sending signed external messages and estimating their fees.',
  'get-methods': 'Read-only calls of contracts in the TVM. Each counts against the share of CPU time of the caller.',
  configuration: 'Parameters of the network configuration and public libraries.',
  addresses: 'Conversion of addresses and hashes between their forms. No chain is read.',
  discovery: 'The description of this service for machines.',
  'control of the embedded chain':
    'Faucet, blocks, clock, snapshots and names of the devnet, only for callers who may control the chain; reading names is open to all. `dev.` methods are JSON-RPC only; those of Acton have paths as well.',
}

const v3: Readonly<Record<GroupOf<V3Name>, string>> = {
  accounts: 'States, balances and names of many accounts at once, from the index.',
  transactions: 'Transactions by account, block, message or time, from the index.',
  messages: 'Messages by sender, recipient, opcode or hash, from the index.',
  traces: 'Traces: a transaction with all transactions it led to, as a tree.',
  actions: 'Actions: what a finished trace did as a user would say it, such as a jetton transfer or a swap.',
  pending: 'Messages that are in no block yet, emulated on request. They can still change or fail.',
  emulation: 'What a message would do before it is sent: its whole trace, on the state of any block.',
  blocks: 'Blocks and shards of the masterchain, from the index.',
  jettons: 'Jetton masters and wallets, transfers and burns.',
  nfts: 'NFT collections, items, transfers and sales.',
  dns: 'Domains by owner, wallet or name, and running auctions.',
  multisig: 'Multisig wallets and their orders.',
  vesting: 'Vesting contracts and their schedules.',
  staking: 'Nominator pools: who is in them, deposits, withdrawals, rewards.',
  validators: 'Elections of validators, the sets they led to, stakes and complaints.',
  utils: 'Search, and decoding of message bodies and opcodes.',
  legacy: 'v2 methods under the paths and shapes of v3, for clients that use v3 only.',
}

const texts: Readonly<Record<'v2' | 'v3', Readonly<Record<string, string>>>> = { v2, v3 }

/** Undefined for a group no method of the registry is in. */
export const groupText = (version: 'v2' | 'v3', group: string): string | undefined =>
  Object.hasOwn(texts[version], group) ? texts[version][group] : undefined
