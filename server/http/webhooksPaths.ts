/** In front of the paths of webhooks; they are served without it as well. */
export const OWN_WEBHOOKS_ROOT = '/api/webhooks/v1'

const PATHS = /^(?:\/api\/webhooks\/v1)?\/(?:webhooks(?:\/|$)|usage-stats$)/

export const isWebhooksPath = (path: string): boolean => PATHS.test(path)

export const WEBHOOK_VERBS: readonly string[] = ['GET', 'POST', 'DELETE']
