// Settings whose values are secrets may be kept in files, which other users of the machine cannot read.

import { readFileSync } from 'node:fs'
import { codeOf } from '../../process/index.ts'
import { StartRefused } from '../startRefused.ts'
import { type Config, Settings } from './settings.ts'

/** Each setting with the one that names its file. */
const FILES = {
  database: 'databaseFile',
  databaseRead: 'databaseReadFile',
  controlToken: 'controlTokenFile',
  adminToken: 'adminTokenFile',
  redis: 'redisFile',
} as const satisfies Partial<Record<keyof Config, keyof Config>>

type Secret = keyof typeof FILES
type SecretSettings = Partial<Pick<Config, Secret | (typeof FILES)[Secret]>>

const SECRETS = ['database', 'databaseRead', 'controlToken', 'adminToken', 'redis'] as const satisfies readonly Secret[]

const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function read(name: Secret, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const why = codeOf(error) ?? String(error)
    throw new StartRefused(`${flagOf(FILES[name])}: the file ${path} cannot be read (${why})`, { cause: error })
  }
  const checked = Settings.shape[name].safeParse(text)
  if (text !== '' && checked.success) return checked.data
  const takes = checked.success ? 'a value' : (checked.error.issues[0]?.message ?? 'another value')
  throw new StartRefused(`${flagOf(FILES[name])}: the file ${path} must hold ${takes}`)
}

/** The same settings with the secrets that files hold. Throws StartRefused. */
export function withSecrets<C extends SecretSettings>(config: C): C {
  const found: Partial<Record<Secret, string>> = {}
  for (const name of SECRETS) {
    const path = config[FILES[name]] ?? ''
    if (path === '') continue
    const given = config[name] ?? ''
    if (given !== '' && given !== Settings.parse({})[name])
      throw new StartRefused(`${flagOf(name)} and ${flagOf(FILES[name])} are both given: leave one out`)
    found[name] = read(name, path)
  }
  return { ...config, ...found }
}

/** An address without its user and password. */
function placeOf(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  for (const name of ['user', 'password']) url.searchParams.delete(name)
  return url.href
}

/**
 * The address of a server with its current user and password: the file is read again at each call. When the file cannot be used
 * or names another server, the last address stays: the data in memory is of this server.
 */
export function addressNow<N extends 'database' | 'databaseRead' | 'redis'>(
  config: Pick<Config, N | (typeof FILES)[N]>,
  name: N,
): () => string {
  const path: string = config[FILES[name]]
  const first: string = config[name]
  let last = first
  return () => {
    if (path === '') return first
    try {
      const found = read(name, path)
      if (URL.canParse(found) && placeOf(found) === placeOf(first)) last = found
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error
    }
    return last
  }
}
