// What a time of a profile was spent on, in a line.

import type { Profiler } from 'node:inspector'
import { basename } from 'node:path'

type Node = Profiler.ProfileNode

/** A branch that holds less of its parent's time is not followed. */
const MOST_OF_IT = 0.6
const SHOWN = 4
const IDLE = '(idle)'
const GARBAGE = '(garbage collector)'

export class TurnCauses {
  readonly #byId = new Map<number, Node>()
  readonly #parentOf = new Map<number, number>()
  readonly #samples: readonly { readonly at: number; readonly us: number; readonly id: number }[]

  constructor({ nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile) {
    for (const node of nodes) {
      this.#byId.set(node.id, node)
      for (const child of node.children ?? []) this.#parentOf.set(child, node.id)
    }
    let at = startTime
    this.#samples = samples.map((id, i) => {
      const us = timeDeltas[i + 1] ?? 0
      at += timeDeltas[i] ?? 0
      return { at, us, id }
    })
  }

  /** Of the time between two moments: what most of it was, and the part of it that was collection of garbage. */
  of(from: number, until: number): string {
    const within = this.#samples.filter(({ at }) => at >= from && at < until)
    const all = new Map<number, number>()
    let busy = 0
    let garbage = 0
    for (const { us, id } of within) {
      const { functionName } = this.#byId.get(id)?.callFrame ?? { functionName: IDLE }
      if (functionName === IDLE) continue
      busy += us
      if (functionName === GARBAGE) garbage += us
      for (let node: number | undefined = id; node !== undefined; node = this.#parentOf.get(node))
        all.set(node, (all.get(node) ?? 0) + us)
    }
    const path: string[] = []
    let [node] = [...all.keys()].filter((id) => !this.#parentOf.has(id))
    for (let most = busy; node !== undefined; ) {
      const children: number[] = this.#byId.get(node)?.children ?? []
      const [heaviest] = children.sort((a, b) => (all.get(b) ?? 0) - (all.get(a) ?? 0))
      if (heaviest === undefined || (all.get(heaviest) ?? 0) < most * MOST_OF_IT) break
      most = all.get(heaviest) ?? 0
      node = heaviest
      const { functionName, url } = this.#byId.get(node)?.callFrame ?? { functionName: '', url: '' }
      const name = `${functionName} ${basename(url)}`
      // One that calls itself is named once.
      if (functionName !== '' && !functionName.startsWith('(') && path.at(-1) !== name) path.push(name)
    }
    const shares = [...all]
      .map(([id, us]) => ({ frame: this.#byId.get(id)?.callFrame, us }))
      .filter(({ frame }) => frame !== undefined && frame.functionName !== '' && !/^$|^node:/.test(frame.url))
      .sort((a, b) => b.us - a.us)
      .slice(0, SHOWN)
      .map(({ frame, us }) => `${frame?.functionName} ${Math.round((us / busy) * 100)} %`)
    if (path.length === 0) path.push(shares.join(', '))
    const collected = busy > 0 ? Math.round((garbage / busy) * 100) : 0
    return `${path.slice(-SHOWN).join(' > ')}${collected > 10 ? `; ${collected} % garbage` : ''}`
  }
}
