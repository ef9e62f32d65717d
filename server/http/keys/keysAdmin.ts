// The operator's administration of all keys and plans, behind a token of its own.

import { ApiError } from '../../../shared/errors.ts'
import type { KeyRecord } from '../../access/index.ts'
import { createSecretCheck } from '../callers/secretCheck.ts'
import { ADMIN_PATH, ADMIN_ROUTES, type AdminRoute, FAILURES_PATH } from '../paths/keysPaths.ts'
import { longList } from '../replies/longList.ts'
import { parseJson } from '../requests/json.ts'
import type { KeysRequest, KeysResult, KeysServiceParts } from './keysRequest.ts'
import { failuresJson, idOf, keyChangesOf, keyJson, orderOf, overlapOf, rangeOf, usageJson } from './keysWire.ts'
import { planChangesOf, planJson, planOf } from './plansWire.ts'

type Route = (request: KeysRequest, id: string) => Promise<KeysResult>

const NO_TOKEN = 'keys are not administered here: start with --admin-token-file'
const WRONG_TOKEN = 'X-Admin-Token is not the token of --admin-token-file'

function routesOf(parts: KeysServiceParts): Readonly<Record<AdminRoute, Route>> {
  const { keys, plans, usage, options, failures } = parts
  const parsed = ({ body }: KeysRequest): unknown =>
    body.trim() === '' ? {} : parseJson(body, options.limits.jsonDepth)
  const ok = (value: unknown): KeysResult => ({ status: 200, value })
  const made = (value: unknown): KeysResult => ({ status: 201, value })

  async function listKeys({ caller }: KeysRequest): Promise<KeysResult> {
    const [all, known] = await Promise.all([keys.list(), plans.list()])
    const toJson = (key: KeyRecord) => keyJson(key, known)
    return { status: 200, json: await longList('keys', all, { toJson, subject: caller.subject }) }
  }
  async function createKey(request: KeysRequest): Promise<KeysResult> {
    // Plans are read first: a key whose answer fails is lost.
    const known = await plans.list()
    const { key, record } = await keys.create(orderOf(parsed(request), options.network))
    return made({ key, ...keyJson(record, known) })
  }
  async function rotateKey(request: KeysRequest, id: string): Promise<KeysResult> {
    const known = await plans.list()
    const { key, record } = await keys.rotate(id, overlapOf(parsed(request)))
    return ok({ key, ...keyJson(record, known) })
  }
  async function changeKey(request: KeysRequest, id: string): Promise<KeysResult> {
    const records = await keys.change(id, keyChangesOf(parsed(request)))
    const known = await plans.list()
    return ok({ keys: records.map((record) => keyJson(record, known)) })
  }
  async function readUsage({ query, caller }: KeysRequest): Promise<KeysResult> {
    const rows = await usage.read(rangeOf(query))
    return { status: 200, json: await longList('usage', rows, { toJson: usageJson, subject: caller.subject }) }
  }
  async function removePlan(name: string): Promise<KeysResult> {
    await plans.remove(name)
    return ok({ name, removed: true })
  }

  return {
    listKeys,
    createKey,
    rotateKey,
    changeKey,
    revokeKey: async (_, id) => ok({ id, revoked: (await keys.revoke(id)).length }),
    listPlans: async () => ok({ plans: (await plans.list()).map(planJson) }),
    createPlan: async (request) => made(planJson(await plans.create(planOf(parsed(request))))),
    changePlan: async (request, name) => ok(planJson(await plans.change(name, planChangesOf(parsed(request))))),
    removePlan: (_, name) => removePlan(name),
    readUsage,
    readFailures: async () => ok({ failures: (await failures()).map(failuresJson) }),
  }
}

type RequireAdmin = (request: Pick<KeysRequest, 'path' | 'token' | 'isControl'>) => void

/** Throws ApiError for a caller who is no operator. */
export function createRequireAdmin(adminToken: string): RequireAdmin {
  const isToken = createSecretCheck(adminToken)
  return ({ path, token, isControl }) => {
    // Failures name methods and requests, and nothing of keys.
    if (path === FAILURES_PATH && isControl) return
    if (isToken === null) throw new ApiError('forbidden', NO_TOKEN, { reason: 'control' })
    if (!isToken(token)) throw new ApiError('forbidden', WRONG_TOKEN, { reason: 'control' })
  }
}

/** Rejects with ApiError or KeyStoreError. */
export function createKeysAdmin(parts: KeysServiceParts): (request: KeysRequest) => Promise<KeysResult> {
  const requireAdmin = createRequireAdmin(parts.options.adminToken)
  const routes = routesOf(parts)

  return async (request) => {
    requireAdmin(request)
    const path = request.path.slice(ADMIN_PATH.length)
    const fitting = ADMIN_ROUTES.filter(([, , pattern]) => pattern.test(path))
    const found = fitting.find(([, verb]) => verb === request.verb)
    if (found === undefined) throw new ApiError(fitting.length === 0 ? 'routeNotFound' : 'verbNotAllowed')
    const [name, , pattern] = found
    return await routes[name](request, idOf(pattern.exec(path)?.[1]))
  }
}
