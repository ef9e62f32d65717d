// Time limits of the statements of one connection. Several may be sent at once; the database runs them one after the other, so
// the time of one begins when the one before it is answered.

interface TimedStatement {
  begin(): void
}

export class StatementTimers {
  readonly #pending: TimedStatement[] = []

  /** Calls `late` when the statement exceeds its limit. The returned function must be called when the statement is answered. */
  begin(limitMs: number, late: () => void): () => void {
    let timer: NodeJS.Timeout | undefined
    const statement: TimedStatement = {
      begin() {
        if (Number.isFinite(limitMs)) timer = setTimeout(late, limitMs)
      },
    }
    this.#pending.push(statement)
    if (this.#pending.length === 1) statement.begin()
    return () => {
      clearTimeout(timer)
      const at = this.#pending.indexOf(statement)
      if (at >= 0) this.#pending.splice(at, 1)
      if (at === 0) this.#pending[0]?.begin()
    }
  }
}
