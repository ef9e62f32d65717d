// Pages of the explorer: the frame with the results of the first view's calls, which therefore needs no further request.

import type { IncomingMessage } from 'node:http'
import { frameQueries } from '../../shared/explorer/explorerQueries.ts'
import { type Query, queryKey } from '../../shared/explorer/explorerQuery.ts'
import { type PagePart, partOf } from '../../shared/explorer/pageParts.ts'
import { type View, viewOf } from '../../shared/explorer/views.ts'
import type { Network } from '../../shared/network.ts'
import type { Caller } from '../access/index.ts'
import type { Docs, Theme } from '../docs/index.ts'
import { type Answer, type ChargedCall, type Dispatch, NO_MODIFIERS } from '../methods/index.ts'
import { timeLimit } from '../process/index.ts'
import type { WhyNoControl } from './controlAccess.ts'
import type { HttpExchange } from './exchange.ts'
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
  readonly part: PagePart | null
  readonly replies: ReadonlyMap<string, string>
  readonly documents: Readonly<Record<string, Document>>
}

export interface Explorer {
  /** The HTML of a path; null when it has no page. */
  page(exchange: HttpExchange): Promise<string | null>
}

/** A page is not held back longer for the results in it. */
const REPLIES_MS = 150
/** What runs longer is stopped; until then a page that calls for it joins the run. */
const LONGEST_MS = 3_000
/** Longer results are left to the page. */
const MOST_CHARACTERS = 400_000

const THEME = /(?:^|;\s*)theme=(light|dark)(?:;|$)/

const themeOf = ({ headers }: IncomingMessage): Theme | null =>
  (THEME.exec(headers.cookie ?? '')?.[1] as Theme | undefined) ?? null

/** Whether the sender is a browser that opens a page. */
export const opensPage = ({ method = '', headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '')

export function createExplorer({ network, publicUrl, docs, dispatch, ...parts }: ExplorerParts): Explorer {
  const answer = async ({ method, params }: Query, call: ChargedCall): Promise<Answer | null> => {
    try {
      return await dispatch.run(method, { ...params }, call)
    } catch {
      // The page makes the same call and shows why it fails.
      return null
    }
  }

  async function write(view: View, exchange: HttpExchange, control: string | null): Promise<Written> {
    const search = new URLSearchParams(exchange.query)
    const first = firstCalls(view, search)
    const replies = new Map<string, string>()
    const documents = new Map<string, Document>()
    const call: ChargedCall = {
      caller: parts.callerOf(exchange.req),
      requestId: exchange.requestId,
      signal: timeLimit(LONGEST_MS),
      modifiers: NO_MODIFIERS,
      whyNoControl: control,
      budget: null,
    }
    let room = MOST_CHARACTERS
    const fits = ({ length }: string): boolean => {
      if (length > room) return false
      room -= length
      return true
    }
    const run = (queries: readonly Query[]) =>
      queries
        .filter(({ method }) => control === null || !method.startsWith('dev.'))
        .map(async (query) => {
          const found = await answer(query, call)
          if (found !== null && fits(found.json)) replies.set(queryKey(query), found.json)
        })
    const read = async (path: string): Promise<void> => {
      const found = await parts.documentAt(path, exchange).catch(() => null)
      if (found !== null && fits(found.text)) documents.set(path, found)
    }
    const resultOf: ResultOf = (query) => JSON.parse(replies.get(queryKey(query)) ?? 'null') ?? undefined
    let isLate = false
    const all = async (): Promise<void> => {
      const { queries = [], documents: paths = [], next } = first
      await Promise.all([...run([...frameQueries(network), ...queries]), ...paths.map(read)])
      if (next !== undefined && !isLate) await Promise.all(run(next(resultOf)))
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, REPLIES_MS)
    })
    await Promise.race([all(), late])
    isLate = true
    clearTimeout(timer)
    return {
      part: partOf(view, search, first.isMissing?.(resultOf) ?? false),
      replies: new Map(replies),
      documents: Object.fromEntries(documents),
    }
  }

  return {
    async page(exchange) {
      const view = viewOf(exchange.path, network)
      if (view === null) return null
      const control = parts.whyNoControl(exchange.req)
      const isControlled = network === 'devnet' && control === null
      const { part, replies, documents } = await write(view, exchange, control)
      const boot = { network, publicUrl, control: isControlled, pictures: parts.pictures, documents }
      return docs.shell({
        view,
        part,
        path: exchange.path,
        theme: themeOf(exchange.req),
        boot,
        plugin: parts.plugin,
        replies,
      })
    },
  }
}
