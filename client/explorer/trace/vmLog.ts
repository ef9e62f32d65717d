// The log of the TVM as steps: each instruction with its gas, and the stack it found.

export interface VmStep {
  /** Counted from the first instruction of the run, which is 1. */
  readonly number: number
  readonly instruction: string
  /** Before the instruction, as the log has it; `stackItems` reads it. */
  readonly stack: string
  /** Gas left after it; null when the log does not say. */
  readonly left: number | null
  /** What it used; null for the first one, and where the limit was raised. */
  readonly used: number | null
  /** Cell of the code, and the bit in it. */
  readonly place: { readonly cell: string; readonly offset: number } | null
  /** What else the machine wrote: loops, actions, exceptions. */
  readonly notes: readonly string[]
}

const STACK = /^stack: \[ ?(.*?) ?\] *$/
const PLACE = /^code cell hash: ([0-9A-F]{64}) offset: (\d+)$/
const EXECUTE = 'execute '
const GAS = /^gas remaining: (-?\d+)$/
const RAISED = /^changing gas limit /

type Open = { -readonly [K in keyof Omit<VmStep, 'notes' | 'number'>]: VmStep[K] } & { readonly notes: string[] }

/** Of a log without its beginning the steps are counted from their end: `count` is how many there were. */
export function readVmLog(log: string, count: number | null): readonly VmStep[] {
  const steps: Open[] = []
  let stack = ''
  let place: VmStep['place'] = null
  let gas: number | null = null
  for (const line of log.split('\n')) {
    const step = steps.at(-1)
    if (line.startsWith(EXECUTE)) {
      steps.push({ instruction: line.slice(EXECUTE.length), stack, left: null, used: null, place, notes: [] })
      place = null
      continue
    }
    const found = STACK.exec(line)
    const [, cell, offset] = PLACE.exec(line) ?? []
    const left = GAS.exec(line)?.[1]
    if (found) stack = found[1] ?? ''
    else if (cell !== undefined) place = { cell: cell.toLowerCase(), offset: Number(offset) }
    else if (step === undefined || line === '') continue
    else if (left !== undefined) {
      const wasRaised = step.notes.some((note) => RAISED.test(note))
      step.left = Number(left)
      step.used = gas === null || wasRaised ? null : gas - step.left
      gas = step.left
    } else step.notes.push(line)
  }
  const before = Math.max(0, (count ?? steps.length) - steps.length)
  return steps.map((step, at) => ({ ...step, number: before + at + 1 }))
}

const OPENING = '[({'
const CLOSING = '])}'
/** `CS{…} bits: 0..8; refs: 0..0` is one value, with spaces in it. */
const FURTHER = /^(?:bits:|refs:|\d+\.\.\d+[;}])/

/** Values of a stack, the top one first. */
export function stackItems(stack: string): readonly string[] {
  const items: string[] = []
  let depth = 0
  let from = 0
  const end = (to: number): void => {
    const text = stack.slice(from, to)
    if (text === '') return
    if (FURTHER.test(text) && items.length > 0) items[items.length - 1] += ` ${text}`
    else items.push(text)
  }
  for (let at = 0; at < stack.length; at++) {
    const sign = stack.charAt(at)
    if (OPENING.includes(sign)) depth++
    else if (CLOSING.includes(sign)) depth = Math.max(0, depth - 1)
    else if (sign === ' ' && depth === 0) {
      end(at)
      from = at + 1
    }
  }
  end(stack.length)
  return items.reverse()
}
