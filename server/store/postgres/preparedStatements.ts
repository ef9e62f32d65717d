// Reads that are run often are prepared. A server then parses them once for each connection, and plans those that have one plan
// for all values once: a page of ten transactions takes it 0.4 ms instead of 1.9.
//
// Behind a pooler nothing is prepared: two clients may share a session there, in which they would have the same names.

import type pg from 'pg'
import type { SqlText } from '../database.ts'
import { SQL_STATES } from '../sqlStates.ts'
import { StatementNames } from '../statementNames.ts'
import { StoreError } from '../storeError.ts'

/** Maximum prepared statements. Each takes up to 400 kB of the server's memory in each connection that has used it. */
const MOST_NAMES = 32
/** A connection that has prepared more is replaced, which frees statements that are not used any more. */
const MOST_OF_CONNECTION = 2 * MOST_NAMES

/** Plans for the values of each call, or once for all values. */
type PlanMode = 'force_custom_plan' | 'force_generic_plan'

const set = (mode: PlanMode): string => `set plan_cache_mode = ${mode}`

interface Session {
  /** Null where a statement failed, which may have undone what was set with it. */
  mode: PlanMode | null
  readonly names: Set<string>
}

/** How a statement is sent. */
interface Sent {
  /** Null for none. */
  readonly name: string | null
  /** Sets how it and those behind it are planned; null where that is so. */
  readonly setting: string | null
}

const PLAIN: Sent = { name: null, setting: null }

function settingOf(session: Session, mode: PlanMode): string | null {
  if (session.mode === mode) return null
  session.mode = mode
  return set(mode)
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

  /** How a statement is sent on this connection, outside of transactions. */
  sent(client: pg.ClientBase, statement: SqlText): Sent {
    const session = this.#sessions.get(client)
    if (session === undefined) return PLAIN
    const name = this.#isOff ? null : this.#names.nameOf(statement.text)
    if (name !== null) session.names.add(name)
    const isGeneric = statement.isSteady === true && name !== null
    return { name, setting: settingOf(session, isGeneric ? 'force_generic_plan' : 'force_custom_plan') }
  }

  /** Called when a statement failed on this connection. */
  failed(client: pg.ClientBase): void {
    const session = this.#sessions.get(client)
    if (session !== undefined) session.mode = null
  }

  /** For statements without a name. Sent ahead of them, without waiting. */
  leaveNames(client: pg.ClientBase): void {
    const session = this.#sessions.get(client)
    const setting = session === undefined ? null : settingOf(session, 'force_custom_plan')
    if (setting !== null) client.query(setting).catch(() => this.#sessions.delete(client))
  }

  /** Whether a connection should be replaced. */
  isFull(client: pg.ClientBase): boolean {
    return (this.#sessions.get(client)?.names.size ?? 0) > MOST_OF_CONNECTION
  }

  /** Runs a read, and once more when it failed because of its prepared statement. */
  retried<T>(read: () => Promise<T>): Promise<T> {
    return read().catch((error: unknown) => {
      if (!this.#isGone(error)) throw error
      return read()
    })
  }

  #isGone(error: unknown): boolean {
    const state = error instanceof StoreError ? error.sqlState : null
    // A pooler that was not detected ended or shared the session.
    if (state === SQL_STATES.noSuchStatement || state === SQL_STATES.statementExists) this.#isOff = true
    else if (state !== SQL_STATES.unsupported) return false
    this.#names.renew()
    return true
  }
}
