// One logger for the service: JSON lines for machines, one readable line each on a terminal. Rooms get a child of it.

import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import { printable } from '../process/index.ts'

/** What is written to a log, also to one that is yet to be made. */
export interface Notes {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
}

export type Log = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

export interface LogOptions {
  readonly format: 'auto' | 'json' | 'pretty'
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Facts of every line. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** Whatever carries one of these names is blanked before it is written. */
const SECRETS = ['key', 'apiKey', 'api_key', 'secret', 'token', 'password', 'headers["x-api-key"]']

const COLORS: Readonly<Record<string, string>> = {
  debug: '\x1b[2m',
  info: '\x1b[32m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
}
const PLAIN = new Set(['level', 'time', 'msg', 'err'])

const DIM = '\x1b[2m'
const RESET = '\x1b[0m'

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const linesOf = (stack: string): string => stack.split('\n').map(printable).join('\n')

function prettyLine(json: string, colored: boolean): string {
  const paint = (color: string, text: string) => (colored && color !== '' ? `${color}${text}${RESET}` : text)
  const record: Readonly<Record<string, unknown>> = JSON.parse(json)
  const level = String(record.level)
  const time = new Date(String(record.time)).toTimeString().slice(0, 8)
  const facts = Object.entries(record)
    .filter(([name, value]) => !PLAIN.has(name) && value !== null)
    .map(([name, value]) => ` ${paint(DIM, `${name}=`)}${printable(textOf(value))}`)
  const { err } = record
  const stack =
    typeof err === 'object' && err !== null && 'stack' in err && err.stack ? `\n${linesOf(String(err.stack))}` : ''
  const head = `${paint(DIM, time)} ${paint(COLORS[level] ?? '', level.padEnd(5))}`
  return `${head} ${printable(String(record.msg))}${facts.join('')}${stack}\n`
}

/** Where lines go; in colors to a terminal. */
type LogStream = Writable & { readonly isTTY?: boolean }

const prettyStream = (out: LogStream) =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      out.write(prettyLine(chunk.toString('utf8'), out.isTTY === true && !process.env.NO_COLOR))
      done()
    },
  })

/** The words of the causes are put behind those of the error: here only where these do not say them already. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { message, cause } = error
  const facts = pino.stdSerializers.err(error)
  return cause instanceof Error && message.includes(cause.message) ? { ...facts, message } : facts
}

/** Writes to standard error, so that standard output stays free for what a command prints. */
export function createLog({ format, level, facts }: LogOptions, out: LogStream = process.stderr): Log {
  const options = {
    level,
    base: facts ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[hidden]' },
    serializers: { err: errorFacts },
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const pretty = format === 'pretty' || (format === 'auto' && out.isTTY)
  return pretty ? pino(options, prettyStream(out)) : pino(options, out)
}
