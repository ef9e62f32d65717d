// Pictures of tokens, by the account of the token: a page loads nothing from other hosts, and this is no way to any host,
// because the link is that of an indexed token.

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../shared/errors.ts'
import { PICTURES } from '../../shared/explorer/boot.ts'
import type { Caller } from '../access/index.ts'
import { LaneQueueFull, Lanes } from '../fairness/index.ts'
import { type ChargedCall, type Dispatch, NO_MODIFIERS } from '../methods/index.ts'
import { timeLimit } from '../process/index.ts'
import type { HttpExchange, HttpReply } from './exchange.ts'
import type { PictureAt } from './httpOptions.ts'

export interface PicturesParts {
  readonly dispatch: Pick<Dispatch, 'run'>
  readonly callerOf: (req: IncomingMessage) => Caller
  readonly pictureAt: PictureAt
}

type PictureExchange = Pick<HttpExchange, 'req' | 'path' | 'requestId'>

/** Before a picture is fetched. */
const LONGEST_WAIT_MS = 10_000
const LANES = { total: 8, perCaller: 4, perTurn: 8, waitingPerCaller: 100 }
const KEPT = 'public, max-age=86400'

interface Described {
  readonly token_info?: readonly { readonly image?: unknown; readonly extra?: { readonly _image_small?: unknown } }[]
}

/** The link in a token's metadata; the smaller picture where there are two. */
function linkIn(json: string, account: string): string | null {
  // The cast: the result of a method of this service.
  const { token_info: tokens = [] } = (JSON.parse(json) as Readonly<Record<string, Described>>)[account] ?? {}
  const links = tokens.flatMap(({ image, extra }) => [extra?._image_small, image])
  return links.find((link): link is string => typeof link === 'string' && link !== '') ?? null
}

export function createPictureDoor({ dispatch, callerOf, pictureAt }: PicturesParts) {
  const lanes = new Lanes(LANES)

  async function bounded(link: string, subject: string, signal: AbortSignal) {
    try {
      await lanes.enter(subject, signal)
    } catch (cause) {
      const text = cause instanceof LaneQueueFull ? cause.message : 'too many pictures are fetched now'
      throw new ApiError('busy', text, {}, { cause })
    }
    try {
      return await pictureAt(link)
    } finally {
      lanes.leave(subject)
    }
  }

  /** Throws ApiError. */
  return async function picture(exchange: PictureExchange): Promise<HttpReply> {
    const account = exchange.path.slice(PICTURES.length + 1).toUpperCase()
    const caller = callerOf(exchange.req)
    const signal = timeLimit(LONGEST_WAIT_MS)
    const call: ChargedCall = {
      ...{ caller, signal, requestId: exchange.requestId, modifiers: NO_MODIFIERS },
      ...{ whyNoControl: null, budget: null },
    }
    const { json } = await dispatch.run('v3.metadata', { address: [account] }, call)
    const link = linkIn(json, account)
    // A host that does not answer is one without a picture for now: pages show initials.
    const found = link === null ? null : await bounded(link, caller.subject, signal)
    if (found === null)
      throw new ApiError('notFound', 'this token has no picture, or it cannot be fetched now: try again in a minute')
    const headers = ['Cache-Control', KEPT, 'Content-Security-Policy', "default-src 'none'; sandbox"]
    return { status: 200, type: found.type, body: found.bytes, headers }
  }
}
