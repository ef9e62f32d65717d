// Answers that come in rounds: those in flight are held until no other is requested, and then all let go at once. So many rounds as a
// call takes, so many times it waits for what is far away.

/** Turns of the event loop without another call after which those in flight are answered. */
const IDLE_TURNS = 20

export class Rounds {
  /** What was requested, by rounds. */
  readonly all: string[][] = []
  #held: (() => void)[] = []
  #names: string[] = []
  #idle = 0

  /** Resolves with the round that it is requested in. */
  wait(name: string): Promise<void> {
    return new Promise((resolve) => {
      this.#idle = 0
      this.#names.push(name)
      if (this.#held.push(resolve) === 1) setImmediate(() => this.#turn())
    })
  }

  #turn(): void {
    if (this.#held.length === 0) return
    if (++this.#idle < IDLE_TURNS) {
      setImmediate(() => this.#turn())
      return
    }
    const answered = this.#held
    this.all.push(this.#names)
    this.#held = []
    this.#names = []
    for (const answer of answered) answer()
  }
}
