// Settings whose values are secrets may be kept in files, which other users of the machine cannot read.

import { readFileSync } from 'node:fs'
import { codeOf } from '../process/index.ts'
import { type Config, Settings } from './settings.ts'
import { StartRefused } from './startRefused.ts'

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

/** A secret as it is now: its file is read again at each call. One that cannot be used leaves the last one. */
export function secretNow(config: SecretSettings, name: Secret): () => string {
  const path = config[FILES[name]] ?? ''
  let last = config[name] ?? ''
  return () => {
    try {
      if (path !== '') last = read(name, path)
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error
    }
    return last
  }
}
