/** What the caller of a key may know of it. */
export const OWN_KEY_PATH = '/api/keys/me'

/** In front of all paths of the administration. */
export const ADMIN_PATH = '/api/admin/'

export const FAILURES_PATH = `${ADMIN_PATH}failures`

export const isKeysPath = (path: string): boolean => path === OWN_KEY_PATH || path.startsWith(ADMIN_PATH)

/** Name, verb and path, below `ADMIN_PATH`, of all there is in the administration. */
export const ADMIN_ROUTES = [
  ['listKeys', 'GET', /^keys$/],
  ['createKey', 'POST', /^keys$/],
  ['rotateKey', 'POST', /^keys\/([^/]+)\/rotate$/],
  ['changeKey', 'POST', /^keys\/([^/]+)\/change$/],
  ['revokeKey', 'POST', /^keys\/([^/]+)\/revoke$/],
  ['listPlans', 'GET', /^plans$/],
  ['createPlan', 'POST', /^plans$/],
  ['changePlan', 'POST', /^plans\/([^/]+)\/change$/],
  ['removePlan', 'POST', /^plans\/([^/]+)\/remove$/],
  ['readUsage', 'GET', /^usage$/],
  ['readFailures', 'GET', /^failures$/],
] as const

export type AdminRoute = (typeof ADMIN_ROUTES)[number][0]

/** Verbs of a path of keys; null for one that is not served. */
export function verbsOfKeys(path: string): readonly string[] | null {
  if (path === OWN_KEY_PATH) return ['GET']
  if (!path.startsWith(ADMIN_PATH)) return null
  const end = path.slice(ADMIN_PATH.length)
  const verbs = ADMIN_ROUTES.flatMap(([, verb, pattern]) => (pattern.test(end) ? [verb] : []))
  return verbs.length === 0 ? null : verbs
}
