/** What the caller of a key may know of it. */
export const OWN_KEY_PATH = '/api/keys/me'

/** In front of all paths of the administration. */
export const ADMIN_PATH = '/api/admin/'

export const FAILURES_PATH = `${ADMIN_PATH}failures`

export const isKeysPath = (path: string): boolean => path === OWN_KEY_PATH || path.startsWith(ADMIN_PATH)
