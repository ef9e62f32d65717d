// A trace as text: who sent what to whom, and which actions that is.

import { opcodeText } from '../../../shared/abi/opcodeText.ts'
import { type ClassifiedAction, classifyTrace, type TraceMessage, type TraceTransaction } from '../../actions/index.ts'
import { printable } from '../../process/index.ts'
import type { KnownTrace } from './knownTrace.ts'

const short = (address: string | null): string =>
  address === null ? 'outside' : address.slice(0, address.indexOf(':') + 9)

const opcodeOf = ({ opcode }: TraceMessage): string =>
  opcode === null ? 'no opcode' : opcode === 0 ? 'text' : opcodeText(opcode)

const tonOf = ({ value }: TraceMessage): string => (value === null ? '' : `, ${Number(value) / 1e9} TON`)

/** Numbers of the actions each transaction is in. */
function marks(actions: readonly ClassifiedAction[], hash: string): string {
  const numbers = actions.flatMap(({ transactions }, i) => (transactions.includes(hash) ? [i + 1] : []))
  return numbers.length === 0 ? '' : `  [${numbers.join(' ')}]`
}

function lineOf({ inMessage, aborted, account, exitCode }: TraceTransaction): string {
  const way = inMessage === null ? `${short(account)} by the clock` : `${short(inMessage.source)} -> ${short(account)}`
  const what = inMessage === null ? '' : `: ${opcodeOf(inMessage)}${tonOf(inMessage)}`
  return `${way}${what}${aborted ? `, failed with ${exitCode ?? 'nothing run'}` : ''}`
}

/** The lines of the tree under a transaction, the transactions and messages without one in it. */
function treeLines({ trace }: KnownTrace, actions: readonly ClassifiedAction[]): string[] {
  const receivers = new Map(trace.transactions.map((one) => [one.inMessage?.hash, one]))
  const root = trace.transactions.find(({ hash }) => hash === trace.traceId) ?? trace.transactions[0]
  const lines: string[] = []
  const seen = new Set<TraceTransaction>()
  const waiting = root === undefined ? [] : [{ transaction: root, depth: 0 }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { transaction, depth } = at
    if (seen.has(transaction)) continue
    seen.add(transaction)
    const indent = '  '.repeat(depth)
    lines.push(`${indent}${lineOf(transaction)}${marks(actions, transaction.hash)}`)
    for (const message of transaction.outMessages)
      if (message.kind === 'externalOut') lines.push(`${indent}  log: ${opcodeOf(message)}`)
    const next = transaction.outMessages.flatMap(({ hash }) => receivers.get(hash) ?? [])
    for (const one of next.reverse()) waiting.push({ transaction: one, depth: depth + 1 })
  }
  return lines
}

function actionLines(actions: readonly ClassifiedAction[]): string[] {
  const depth = ({ ancestorTypes }: ClassifiedAction): string => '  '.repeat(ancestorTypes.length)
  return actions.flatMap((action, i) => [
    `${depth(action)}${i + 1}. ${action.type}${action.success ? '' : ', failed'}`,
    ...Object.entries(action.details).map(
      ([name, value]) => `${depth(action)}     ${name}: ${printable(`${JSON.stringify(value)}`)}`,
    ),
  ])
}

/** The tree, and below it the actions its lines name by number. */
export function traceText(known: KnownTrace): string {
  const { actions, failure } = classifyTrace(known.trace, known.facts)
  const trouble = failure === null ? [] : ['', `The rules failed: ${String(failure)}`]
  return [`trace ${known.trace.traceId}`, ...treeLines(known, actions), '', ...actionLines(actions), ...trouble].join(
    '\n',
  )
}
