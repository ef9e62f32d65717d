import { keysDocument } from '../http/index.ts'
import type { LiteListening } from './liteListener.ts'
import { programVersion } from './programVersion.ts'
import type { Config } from './settings.ts'

/** Where the configuration for clients of lite servers is served. */
const CONFIG_PATHS = ['/global.config.json', '/lite.config.json']

/** JSON that is served as it is, by path. */
export function jsonDocuments(
  { network }: Pick<Config, 'network'>,
  lite: LiteListening | null,
): ReadonlyMap<string, string> {
  const ofKeys = keysDocument({ network, version: programVersion() })
  const ofLite = lite === null ? [] : CONFIG_PATHS.map((path): [string, string] => [path, lite.config])
  return new Map([['/openapi/keys.json', ofKeys], ...ofLite])
}
