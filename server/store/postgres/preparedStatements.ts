// Reads that are run often are prepared. A server then parses them once for each connection, and plans those that have one plan
// for all values once: a page of ten transactions takes it 0.4 ms instead of 1.9.
//
// Behind a pooler nothing is prepared: two clients may share a session there, in which they would have the same names.

import type pg from 'pg'
import type { SqlText } from '../database.ts'
import { StatementNames } from '../statementNames.ts'
import { StoreError } from '../storeError.ts'

/** Maximum prepared statements. Each takes up to 400 kB of the server's memory in each connection that has used it. */
const MOST_NAMES = 32
/** A connection that has prepared more is replaced, which frees statements that are not used any more. */
const MOST_OF_CONNECTION = 2 * MOST_NAMES

/** Plans for the values of each call, or once for all values. */
type PlanMode = 'force_custom_plan' | 'force_generic_plan'

const set = (mode: PlanMode): string => `set plan_cache_mode = ${mode}`

const NO_SUCH_NAME = '26000'
const NAME_TAKEN = '42P05'
/** Code of, among others, a cached plan whose columns have changed. */
const UNSUPPORTED = '0A000'

interface Session {
  mode: PlanMode
  readonly names: Set<string>
}

export class PreparedStatements {
  readonly #names = new StatementNames({ most: MOST_NAMES, replaces: true })
  readonly #sessions = new WeakMap<pg.ClientBase, Session>()
  #isOff = false

  /** Begins a connection with a session of its own, not behind a pooler. */
  async greet(client: pg.ClientBase): Promise<void> {
    await client.query(set('force_custom_plan'))
    this.#sessions.set(client, { mode: 'force_custom_plan', names: new Set() })
  }

  /** The name of a statement that is sent next on this connection, outside of transactions; null for none. */
  nameOn(client: pg.ClientBase, { text, isSteady = false }: SqlText): string | null {
    const session = this.#sessions.get(client)
    if (this.#isOff || session === undefined) return null
    const name = this.#names.nameOf(text)
    if (name !== null) session.names.add(name)
    this.#plan(client, isSteady && name !== null ? 'force_generic_plan' : 'force_custom_plan')
    return name
  }

  /** For statements without a name. */
  leaveNames(client: pg.ClientBase): void {
    this.#plan(client, 'force_custom_plan')
  }

  /** Whether a connection should be replaced. */
  isFull(client: pg.ClientBase): boolean {
    return (this.#sessions.get(client)?.names.size ?? 0) > MOST_OF_CONNECTION
  }

  /** Runs a read, and once more when it failed because of its prepared statement. */
  async retried<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (!this.#isGone(error)) throw error
      return await read()
    }
  }

  #isGone(error: unknown): boolean {
    const state = error instanceof StoreError ? error.sqlState : null
    // A pooler that was not detected ended or shared the session.
    if (state === NO_SUCH_NAME || state === NAME_TAKEN) this.#isOff = true
    else if (state !== UNSUPPORTED) return false
    this.#names.renew()
    return true
  }

  /** Sent ahead of the statement, without waiting. When it fails, the connection is lost, and the statement with it. */
  #plan(client: pg.ClientBase, mode: PlanMode): void {
    const session = this.#sessions.get(client)
    if (session === undefined || session.mode === mode) return
    session.mode = mode
    client.query(set(mode)).catch(() => this.#sessions.delete(client))
  }
}
