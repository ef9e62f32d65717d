// The time each statement of a connection may take. Several may be asked at once; the database answers them one after the
// other, and the time of one begins when the one before it is answered.

interface Statement {
  begin(): void
}

export class Limits {
  readonly #asked: Statement[] = []

  /** Calls `late` when the statement takes longer; to be told of its answer by the function returned. */
  begin(limitMs: number, late: () => void): () => void {
    let timer: NodeJS.Timeout | undefined
    const statement: Statement = {
      begin() {
        if (Number.isFinite(limitMs)) timer = setTimeout(late, limitMs)
      },
    }
    this.#asked.push(statement)
    if (this.#asked.length === 1) statement.begin()
    return () => {
      clearTimeout(timer)
      const at = this.#asked.indexOf(statement)
      if (at >= 0) this.#asked.splice(at, 1)
      if (at === 0) this.#asked[0]?.begin()
    }
  }
}
