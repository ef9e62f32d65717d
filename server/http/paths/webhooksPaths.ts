import { verbsOfWebhooks } from '../../webhooks/index.ts'

/** In front of the paths of webhooks; they are served without it as well. */
const OWN_ROOT = '/api/webhooks/v1'

const PATHS = /^(?:\/api\/webhooks\/v1)?\/(?:webhooks(?:\/|$)|usage-stats$)/

export const isWebhooksPath = (path: string): boolean => PATHS.test(path)

/** A path of webhooks as it is at the root. */
export const webhooksPath = (path: string): string => (path.startsWith(OWN_ROOT) ? path.slice(OWN_ROOT.length) : path)

/** Null for a path that is not served. */
export const verbsOfWebhooksPath = (path: string): readonly string[] | null => verbsOfWebhooks(webhooksPath(path))
