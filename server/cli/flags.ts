// The flags of a command as data, read off the schema that parses them. Those that are settings of the service are read
// from the environment and the config file too.

import { z } from 'zod'
import { ENV_PREFIX, Settings } from '../app/settings/settings.ts'

/** Not a setting of the service: the key that `tonrpc webhooks` sends. Other commands find it in the environment too. */
export const ENV_KEY = `${ENV_PREFIX}KEY`

export interface Flag {
  readonly name: string
  /** `trust-proxy` */
  readonly flag: string
  /** `TONRPC_TRUST_PROXY` of a setting; null for a flag of one command. */
  readonly env: string | null
  /** A name in the environment that other programs read too; null without one. */
  readonly alsoFrom: string | null
  readonly kind: 'number' | 'text' | 'list' | 'switch'
  /** What the help shows for the value; empty for a switch. */
  readonly takes: string
  /** The allowed values, as text that follows "takes". */
  readonly values: string
  readonly fallback: string
  /** The command cannot run without a value. */
  readonly isNeeded: boolean
  /** Never shown, not even in a refusal. */
  readonly secret: boolean
  readonly description: string
}

type JsonSchema = z.core.JSONSchema.JSONSchema

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function valuesOf({ type, minimum, maximum, values }: JsonSchema, choices: readonly string[]): string {
  if (typeof values === 'string') return values
  if (choices.length === 1) return choices.join()
  if (choices.length > 0) return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  if (type === 'boolean') return 'true or false'
  if (type === 'array') return 'a list separated by commas'
  if (type !== 'integer') return 'text'
  const open = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
  return open ? `a whole number of at least ${minimum}` : `a whole number from ${minimum} to ${maximum}`
}

const KINDS: Readonly<Record<string, Flag['kind']>> = { integer: 'number', array: 'list', boolean: 'switch' }
const TAKES: Readonly<Record<Flag['kind'], string>> = { list: 'a,b', switch: '', number: 'number', text: 'text' }

function describe(
  name: string,
  part: JsonSchema,
  { isSetting, isNeeded }: Pick<Flag, 'isNeeded'> & { isSetting: boolean },
): Flag {
  const choices = part.enum?.map(String) ?? []
  const kind = KINDS[String(part.type)] ?? 'text'
  return {
    name,
    flag: kebab(name),
    env: isSetting ? ENV_PREFIX + kebab(name).replaceAll('-', '_').toUpperCase() : null,
    alsoFrom: isSetting && typeof part.alsoFrom === 'string' ? part.alsoFrom : null,
    kind,
    takes: typeof part.takes === 'string' ? part.takes : choices.join('|') || TAKES[kind],
    values: valuesOf(part, choices),
    fallback: Array.isArray(part.default) ? part.default.join(',') : String(part.default ?? ''),
    isNeeded,
    secret: part.secret === true,
    description: part.description ?? '',
  }
}

const drawn = new WeakMap<z.ZodObject, readonly Flag[]>()

/** The flags of a schema, in the order they are written there. */
export function flagsOf(schema: z.ZodObject): readonly Flag[] {
  const flags = drawn.get(schema) ?? drawnFrom(schema)
  drawn.set(schema, flags)
  return flags
}

function drawnFrom(schema: z.ZodObject): readonly Flag[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, part]) => {
    const json: JsonSchema = typeof part === 'object' ? part : {}
    const isSetting = schema === Settings || json.setting === true
    return describe(name, json, { isSetting, isNeeded: required.includes(name) })
  })
}

/** A setting of the service as a flag of another command, with what it means there. It keeps its name. */
export const settingFlag = <S extends z.ZodType>(setting: S, description: string): S =>
  setting.meta({ setting: true, description })

export const settings: readonly Flag[] = flagsOf(Settings)

/** Address of the service a command works on. */
export const serviceUrl = z
  .string()
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), {
    error: 'an address that begins with http:// or https://',
  })
  .default('http://localhost:8081')
  .meta({ takes: 'url', description: 'where the service is' })
