// Keys in the database that the processes of a service share. All of them are in memory, and changes are read by version:
// so an unknown key costs no query, and known ones work on while the database is away.

import { NETWORKS } from '../../shared/network.ts'
import { failureText, SameTrouble, waitAtMost } from '../process/index.ts'
import {
  changeKeyRows,
  type Database,
  type KeyRow,
  type KeyRowChange,
  readKeyRows,
  readPlanRows,
  type Sql,
  writeKeyUses,
} from '../store/index.ts'
import type { Plan } from './access.ts'
import { sameHash } from './apiKeys.ts'
import { changeKey, issueKey, type KeyRecord, revokeKey, rotateKey } from './keyRecord.ts'
import { type KeyStore, STORE_LAG } from './keyStore.ts'
import { asKeyStoreError, KeyStoreError } from './keyStoreError.ts'
import { BUILT_IN, CUSTOM, planNamed, rateOf } from './plans.ts'
import { Refreshing } from './refreshing.ts'

/** A call waits so long for a database that is slow; then what was known before decides. */
const PATIENCE_MS = 300
const USES_MS = 10_000

export interface SqlKeyStoreOptions {
  /** Its reads must not be behind its writes: no replica. */
  readonly database: Pick<Database, 'read' | 'transaction' | 'close'>
  /** Wall clock in milliseconds. */
  readonly now?: () => number
  /** Called on failures a running server survives. */
  readonly report?: (error: Error) => void
}

/** Throws KeyStoreError `damaged` for what this program has not written. */
function recordOf(row: KeyRow): KeyRecord {
  const network = NETWORKS.find((name) => name === row.network)
  if (network === undefined)
    throw new KeyStoreError('damaged', `The key ${row.id} in the database has an unknown network`)
  const { ownPlan, plan, perSecond, ...record } = row
  return { ...record, network, plan: ownPlan ?? plan, perSecond: ownPlan === null ? perSecond : null }
}

/** A plan that older programs do not know is a custom one to them, of the `rate` it had when the secret was made. */
function rowOf({ plan, ...record }: KeyRecord, rate: number | null = null): KeyRow {
  return planNamed(BUILT_IN, plan) === null
    ? { ...record, plan: CUSTOM, ownPlan: plan, perSecond: rate }
    : { ...record, plan, ownPlan: null }
}

/** Keeps keys in tables of a database, which it closes. */
export function createSqlKeyStore(options: SqlKeyStoreOptions): KeyStore & KeyImport {
  return new SqlKeyStore(options)
}

export interface KeyImport {
  /** Adds secrets that are not there yet; the number of them. */
  add(records: readonly KeyRecord[]): Promise<number>
}

