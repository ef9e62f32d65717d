// What a person sees after the start: where everything is.

import { resolve } from 'node:path'
import { clockWords } from '../../../shared/explorer/clockWords.ts'
import { limitsLocalCallers } from '../../access/index.ts'
import { type Config, indexPlace, type Service, type StartTrouble } from '../../app/index.ts'
import type { AccountDescription, StoryProgress } from '../../devchain/index.ts'
import { shellWord } from '../../process/index.ts'
import { placeWords } from '../keys/placeWords.ts'

const limitsInWords = ({ limits, network }: Config): string => {
  if (limits === 'off') return 'off'
  const keyless = 'without a key 1 call per second and address'
  return limitsLocalCallers(limits, network)
    ? `${keyless}, also from this machine: make a key, or start with --limits off`
    : `none for callers on this machine, else ${keyless}`
}

const limitsRow = (config: Config): [string, string] => ['rate limits', limitsInWords(config)]

const MOST_SHOWN = 120

/** Addresses for all interfaces, which a client cannot call. */
const ALL = new Set(['0.0.0.0', '[::]'])

/** `keys create` as it has to be typed here, so that the new key is one this service takes. */
function newKeyCommand(config: Config, keysCommand: string): string {
  const network = config.network === 'devnet' ? '' : ` --network ${config.network}`
  return `${keysCommand} create --plan free${placeWords(config)}${network}`
}

export interface StartedService {
  readonly config: Config
  /** Where the service listens. */
  readonly url: string
  readonly version: string
  /** From the start of the process. */
  readonly seconds: number
  /** The command line before `create`. */
  readonly keysCommand: string
  /** The command line before its flags. */
  readonly doctorCommand: string
  readonly accounts: readonly AccountDescription[]
  /** Whether the chain has begun to play its demo. */
  readonly playsDemo: boolean
  /** Block of the network that the chain was forked off; null for a chain of its own. */
  readonly forkedAt: number | null
  /** Seconds that the clock of the embedded chain is ahead of this computer's. */
  readonly clockLead: number
  readonly trouble: StartTrouble
  readonly lite: Service['lite']
  /** Megabytes heaps are sized for. */
  readonly memoryMb: number
}

const COIN = 1_000_000_000n

