// The operations of the specification, by their verbs and paths: each is served, and README says how many.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type MethodSpec, registry } from '../../shared/registry.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const SPECIFIED = {
  'GET /api/v2': words(`
    getAddressInformation getExtendedAddressInformation getWalletInformation getAddressBalance getAddressState
    getTokenData getMasterchainInfo getMasterchainBlockSignatures getShardBlockProof getConsensusBlock
    lookupBlock getShards getBlockHeader getOutMsgQueueSize getBlockTransactions getBlockTransactionsExt
    getTransactions getTransactionsStd tryLocateTx tryLocateResultTx tryLocateSourceTx detectAddress detectHash
    packAddress unpackAddress getConfigParam getConfigAll getLibraries
  `),
  'POST /api/v2': words(`
    sendBoc sendBocReturnHash estimateFee runGetMethod runGetMethodStd jsonRPC
  `),
  'GET /api/v3': words(`
    accountStates addressBook metadata walletStates actions pendingActions pendingTraces traces
    adjacentTransactions blocks masterchainBlockShardState masterchainBlockShards masterchainInfo messages
    pendingTransactions transactions transactionsByMasterchainBlock transactionsByMessage jetton/burns
    jetton/masters jetton/transfers jetton/wallets nft/collections nft/items nft/sales nft/transfers dns/records
    dns/activeAuctions staking/nominatorPools/pool staking/nominatorPools/nominator
    staking/nominatorPools/nominatorEvents staking/nominatorPools/nominatorRewards
    staking/nominatorPools/validatorEvents staking/nominatorPools/validatorRewards validators/events
    validators/elections validators/cycles validators/complaints multisig/orders multisig/wallets vesting
    topAccountsByBalance decode addressInformation walletInformation
  `),
  'POST /api/v3': words(`
    decode estimateFee message runGetMethod
  `),
} as const

/** The door of JSON-RPC is no method. */
const DOORS = ['POST /api/v2/jsonRPC']

const specified = Object.entries(SPECIFIED).flatMap(([prefix, names]) => names.map((name) => `${prefix}/${name}`))
const specs: readonly MethodSpec[] = Object.values(registry)
const served = new Set([...DOORS, ...specs.flatMap(({ rest }) => rest.map(({ verb, path }) => `${verb} ${path}`))])

test('every operation of the specification is served', () => {
  expect(specified.filter((operation) => !served.has(operation))).toEqual([])
})

test('README says how many', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, works, all] = /(\d+) of (\d+) operations/.exec(readme) ?? []
  const count = specified.filter((operation) => served.has(operation)).length
  expect([Number(works), Number(all)]).toEqual([count, new Set(specified).size])
})