class SqlKeyStore implements KeyStore, KeyImport {
  readonly #database: SqlKeyStoreOptions['database']
  readonly #now: () => number
  readonly #report: (error: Error) => void
  #byHash = new Map<string, KeyRecord>()
  #plans: readonly Plan[] = []
  #version = 0n
  /** Of the table that was read. */
  #file = 0n
  /** The last primary that was read: replicas, which a balancer may lead to, follow it. */
  #primary: string | null = null
  #isLoaded = false
  readonly #refreshing: Refreshing
  #isTroubled = false
  #used = new Map<string, number>()
  readonly #usesTrouble = new SameTrouble()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ database, now = Date.now, report = (error) => process.emitWarning(error) }: SqlKeyStoreOptions) {
    this.#database = database
    this.#now = now
    this.#refreshing = new Refreshing({ now, lagMs: STORE_LAG, refresh: () => this.#refresh() })
    this.#report = report
  }

  async find(hash: string): Promise<KeyRecord | null> {
    await this.#look()
    const record = this.#byHash.get(hash)
    if (record !== undefined && sameHash(record.hash, hash)) return record
    // It may have been made since the keys were read.
    if (this.#isTroubled) throw new KeyStoreError('busy', 'The keys in the database cannot be read now')
    return null
  }

  async known(): Promise<Iterable<KeyRecord>> {
    await this.#look()
    return this.#byHash.values()
  }

  async list(): Promise<readonly KeyRecord[]> {
    const { rows } = await asKeyStoreError(readKeyRows(this.#database.read, 0n))
    return rows.flatMap((row) => this.#readable(row) ?? [])
  }

  plan(name: string): Plan | null {
    return planNamed(this.#plans, name)
  }

  create: KeyStore['create'] = (order) =>
    this.#change('', async (_, to) => {
      const plans = await readPlanRows(to)
      const issued = issueKey([], order, this.#now(), plans)
      const rate = rateOf(planNamed(plans, order.plan), order.perSecond)
      return { rows: [rowOf(issued.record, rate)], answer: issued }
    })

  rotate: KeyStore['rotate'] = (id, overlap) =>
    this.#change(id, (rows) => {
      const { issued, records } = rotateKey(rows.map(recordOf), id, overlap, this.#now())
      const rate = rows.at(-1)?.perSecond ?? null
      return { rows: records.map((record) => rowOf(record, rate)), answer: issued }
    })

  change: KeyStore['change'] = (id, changes) =>
    this.#change(id, (rows) => {
      const records = changeKey(rows.map(recordOf), id, changes, this.#now())
      return { rows: records.map((record) => rowOf(record)), answer: records }
    })

  revoke: KeyStore['revoke'] = (id) =>
    this.#change(id, (rows) => {
      const records = revokeKey(rows.map(recordOf), id, this.#now())
      return { rows: records.map((record) => rowOf(record)), answer: records }
    })

  add(records: readonly KeyRecord[]): Promise<number> {
    return this.#change(null, (rows) => {
      const known = new Set(rows.map(({ hash }) => hash))
      const fresh = records.filter(({ hash }) => !known.has(hash))
      return { rows: fresh.map((record) => rowOf(record)), answer: fresh.length }
    })
  }

  async touch(hash: string, at: number): Promise<void> {
    this.#used.set(hash, at)
    this.#plan()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#flush()
    await this.#database.close()
  }

  async #change<T>(
    id: string | null,
    change: (rows: readonly KeyRow[], to: Sql) => KeyRowChange<T> | Promise<KeyRowChange<T>>,
  ): Promise<T> {
    const answer = await asKeyStoreError(changeKeyRows(this.#database, id, change))
    await this.#refreshing.expire()
    // A new key may be used at once, and a revoked one must not be, however slow the database is.
    if (this.#isLoaded) await this.#refreshing.look()
    return answer
  }

  /** Reads what has changed when the last look was too long ago. */
  async #look(): Promise<void> {
    const refresh = this.#refreshing.look()
    if (refresh !== null) await (this.#isLoaded ? waitAtMost(refresh, PATIENCE_MS) : refresh)
  }

  async #refresh(): Promise<void> {
    try {
      const changed = await asKeyStoreError(readKeyRows(this.#database.read, this.#version))
      // After a restore, or with another primary, versions that were seen here may be used again, and newer keys be gone.
      const isOther = changed.primary !== null && changed.primary !== this.#primary
      const isRestored = isOther || changed.version < this.#version || changed.file !== this.#file
      // What was read from the first version on is whole.
      const isWhole = !isRestored || this.#version === 0n
      const read = isWhole ? changed : await asKeyStoreError(readKeyRows(this.#database.read, 0n))
      const { version, file, primary, rows } = read
      // After the keys: no key is read without its plan, unless both are removed in between.
      if (version !== this.#version || isRestored || !this.#isLoaded)
        this.#plans = await asKeyStoreError(readPlanRows(this.#database.read))
      const byHash = isRestored ? new Map<string, KeyRecord>() : this.#byHash
      for (const row of rows) {
        const record = this.#readable(row)
        if (record !== null) byHash.set(row.hash, record)
      }
      this.#byHash = byHash
      this.#version = version
      this.#file = file
      this.#primary = primary ?? this.#primary
      this.#isLoaded = true
      this.#isTroubled = false
    } catch (error) {
      if (!this.#isLoaded) throw error
      if (!this.#isTroubled)
        this.#report(new Error('Keys cannot be read from the database: keys read before stay valid', { cause: error }))
      this.#isTroubled = true
    }
  }

  /** Null for a key of a network that only newer programs know: it opens nothing here, and must not hide the others. */
  #readable(row: KeyRow): KeyRecord | null {
    try {
      return recordOf(row)
    } catch (error) {
      if (!(error instanceof KeyStoreError)) throw error
      this.#report(error)
      return null
    }
  }

  #plan(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#flush(), USES_MS).unref()
  }

  async #flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const used = this.#used
    if (used.size === 0) return
    this.#used = new Map()
    try {
      await writeKeyUses(this.#database, used)
      this.#usesTrouble.end()
    } catch (error) {
      for (const [hash, at] of used) if (!this.#used.has(hash)) this.#used.set(hash, at)
      if (this.#usesTrouble.isNew(failureText(error)))
        this.#report(new Error('Last-used times of keys could not be stored: they are kept', { cause: error }))
      this.#plan()
    }
  }
}
