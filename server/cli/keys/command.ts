// `tonrpc keys`: issuing and ending API keys from the command line. It writes the same file a running server reads, which
// follows within two seconds, so nothing has to be restarted.
import type { Network } from '../../../shared/network.ts'
import { createFileKeyStore, type IssuedKey, type KeyStore, KeyStoreError, keyState } from '../../access/index.ts'
import { type KeysOrder, parseKeysArguments, UsageError } from './arguments.ts'
import { keysTable, momentOf, rateOf } from './table.ts'
export interface KeysIo {
  /** Data folder, unless `--data` names another. */
  readonly data: string
  /** Network of new keys, unless `--network` names another. */
  readonly network: Network
  out(line: string): void
  err(line: string): void
  /** One JSON document instead of text, as `--json`. */
  readonly json?: boolean
}

const HELP = `Usage: tonrpc keys <command> [options]

  create --plan PLAN     issue a key and print it, once
    --plan PLAN            free (10 requests per second), plus (25), advanced (100) or custom
    --rps N                requests per second of a custom plan, 1 to 1000000
    --label TEXT           whose key it is
    --expires DAYS         end after so many days; without it the key has no end
  list                   show all keys, without their secrets
  rotate ID              print a new secret for a key; plan, label and budget stay
    --overlap TIME         how long the old secret still works: 0, 30m, 24h (default), 7d
  revoke ID              end a key and all its secrets, within two seconds

  --network NAME         devnet, testnet or mainnet: of a new key, or the only one to list
  --data FOLDER          where the keys are kept
  --config FILE          settings of the service, to find them by
  --json                 print one JSON document
  --help                 print this`
/** Runs the words after `keys` and answers with the exit code: 0 done, 1 not possible, 2 not understood. */
export async function runKeys(argv: readonly string[], io: KeysIo): Promise<number> {
  try {
    const order = parseKeysArguments(argv)
    if (order.verb === 'help') {
      io.out(HELP)
      return 0
    }
    const store = createFileKeyStore(order.data ?? io.data, { report: (error) => io.err(error.message) })
    await perform(order, store, {
      ...io,
      out: io.out.bind(io),
      err: io.err.bind(io),
      json: order.json || io.json === true,
    })
    await store.close()
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`${error.message}.`)
      io.err('For all of it: tonrpc keys --help')
      return 2
    }
    io.err(
      error instanceof KeyStoreError ? `${error.message}.` : `The keys cannot be read or written: ${textOf(error)}`,
    )
    if (error instanceof KeyStoreError && error.reason === 'notFound')
      io.err('Ids are in the first column of: tonrpc keys list')
    return error instanceof KeyStoreError && error.reason === 'refused' ? 2 : 1
  }
}
async function perform(order: KeysOrder, store: KeyStore, io: KeysIo): Promise<void> {
  const now = Date.now()
  if (order.verb === 'create') {
    const { plan, perSecond, label, expiresIn } = order
    const expiresAt = expiresIn === null ? null : now + expiresIn
    show(await store.create({ network: order.network ?? io.network, plan, perSecond, label, expiresAt }), io)
  } else if (order.verb === 'list') {
    await list(store, order.network, io)
  } else if (order.verb === 'rotate') {
    show(await store.rotate(order.id, order.overlap), io, order.overlap)
  } else if (order.verb === 'revoke') {
    await revoke(store, order.id, io)
  }
}
function show({ key, record }: IssuedKey, io: KeysIo, overlap?: number): void {
  const { id, hint, network, plan, perSecond, label, createdAt, expiresAt } = record
  if (io.json) {
    io.out(JSON.stringify({ key, id, hint, network, plan, perSecond, label, createdAt, expiresAt }))
    return
  }
  io.out(key)
  io.out('This key is shown once and cannot be shown again: put it into a secret store now. Send it as X-API-Key.')
  const end = expiresAt === null ? 'no end' : `until ${momentOf(expiresAt)}`
  io.out(`Id ${id}, ${network}, plan ${plan} (${rateOf(record)}), ${end}.`)
  if (overlap === undefined) return
  const until = momentOf(createdAt + overlap)
  io.out(overlap === 0 ? 'The old secret no longer works.' : `The old secret works until ${until} at the latest.`)
}
async function list(store: KeyStore, network: Network | null, io: KeysIo): Promise<void> {
  const now = Date.now()
  const records = (await store.list()).filter((record) => network === null || record.network === network)
  if (io.json)
    io.out(JSON.stringify(records.map((record) => ({ ...record, hash: undefined, state: keyState(record, now) }))))
  else if (records.length === 0) io.out('No keys yet. To issue one: tonrpc keys create --plan free')
  else for (const line of keysTable(records, now)) io.out(line)
}
async function revoke(store: KeyStore, id: string, io: KeysIo): Promise<void> {
  const secrets = await store.revoke(id)
  if (io.json) io.out(JSON.stringify({ id, revoked: secrets.length }))
  else io.out(`Revoked ${id}. Running servers refuse it within two seconds.`)
}
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
