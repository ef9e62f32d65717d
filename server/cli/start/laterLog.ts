// What is to be logged before the log is loaded.

import type { Notes } from '../../observe/index.ts'

interface Line {
  readonly level: keyof Notes
  readonly facts: object
  readonly text: string
}

/** Keeps lines until there is a log, then passes them on. */
export class LaterLog implements Notes {
  #log: Notes | null = null
  #lines: Line[] = []

  info(facts: object, text: string): void {
    this.#take({ level: 'info', facts, text })
  }

  warn(facts: object, text: string): void {
    this.#take({ level: 'warn', facts, text })
  }

  passTo(log: Notes): void {
    this.#log = log
    const lines = this.#lines
    this.#lines = []
    for (const line of lines) this.#take(line)
  }

  #take(line: Line): void {
    if (this.#log === null) this.#lines.push(line)
    else this.#log[line.level](line.facts, line.text)
  }
}
