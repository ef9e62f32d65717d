// Pages of the explorer: the frame with the results of the first view's calls, which therefore needs no further request.

import type { IncomingMessage } from 'node:http'
import { CHAIN_HEAD } from '../../../shared/explorer/chainHead.ts'
import { frameQueries } from '../../../shared/explorer/explorerQueries.ts'
import { type Query, queryKey } from '../../../shared/explorer/explorerQuery.ts'
import { namesByOpcode } from '../../../shared/explorer/operationName.ts'
import { type PagePart, partOf } from '../../../shared/explorer/pageParts.ts'
import { REFUSED } from '../../../shared/explorer/secretText.ts'
import { type View, viewOf } from '../../../shared/explorer/views.ts'
import type { Network } from '../../../shared/network.ts'
import type { Api } from '../../../shared/registry.ts'
import type { Caller } from '../../access/index.ts'
import type { Docs } from '../../docs/index.ts'
import { SlicedWork } from '../../fairness/index.ts'
import { type ChargedCall, type Dispatch, lengthOfAnswer, NO_MODIFIERS, type RunAnswer } from '../../methods/index.ts'
import { timeLimit, waitAtMost } from '../../process/index.ts'
import type { WhyNoControl } from '../callers/controlAccess.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import type { HttpLimits } from '../httpOptions.ts'
import { verbOf } from '../requests/head.ts'
import { themeOf } from './chosenTheme.ts'
import { firstCalls, type ResultOf } from './firstCalls.ts'

/** A document as its own path answers. */
export interface Document {
  readonly status: number
  readonly text: string
}

export interface ExplorerParts {
  readonly network: Network
  readonly publicUrl: string | null
  readonly docs: Docs
  readonly limits: Pick<HttpLimits, 'pageMs' | 'pageCallsMs'>
  /** Path of the operator's decoders below the root; null without. */
  readonly plugin: string | null
  readonly dispatch: Dispatch
  readonly pictures: boolean
  readonly whyNoControl: WhyNoControl
  /** Whose budget pays for the calls of a page. */
  readonly callerOf: (req: IncomingMessage) => Caller
  /** What this caller gets at a path; null for a path that has no text. */
  readonly documentAt: (path: string, exchange: HttpExchange) => Promise<Document | null>
}

/** What goes into a page. */
interface Written {
  /** Query of the same page that waits for late results; null when no result was late, or it has waited. */
  readonly withoutScripts: string | null
  readonly part: PagePart | null
  readonly refusal: string | null
  readonly replies: ReadonlyMap<string, string>
  readonly documents: Readonly<Record<string, Document>>
  readonly operations: Readonly<Record<string, string>>
  readonly genesis: string | null
}

/** What the first calls need; `whyNoControl` as it is for this caller. */
interface ResultParts extends Pick<ExplorerParts, 'network' | 'dispatch' | 'callerOf' | 'documentAt' | 'limits'> {
  readonly whyNoControl: string | null
  readonly genesis: Genesis
}

export interface Explorer {
  /** The HTML of a path; null when it has no page. */
  page(exchange: HttpExchange): Promise<string | null>
}

/** Longer results are left to the page. */
const MOST_CHARACTERS = 400_000

/** Of actions: messages have the names next to them. */
const OPCODES = /"opcode":"(0x[0-9a-f]{8})"(?!,"decoded_opcode")/g
/** Of one call of `v3.decode`. */
const MOST_OPCODES = 1_000

/** Whether the sender is a browser that opens a page. */
export const opensPage = (req: IncomingMessage): boolean =>
  verbOf(req) === 'GET' && /\btext\/html\b/.test(req.headers.accept ?? '')

/** Query parameter of the redirect for browsers without scripts. */
const SCRIPTS = 'scripts'
/** Browsers send this; crawlers and chat previews send something else, or name themselves as a bot. */
const BROWSER = /^Mozilla\/(?!.*(?:compatible;|bot\b))/i

/** Whether a script of the page will request late results. */
const hasScripts = ({ headers }: IncomingMessage, search: URLSearchParams): boolean =>
  search.get(SCRIPTS) !== 'off' && BROWSER.test(headers['user-agent'] ?? '')

/** Query of the same page that waits for all results. */
const withoutScripts = (search: URLSearchParams): string => `?${new URLSearchParams([...search, [SCRIPTS, 'off']])}`

/** Results of a view's first calls, as far as they fit into its page. */
class FirstResults {
  readonly #replies = new Map<string, string>()
  readonly #documents = new Map<string, Document>()
  /** Characters that still fit. */
  #room = MOST_CHARACTERS

