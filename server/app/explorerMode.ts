import { isLoopback } from '../access/index.ts'
import type { Config } from './settings.ts'

/** Whether pages for people are served, and whether their calls have a budget of their own. */
export function explorerOf({ explorer, network, host }: Config): 'on' | 'off' | 'public' {
  if (explorer !== 'auto') return explorer
  return network === 'devnet' || host === 'localhost' || isLoopback(host) ? 'on' : 'off'
}
