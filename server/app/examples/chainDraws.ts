// Examples of what every chain has: accounts, transactions, messages, blocks.

import { type AskMethod, type Draw, drawnRowsOf, isRow, rowsIn, sameParams, textAt } from './drawing.ts'

/** Drawn around one wallet. */
export function chainDraws(ask: AskMethod, wallet: string): readonly Draw[] {
  const accounts = ['getExtendedAddressInformation', 'getWalletInformation', 'detectAddress']
  const lists = ['v3.accountStates', 'v3.walletStates', 'v3.addressBook']
  return [
    async () => ({
      ...sameParams(accounts, { address: wallet }),
      ...sameParams(lists, { address: [wallet] }),
      'v3.transactions': { account: [wallet], limit: 3 },
    }),
    async () => {
      const traces = drawnRowsOf(await ask('v3.traces', { account: wallet, limit: 20 }), 'traces')
      const trace = traces.find((row) => rowsIn(row.transactions_order) > 1 && typeof row.external_hash === 'string')
      const hash = [textAt(trace, 'external_hash')]
      return {
        ...sameParams(['v3.traces', 'v3.events', 'v3.transactionsByMessage', 'v3.messages'], { msg_hash: hash }),
        ...sameParams(['v3.pendingActions', 'v3.pendingTraces'], { account: wallet }),
        'v3.adjacentTransactions': { hash: textAt(trace, 'trace_id') },
        'emulate.replay': { tx_hash: textAt(trace, 'trace_id') },
        'v3.balanceChanges': { trace_id: textAt(trace, 'trace_id') },
      }
    },
    async () => ({
      'v3.actions': { account: wallet, limit: 3 },
      'v3.balanceHistory': { account: wallet, limit: 3 },
      'v3.statistics': { interval: 'hour', limit: 3 },
    }),
    async () => {
      const sent = drawnRowsOf(await ask('v3.messages', { source: wallet, limit: 20 }), 'messages')
      const message = sent.find((row) => typeof row.destination === 'string' && typeof row.in_msg_tx_hash === 'string')
      const source = textAt(message, 'source')
      const destination = textAt(message, 'destination')
      const params = { source, destination, created_lt: textAt(message, 'created_lt') }
      return sameParams(['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'], params)
    },
  ]
}

/** Messages from outside that are read to find a wallet. */
const MESSAGES = 50

/** A wallet that was used lately, or another account that is called from outside. */
export async function someWallet(ask: AskMethod): Promise<string> {
  const calls = drawnRowsOf(await ask('v3.messages', { source: 'null', direction: 'in', limit: MESSAGES }), 'messages')
  const called = [...new Set(calls.flatMap(({ destination: to }) => (typeof to === 'string' ? [to] : [])))]
  const [some] = called
  if (some === undefined)
    return textAt(drawnRowsOf(await ask('v3.transactions', { limit: 1 }), 'transactions')[0], 'account')
  const wallets = drawnRowsOf(await ask('v3.walletStates', { address: called }), 'wallets')
  const wallet = wallets.find((row) => row.is_wallet === true)
  return wallet === undefined ? some : textAt(wallet, 'address')
}

/** Blocks of the definitions' examples may be gone from the servers of a network, or be older than the index. */
export function networkDraws(ask: AskMethod, wallet: string): readonly Draw[] {
  const v2 = ['getTransactions', 'getTransactionsStd']
  const v3 = ['v3.addressInformation', 'v3.account', 'v3.walletInformation', 'v3.wallet']
  const runs = ['runGetMethod', 'runGetMethodStd', 'v3.runGetMethod']
  return [
    async () => ({
      ...sameParams(v2, { address: wallet, limit: 3 }),
      ...sameParams(v3, { address: wallet }),
      ...sameParams(runs, { address: wallet, method: 'seqno', stack: [] }),
    }),
    async () => {
      const { last } = await ask('getMasterchainInfo')
      const seqno = Number(isRow(last) ? last.seqno : Number.NaN)
      const block = { workchain: -1, shard: '-9223372036854775808', seqno }
      const named = ['lookupBlock', 'getBlockHeader', 'getBlockTransactions', 'getBlockTransactionsExt']
      return {
        ...sameParams(['getShards', 'shards', 'getMasterchainBlockSignatures'], { seqno }),
        ...sameParams([...named, 'getShardBlockProof'], block),
      }
    },
    async () => {
      const { last } = await ask('v3.masterchainInfo')
      const seqno = Number(isRow(last) ? last.seqno : Number.NaN)
      const names = ['masterchainBlockShardState', 'masterchainBlockShards', 'transactionsByMasterchainBlock']
      return sameParams(
        names.map((name) => `v3.${name}`),
        { seqno },
      )
    },
  ]
}