  readonly resultOf: ResultOf = (query) => JSON.parse(this.#replies.get(queryKey(query)) ?? 'null') ?? undefined

  keepReply(query: Query, answer: RunAnswer): void {
    // Looked at first: a long answer is bytes, of which a string would be a copy.
    if (this.#fits(lengthOfAnswer(answer))) this.#replies.set(queryKey(query), answer.json)
  }

  keepDocument(path: string, document: Document): void {
    if (this.#fits(document.text.length)) this.#documents.set(path, document)
  }

  /** What is here now; what comes later is not in it. */
  kept(): Pick<Written, 'replies' | 'documents'> {
    return { replies: new Map(this.#replies), documents: Object.fromEntries(this.#documents) }
  }

  /** Opcodes in what is here. */
  opcodes(): readonly string[] {
    const found = new Set<string>()
    for (const json of this.#replies.values()) for (const [, opcode = ''] of json.matchAll(OPCODES)) found.add(opcode)
    return [...found].slice(0, MOST_OPCODES)
  }

  #fits(length: number): boolean {
    if (length > this.#room) return false
    this.#room -= length
    return true
  }
}

function namesIn(json: string, opcodes: readonly string[]): Record<string, string> {
  const { opcodes: names }: Api['v3.decode']['result'] = JSON.parse(json)
  return Object.fromEntries(namesByOpcode(opcodes, names))
}

/** Root hash of the zero state. It is the same as long as this process runs, so it is called for until it is known. */
class Genesis {
  known: string | null = null

  async learn(dispatch: Dispatch, call: ChargedCall): Promise<void> {
    if (this.known !== null) return
    const { json } = await dispatch.run(CHAIN_HEAD.method, {}, call)
    const { init }: Api['getMasterchainInfo']['result'] = JSON.parse(json)
    this.known = init.root_hash
  }
}

/** Makes the first calls of a view, and waits for their results as long as a page is held back. */
async function firstResults(view: View, exchange: HttpExchange, parts: ResultParts): Promise<Written> {
  const { network, dispatch, whyNoControl, limits, genesis } = parts
  const search = new URLSearchParams(exchange.query)
  const first = firstCalls(view, search)
  const results = new FirstResults()
  const call: ChargedCall = {
    caller: parts.callerOf(exchange.req),
    requestId: exchange.requestId,
    signal: timeLimit(limits.pageCallsMs),
    modifiers: NO_MODIFIERS,
    whyNoControl,
    budget: null,
  }
  const answer = async (query: Query): Promise<void> => {
    try {
      results.keepReply(query, await dispatch.run(query.method, { ...query.params }, call))
    } catch {
      // The page makes the same call and shows why it fails.
    }
  }
  const run = (queries: readonly Query[]) =>
    queries.filter(({ method }) => whyNoControl === null || !method.startsWith('dev.')).map(answer)
  const read = async (path: string): Promise<void> => {
    const found = await parts.documentAt(path, exchange).catch(() => null)
    if (found !== null) results.keepDocument(path, found)
  }
  let isLate = false
  let isWhole = false
  const all = async (): Promise<void> => {
    const { queries = [], documents: paths = [], next } = first
    // Without it the page takes that of its first request, which can be of another chain after a restart.
    const learned = genesis.learn(dispatch, call).catch(() => undefined)
    await Promise.all([...run([...frameQueries(network), ...queries]), ...paths.map(read), learned])
    if (next !== undefined && !isLate) await Promise.all(run(next(results.resultOf)))
    isWhole = true
  }
  const operations = async (): Promise<Record<string, string>> => {
    const opcodes = results.opcodes()
    if (opcodes.length === 0) return {}
    const { json } = await dispatch.run('v3.decode', { opcodes }, call)
    return namesIn(json, opcodes)
  }
  const isShort = hasScripts(exchange.req, search)
  await waitAtMost(all(), isShort ? limits.pageMs : limits.pageCallsMs)
  isLate = true
  // What many pages have waited for comes to all of them in one turn of the event loop.
  await new SlicedWork({ subject: call.caller.subject }).ownTurn()
  const isRefused = first.refusal !== undefined && !search.has(REFUSED)
  return {
    withoutScripts: isRefused ? `?${REFUSED}=` : isShort && !isWhole ? withoutScripts(search) : null,
    part: partOf(view, search, first.isMissing?.(results.resultOf) ?? false),
    refusal: first.refusal ?? null,
    ...results.kept(),
    genesis: genesis.known,
    // Without them the page calls for the names.
    operations: await operations().catch(() => ({})),
  }
}

export function createExplorer({ network, publicUrl, docs, ...parts }: ExplorerParts): Explorer {
  const known = new Genesis()
  return {
    async page(exchange) {
      const view = viewOf(exchange.path, network)
      if (view === null) return null
      const control = parts.whyNoControl(exchange.req, 'page')
      const isControlled = network === 'devnet' && control === null
      const { documents, operations, genesis, ...written } = await firstResults(view, exchange, {
        ...parts,
        network,
        whyNoControl: control,
        genesis: known,
      })
      const boot = {
        network,
        now: Date.now(),
        publicUrl,
        control: isControlled,
        pictures: parts.pictures,
        documents,
        operations,
        genesis,
      }
      return docs.shell({
        ...written,
        view,
        path: exchange.path,
        theme: themeOf(exchange.req),
        boot,
        plugin: parts.plugin,
      })
    },
  }
}