/** With commas. By `toLocaleString` it would take a start 50 ms to learn how English is written. */
const grouped = (value: bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

/** The public accounts with their keys. */
function accountLines(accounts: readonly AccountDescription[]): string[] {
  if (accounts.length === 0) return []
  const width = Math.max(...accounts.map(({ name }) => name.length))
  return [
    '  Test accounts. The keys are published: never use them on a public network. Addresses are as v3 prints them, v2 prints',
    '  the same as EQ..., and all forms are accepted. Wallets v5r1: walletId { networkGlobalId } as --global-id says, in',
    '  @ton/ton and the like; Blueprint: --custom-type testnet.',
    '',
    ...accounts.flatMap(({ name, kind, friendly, mnemonic, balance }) => [
      `  ${name.padEnd(width)}  ${kind.padEnd(6)}  ${friendly}  ${grouped(BigInt(balance) / COIN)} TON`,
      `  ${''.padEnd(width)}  ${mnemonic}`,
    ]),
    '',
  ]
}

const forkRow = ({ forkFrom, liteservers }: Config, seqno: number): [string, string] => [
  'forked off',
  `${forkFrom === 'custom' ? liteservers : forkFrom} at block ${seqno}: its accounts are read when they are needed first`,
]

function clockRows(lead: number): [string, string][] {
  const words = clockWords(lead)
  return words === null
    ? []
    : [['clock', `${words} To go back: dev.revert. To let the clocks meet again: dev.resetTime.`]]
}

const DEMO_ROW: [string, string] = [
  'demo',
  'is being created, about 10 s: reads work now, sends wait (--seed none for an empty chain)',
]

/** How far the demo has come: a line that is written over on a terminal, elsewhere only the last one. */
export function demoLine({ done, steps, title }: StoryProgress, seconds: number, isTerminal: boolean): string {
  const isOver = done === steps
  if (isOver) return `${isTerminal ? BEGINNING : ''}  demo played: ${steps} steps in ${seconds.toFixed(1)} s\n\n`
  return isTerminal ? `${BEGINNING}  demo ${done} of ${steps}: ${title}` : ''
}

/** Terminal code: to the start of the line, and clear it. */
const BEGINNING = '\r\u001b[2K'

type Heading = Pick<StartedService, 'config' | 'version' | 'seconds' | 'trouble'>

/** Without its chain a service answers nothing; an index that is still being opened is a matter of a moment. */
function headline({ config, version, seconds, trouble }: Heading): string {
  const name = `tonrpc ${version} `
  const { network } = config
  const onlyIndexes = config.role === 'index'
  if (trouble.chain !== null)
    return `${name}is NOT READY to ${onlyIndexes ? 'index' : 'serve'} ${network}: ${trouble.chain}`
  if (trouble.index !== null && onlyIndexes) return `${name}is NOT READY to index ${network}: ${trouble.index}`
  if (trouble.index !== null) return `${name}serves ${network} WITHOUT ITS INDEX, after ${seconds.toFixed(2)} s`
  return `${name}${onlyIndexes ? 'writes the index of' : 'serves'} ${network}, ready in ${seconds.toFixed(2)} s`
}

function indexRow(config: Config, { index }: StartTrouble): string {
  const place = indexPlace(config)
  const meaning = config.role === 'index' ? '' : ', v3 answers 503'
  return index === null ? place : `${place}: NOT READY${meaning}: ${index}`
}

const liteRows = (lite: Service['lite'], url: string): [string, string][] =>
  lite === null
    ? []
    : [
        ['lite server', `${lite.address}  key ${lite.key}`],
        ['its config', `${url}/global.config.json  ${resolve(lite.configPath)}`],
      ]

/** Where the chain is read from, on a network of lite servers, and what tells more when it cannot be read. */
function listRows(
  { network, liteservers, proofs }: Config,
  { chain }: StartTrouble,
  doctor: string,
): [string, string][] {
  if (network === 'devnet') return []
  const isLong = liteservers.length > MOST_SHOWN
  const named = isLong ? `${liteservers.slice(0, MOST_SHOWN)}...` : liteservers
  const row: [string, string] = ['lite servers', `${named}${proofs === 'full' ? '' : `  --proofs ${proofs}`}`]
  if (chain === null) return [row]
  const list = isLong ? '...' : shellWord(liteservers)
  return [row, ['examine them', `${doctor} --network ${network} --liteservers ${list}`]]
}

/** Where callers are answered; a process that only writes the index has no methods and no pages of a chain. */
const callerRows = ({ role }: Config, url: string): [string, string][] =>
  role === 'index'
    ? [['callers', 'are not answered here: --role index writes the index for processes of --role api']]
    : [
        ['start page', `${url}/`],
        ['JSON-RPC 2.0', `${url}/jsonRPC`],
        ['WebSocket', `${url.replace(/^http/, 'ws')}/jsonRPC`],
        ['v2', `${url}/api/v2/`],
        ['v2 JSON-RPC', `${url}/api/v2/jsonRPC`],
        ['v3', `${url}/api/v3/`],
      ]

/** With heaps for 384 MB a devnet with the embedded database took 424 MB within 40 s of 200 callers, and was still growing. */
const ENOUGH_MB = 512

const memoryInWords = ({ memory, network, database }: Config, memoryMb: number): string => {
  const hasAll = network === 'devnet' && database === 'pglite'
  if (hasAll && memory === 0 && memoryMb < ENOUGH_MB)
    return `TOO LITTLE: with ${memoryMb} MB the system may end it under load. Give it ${ENOUGH_MB} MB or more`
  const whose = memory > 0 ? 'as --memory says' : 'what this machine or its container has; --memory for another size'
  return `heaps sized for ${memoryMb} MB, ${whose}`
}

/** Addresses of a started service, a line each. */
export function banner({
  config,
  url: listening,
  version,
  seconds,
  keysCommand,
  doctorCommand,
  accounts,
  playsDemo,
  forkedAt,
  clockLead,
  trouble,
  lite,
  memoryMb,
}: StartedService): string {
  const { hostname, port } = new URL(listening)
  const everywhere = ALL.has(hostname)
  const url = everywhere ? `http://localhost:${port}` : listening
  const rows: [string, string][] = [
    ...callerRows(config, url),
    ['documents', `${url}/openapi/v2.json  ${url}/openapi/v3.json`],
    ...liteRows(lite, url),
    ['health', `${url}/healthz  ${url}/readyz  ${url}/metrics`],
    ['data folder', resolve(config.data)],
    ['index', indexRow(config, trouble)],
    ...listRows(config, trouble, doctorCommand),
    ...(playsDemo ? [DEMO_ROW] : []),
    ...(forkedAt === null ? [] : [forkRow(config, forkedAt)]),
    ...clockRows(clockLead),
    ['memory', memoryInWords(config, memoryMb)],
    ...(config.role === 'index' ? [] : [limitsRow(config)]),
    ['new API key', newKeyCommand(config, keysCommand)],
  ]
  if (everywhere) rows.splice(1, 0, ['listens on', `port ${port} of every address of this machine`])
  if (config.publicUrl !== '') rows.splice(1, 0, ['public address', config.publicUrl])
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  return ['', headline({ config, version, seconds, trouble }), '', ...lines, '', ...accountLines(accounts), ''].join(
    '\n',
  )
}
