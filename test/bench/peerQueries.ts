// What `peer` asks of both servers: kinds of reads, each of many URLs, so that few are answered from a cache.

type Listed = Readonly<Record<string, unknown>>

const MOST_URLS = 400
/** At the end of a path: a limit above what any of its answers has. */
export const UNREACHED = 1000
const SAMPLES = [0, 2_000, 10_000, 30_000]

async function listOf(url: string, path: string): Promise<Listed[]> {
  const response = await fetch(`${url}/api/v3/${path}`)
  if (!response.ok) return []
  const body = (await response.json()) as Listed
  return (Object.values(body).find((value) => Array.isArray(value)) ?? []) as Listed[]
}

const distinct = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value): value is string => typeof value === 'string')),
]

const text = encodeURIComponent

/** URLs by the name of their kind. */
export async function peerQueries(url: string): Promise<Map<string, string[]>> {
  const sampled = (path: string) =>
    Promise.all(SAMPLES.map((offset) => listOf(url, `${path}limit=250&offset=${offset}`)))
  const transactions = (await sampled('transactions?exclude_system=true&')).flat()
  const traces = (await sampled('traces?')).flat()
  const transfers = await listOf(url, 'jetton/transfers?limit=1000')
  const wallets = await listOf(url, 'jetton/wallets?limit=1000')
  const items = await listOf(url, 'nft/items?limit=1000')
  const accounts = distinct(transactions.map(({ account }) => account))
  const hashes = distinct(transactions.map(({ hash }) => hash))
  const messages = distinct(transactions.map(({ in_msg }) => (in_msg as Listed | null)?.hash))
  const times = distinct(transactions.map(({ lt }) => lt))
  const seqnos = [...new Set(transactions.map(({ mc_block_seqno }) => mc_block_seqno))]
  const owners = distinct([...transfers.map(({ source }) => source), ...wallets.map(({ owner }) => owner)])
  const sources = distinct(transactions.flatMap(({ in_msg }) => (in_msg as Listed | null)?.source))
  const kinds: Readonly<Record<string, readonly string[]>> = {
    masterchainInfo: ['masterchainInfo'],
    'transactions of an account, 10': accounts.map((one) => `transactions?account=${text(one)}&limit=10`),
    'transactions of an account, 100': accounts.map((one) => `transactions?account=${text(one)}&limit=100`),
    'transactions before an lt, 100': times.map((lt) => `transactions?end_lt=${lt}&limit=100&sort=desc`),
    'transactions at offset 10,000, 10': times.map((_, i) => `transactions?offset=${10_000 + i}&limit=10`),
    'transaction by hash': hashes.map((hash) => `transactions?hash=${text(hash)}&limit=${UNREACHED}`),
    'transactions by message': messages.map(
      (hash) => `transactionsByMessage?msg_hash=${text(hash)}&limit=${UNREACHED}`,
    ),
    'transactions of a block, 100': seqnos.map((seqno) => `transactionsByMasterchainBlock?seqno=${seqno}&limit=100`),
    'messages before an lt, 100': times.map((lt) => `messages?end_lt=${lt}&limit=100&sort=desc`),
    'messages by source, 50': sources.map((source) => `messages?source=${text(source)}&limit=50`),
    'jetton transfers of an owner, 100': owners.map((one) => `jetton/transfers?owner_address=${text(one)}&limit=100`),
    'jetton wallets of an owner': owners.map((one) => `jetton/wallets?owner_address=${text(one)}&limit=${UNREACHED}`),
    'nft items of an owner': distinct(items.map(({ owner_address }) => owner_address)).map(
      (one) => `nft/items?owner_address=${text(one)}&limit=${UNREACHED}`,
    ),
    'account states': accounts.map((one) => `accountStates?address=${text(one)}`),
    'actions of an account, 20': accounts.map((one) => `actions?account=${text(one)}&limit=20`),
    'traces of an account, 10': accounts.map((one) => `traces?account=${text(one)}&limit=10`),
    'trace by id': distinct(traces.map(({ trace_id }) => trace_id)).map(
      (id) => `traces?trace_id=${text(id)}&limit=${UNREACHED}`,
    ),
    'blocks, 100': seqnos.map((_, i) => `blocks?offset=${i}&limit=100`),
  }
  return new Map(
    Object.entries(kinds).map(([name, paths]) => [name, paths.slice(0, MOST_URLS).map((path) => `/api/v3/${path}`)]),
  )
}
