// Pictures of tokens, by the account of the token: a page loads nothing from other hosts, and this is no way to any host,
// because the link is that of an indexed token.

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../../shared/errors.ts'
import { PICTURES } from '../../../shared/explorer/boot.ts'
import type { Caller } from '../../access/index.ts'
import { LaneQueueFull } from '../../fairness/index.ts'
import { type ChargedCall, type Dispatch, NO_MODIFIERS } from '../../methods/index.ts'
import { boundedTime, LeanAbort } from '../../process/index.ts'
import type { HttpExchange, HttpReply } from '../exchange/exchange.ts'
import type { PictureAt } from '../httpOptions.ts'

export interface PicturesParts {
  readonly dispatch: Pick<Dispatch, 'run'>
  readonly callerOf: (req: IncomingMessage) => Caller
  readonly pictureAt: PictureAt
  /** Milliseconds before a picture is fetched. */
  readonly waitMs?: number
}

type PictureExchange = Pick<HttpExchange, 'req' | 'res' | 'path' | 'requestId'>

const LONGEST_WAIT_MS = 10_000
const KEPT = 'public, max-age=86400'

interface Described {
  readonly token_info?: readonly {
    readonly image?: unknown
    readonly extra?: { readonly _image_small?: unknown; readonly image_data?: unknown }
  }[]
}

const isLink = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The link in a token's metadata, the smaller picture where there are two; then the picture itself (TEP-64), as a link that holds it. */
function linksIn(json: string, account: string): readonly string[] {
  // The cast: the result of a method of this service.
  const { token_info: tokens = [] } = (JSON.parse(json) as Readonly<Record<string, Described>>)[account] ?? {}
  const link = tokens.flatMap(({ image, extra }) => [extra?._image_small, image]).find(isLink)
  const data = tokens.map(({ extra }) => extra?.image_data).find(isLink)
  return [...(link === undefined ? [] : [link]), ...(data === undefined ? [] : [`data:image/any;base64,${data}`])]
}

export function createPictureDoor({ dispatch, callerOf, pictureAt, waitMs = LONGEST_WAIT_MS }: PicturesParts) {
  async function inTurn(link: string, subject: string, signal: AbortSignal) {
    try {
      return await pictureAt(link, { subject, signal })
    } catch (cause) {
      if (cause instanceof LaneQueueFull) throw new ApiError('busy', cause.message, {}, { cause })
      if (cause !== signal.reason) throw cause
      throw new ApiError('busy', 'too many pictures are fetched now', {}, { cause })
    }
  }

  async function found(exchange: PictureExchange, signal: AbortSignal) {
    const account = exchange.path.slice(PICTURES.length + 1).toUpperCase()
    const caller = callerOf(exchange.req)
    const call: ChargedCall = {
      caller,
      signal,
      requestId: exchange.requestId,
      modifiers: NO_MODIFIERS,
      whyNoControl: null,
      budget: null,
    }
    const { json } = await dispatch.run('v3.metadata', { address: [account] }, call)
    for (const link of linksIn(json, account)) {
      const picture = await inTurn(link, caller.subject, signal)
      if (picture !== null) return picture
    }
    return null
  }

  /** Throws ApiError. */
  return async function picture(exchange: PictureExchange): Promise<HttpReply> {
    const gone = new LeanAbort()
    const leaves = (): void => gone.abort(new Error('the caller is gone'))
    exchange.res.once('close', leaves)
    const { signal, done } = boundedTime(waitMs, gone.signal)
    try {
      const image = await found(exchange, signal)
      // A host that does not answer is one without a picture for now: pages show initials.
      if (image === null)
        throw new ApiError('notFound', 'this token has no picture, or it cannot be fetched now: try again in a minute')
      const headers = ['Cache-Control', KEPT, 'Content-Security-Policy', "default-src 'none'; sandbox"]
      return { status: 200, type: image.type, body: image.bytes, headers }
    } finally {
      done()
      exchange.res.off('close', leaves)
    }
  }
}
