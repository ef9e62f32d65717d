// What a person sees after the start: where everything is.

import { resolve } from 'node:path'
import type { Config } from './settings.ts'

const limitsInWords = ({ limits, network }: Config): string => {
  if (limits === 'off') return 'off'
  const keyless = 'without a key 1 call per second and address'
  return limits === 'auto' && network === 'devnet' ? `none for callers on this machine, else ${keyless}` : keyless
}

/** Addresses of the service at `url`, a line each. */
export function banner(config: Config, url: string, version: string, seconds: number): string {
  const rows: [string, string][] = [
    ['start page', `${url}/`],
    ['JSON-RPC 2.0', `${url}/jsonRPC`],
    ['WebSocket', `${url.replace(/^http/, 'ws')}/jsonRPC`],
    ['v2', `${url}/api/v2/`],
    ['v2 JSON-RPC', `${url}/api/v2/jsonRPC`],
    ['v3', `${url}/api/v3/`],
    ['documents', `${url}/openapi/v2.json  ${url}/openapi/v3.json`],
    ['health', `${url}/healthz  ${url}/readyz  ${url}/metrics`],
    ['data folder', resolve(config.data)],
    ['rate limits', limitsInWords(config)],
    ['new API key', 'npm run keys -- create --plan free'],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  return [
    '',
    `tonrpc ${version} serves ${config.network}, ready in ${seconds.toFixed(2)} s`,
    '',
    ...lines,
    '',
    '',
  ].join('\n')
}
