// What callers may know of their own key, and the operator's administration of all keys behind a token of its own. Requests
// come as plain values, because a worker process passes them on to the one that keeps the keys.

import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../shared/errors.ts'
import {
  type Access,
  type Caller,
  dayOf,
  type KeyStore,
  KeyStoreError,
  type KeyStoreReason,
  monthOf,
  type PlanStore,
  type UsageStore,
} from '../access/index.ts'
import type { Failures } from '../observe/index.ts'
import type { HttpOptions } from './httpOptions.ts'
import { parseJson } from './json.ts'
import { ADMIN_PATH, OWN_KEY_PATH } from './keysPaths.ts'
import { failuresJson, idOf, keyJson, orderOf, overlapOf, rangeOf, sumOf, usageJson } from './keysWire.ts'
import { planChangesOf, planJson, planOf } from './plansWire.ts'

export interface KeysRequest {
  readonly verb: string
  readonly path: string
  readonly query: string
  readonly body: string
  /** That of an operator; empty without one. */
  readonly token: string
  readonly caller: Caller
  /** Whether the caller is a program or page of this machine, or has the token of control. */
  readonly isControl: boolean
}

export interface KeysAnswer {
  readonly status: number
  readonly json: string
}

/** Rejects with ApiError. */
export type KeysService = (request: KeysRequest) => Promise<KeysAnswer>

export interface KeysServiceParts {
  readonly access: Pick<Access, 'peek'>
  readonly keys: KeyStore
  readonly plans: PlanStore
  readonly usage: UsageStore
  readonly options: Pick<HttpOptions, 'adminToken' | 'network' | 'limits'>
  /** Of all processes. */
  readonly failures: () => Promise<readonly Failures[]>
}

interface Served {
  readonly status: number
  readonly value: unknown
}

type Route = (request: KeysRequest, id: string) => Promise<Served>

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const KINDS: Readonly<Record<KeyStoreReason, 'notFound' | 'conflict' | 'invalidParams' | 'busy'>> = {
  ...{ notFound: 'notFound', refused: 'invalidParams', revoked: 'conflict', expired: 'conflict' },
  ...{ conflict: 'conflict', damaged: 'busy', busy: 'busy' },
}

const asApiError = (error: unknown): unknown =>
  error instanceof KeyStoreError ? new ApiError(KINDS[error.reason], error.message, {}, { cause: error }) : error

const NO_TOKEN = 'keys are not administered here: start with --admin-token-file'
const WRONG_TOKEN = 'X-Admin-Token is not the token of --admin-token-file'

export function createKeysService({ access, keys, plans, usage, options, failures }: KeysServiceParts): KeysService {
  const expected = options.adminToken === '' ? null : digest(options.adminToken)

  function requireAdmin({ token }: KeysRequest): void {
    if (expected === null) throw new ApiError('forbidden', NO_TOKEN, { reason: 'control' })
    if (!timingSafeEqual(digest(token), expected)) throw new ApiError('forbidden', WRONG_TOKEN, { reason: 'control' })
  }

  const parsed = ({ body }: KeysRequest): unknown =>
    body.trim() === '' ? {} : parseJson(body, options.limits.jsonDepth)

  async function me({ caller }: KeysRequest): Promise<Served> {
    const now = Date.now()
    const [today, month] = [dayOf(now), monthOf(now)]
    const rows = await usage.read({ from: `${month}-01`, to: today, keyId: caller.keyId })
    const quota = access.peek(caller)?.quota ?? null
    return {
      status: 200,
      value: {
        id: caller.keyId,
        network: options.network,
        plan: caller.tier?.name ?? null,
        per_second: caller.tier?.perSecond ?? null,
        monthly: quota && { limit: quota.limit, used: quota.used, reset_after: quota.resetAfter },
        usage: { today: sumOf(rows.filter(({ day }) => day === today)), month: sumOf(rows) },
      },
    }
  }

  const list: Route = async () => {
    const [all, known] = await Promise.all([keys.list(), plans.list()])
    return { status: 200, value: { keys: all.map((key) => keyJson(key, known)) } }
  }
  const create: Route = async (request) => {
    // Before: a key whose answer fails is lost.
    const known = await plans.list()
    const { key, record } = await keys.create(orderOf(parsed(request), options.network))
    return { status: 201, value: { key, ...keyJson(record, known) } }
  }
  const rotate: Route = async (request, id) => {
    const known = await plans.list()
    const { key, record } = await keys.rotate(id, overlapOf(parsed(request)))
    return { status: 200, value: { key, ...keyJson(record, known) } }
  }
  const revoke: Route = async (_, id) => ({ status: 200, value: { id, revoked: (await keys.revoke(id)).length } })
  const used: Route = async ({ query }) => ({
    status: 200,
    value: { usage: (await usage.read(rangeOf(query))).map(usageJson) },
  })

  const failed: Route = async () => ({ status: 200, value: { failures: (await failures()).map(failuresJson) } })

  const listPlans: Route = async () => ({ status: 200, value: { plans: (await plans.list()).map(planJson) } })
  const createPlan: Route = async (request) => ({
    status: 201,
    value: planJson(await plans.create(planOf(parsed(request)))),
  })
  const changePlan: Route = async (request, name) => ({
    status: 200,
    value: planJson(await plans.change(name, planChangesOf(parsed(request)))),
  })
  const removePlan: Route = async (_, name) => {
    await plans.remove(name)
    return { status: 200, value: { name, removed: true } }
  }

  const routes: readonly (readonly [verb: string, path: RegExp, route: Route])[] = [
    ['GET', /^keys$/, list],
    ['POST', /^keys$/, create],
    ['POST', /^keys\/([^/]+)\/rotate$/, rotate],
    ['POST', /^keys\/([^/]+)\/revoke$/, revoke],
    ['GET', /^plans$/, listPlans],
    ['POST', /^plans$/, createPlan],
    ['POST', /^plans\/([^/]+)\/change$/, changePlan],
    ['POST', /^plans\/([^/]+)\/remove$/, removePlan],
    ['GET', /^usage$/, used],
    ['GET', /^failures$/, failed],
  ]

  async function admin(request: KeysRequest): Promise<Served> {
    const path = request.path.slice(ADMIN_PATH.length)
    // It names methods and requests, and nothing of keys.
    if (path !== 'failures' || !request.isControl) requireAdmin(request)
    const fitting = routes.filter(([, pattern]) => pattern.test(path))
    if (fitting.length === 0) throw new ApiError('routeNotFound')
    const [, pattern, route] = fitting.find(([verb]) => verb === request.verb) ?? []
    if (pattern !== undefined && route !== undefined) return await route(request, idOf(pattern.exec(path)?.[1]))
    const verbs = fitting.map(([verb]) => verb).join(', ')
    throw new ApiError('verbNotAllowed', `method ${request.verb.slice(0, 16)} is not supported: use ${verbs}`)
  }

  return async (request) => {
    try {
      const { status, value } = await (request.path === OWN_KEY_PATH ? me(request) : admin(request))
      return { status, json: JSON.stringify(value) }
    } catch (error) {
      throw asApiError(error)
    }
  }
}
